/** Shortcuts with a modifier, by the name of the key on this machine. */
import { text } from '../language/language.ts'

const isApple = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? '')

export function withModifier(key: string): string {
  return `${isApple ? '⌘' : text().common.controlKey} ${key}`
}
