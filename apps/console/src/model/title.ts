/** Names of the api as people read them. */

/** `createdOrUpdated` gives `Created or updated`, `cost-center` gives `Cost center`. */
export function title(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .replace(/[-_.]+/g, ' ')
    .trim()
    .split(' ')
  const lower = words.map((word) => (/^[A-Z]{2,}\d*$/.test(word) ? word : word.toLowerCase())).join(' ')
  if (lower === 'id' || lower === 'guid' || lower === 'url') return lower.toUpperCase()
  return lower.charAt(0).toUpperCase() + lower.slice(1)
}

/** `directory v1` gives `Directory v1`. A title with capital letters stays unchanged. */
export function capitalized(name: string): string {
  return /[A-Z]/.test(name) ? name : name.charAt(0).toUpperCase() + name.slice(1)
}

/**
 * A value of a choice: `SUSPENDED` gives `Suspended`. Values that are not constants stay unchanged, and so do choices among
 * codes of up to three letters, such as `EUR`.
 */
export function choiceTitle(value: unknown, choices: readonly unknown[]): string {
  const text = `${value}`
  const constants = [...choices, value].map(String)
  const areWords = constants.some((constant) => constant.length > 3)
  return areWords && /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/.test(text) ? title(text.toLowerCase()) : text
}

/** `cost-center` gives `cost center`: the noun within a sentence. */
export function nounText({ noun }: { readonly noun: string }): string {
  return noun.replaceAll('-', ' ')
}

/** A text for comparison: without case and accents. Letters such as `ł` have no separate accent. */
export function foldedText(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[łøđßæœ]/g, (letter) => folds[letter] ?? letter)
}

const folds: { readonly [letter: string]: string } = { ł: 'l', ø: 'o', đ: 'd', ß: 'ss', æ: 'ae', œ: 'oe' }
