/** The name of the key for shortcuts with a modifier on this machine. */
export const modifierKey = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? '') ? '⌘' : 'Ctrl'
