/** The key of an import. One that was begun and not finished keeps its key, so that no row of the same file is created twice. */
import { randomKey } from '../wire/random-key.ts'

export interface ImportKey {
  readonly key: string
  /** The same file was begun before, and not finished. */
  readonly isBegun: boolean
  /** From now on the file is one that was begun. */
  keep(): void
  /** All of it is done: the next time it is another import. */
  forget(): void
}

/** So long services remember keys, in milliseconds; a little less, as the last row comes later than the first. */
const validity = 20 * 60 * 60 * 1000

/** `place` is where the rows go to, `text` what the file holds. */
export function importKey(place: string, text: string): ImportKey {
  const name = `console.import ${place} ${text.length} ${hash(text)}`
  const [key, time] = localStorage.getItem(name)?.split(' ') ?? []
  const isBegun = key !== undefined && Date.now() - Number(time) < validity
  const own = isBegun ? key : randomKey()
  return {
    key: own,
    isBegun,
    keep: () => {
      if (!isBegun) localStorage.setItem(name, `${own} ${Date.now()}`)
    },
    forget: () => localStorage.removeItem(name),
  }
}

/** Tells files apart, no more: what the browser has for it is not there on every page. */
function hash(text: string): string {
  let one = 0xdeadbeef
  let other = 0x41c6ce57
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    one = Math.imul(one ^ code, 2654435761)
    other = Math.imul(other ^ code, 1597334677)
  }
  return `${(one >>> 0).toString(36)}${(other >>> 0).toString(36)}`
}
