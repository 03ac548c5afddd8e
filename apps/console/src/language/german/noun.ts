/** `cost center` gives `Cost center`: German nouns begin with a capital letter. */
export function capitalized(noun: string): string {
  return noun.charAt(0).toUpperCase() + noun.slice(1)
}
