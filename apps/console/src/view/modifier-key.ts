/** Shortcuts with a modifier, by the name of the key on this machine. */
const modifierKey = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? '') ? '⌘' : 'Ctrl'

export function withModifier(key: string): string {
  return `${modifierKey} ${key}`
}
