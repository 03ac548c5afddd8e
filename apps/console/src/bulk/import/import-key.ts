/** The idempotency key of an import. An unfinished import keeps its key, so no row of the same file is created twice. */
import { randomKey } from '../../http/random-key.ts'
import { readPreference, writePreference } from '../../state/preference.ts'

export interface ImportKey {
  readonly key: string
  /** An earlier import of the same file was not finished. */
  readonly isResumed: boolean
  /** Stores the key until the import is finished. */
  store(): void
  /** Removes the key: the next import of the file is a new one. */
  remove(): void
}

interface StoredKey {
  readonly key: string
  readonly startedAtMs: number
}

/** Services remember keys for 24 hours. This is less, because the last row is sent later than the first. */
const validityMs = 20 * 60 * 60 * 1000

export function importKey(url: string, text: string): ImportKey {
  const name = `import ${url} ${text.length} ${hash(text)}`
  const stored = readPreference<StoredKey | undefined>(name, undefined)
  const isResumed = stored !== undefined && Date.now() - stored.startedAtMs < validityMs
  const current = isResumed ? stored : { key: randomKey(), startedAtMs: Date.now() }
  return {
    key: current.key,
    isResumed,
    store: () => writePreference(name, current),
    remove: () => writePreference(name, undefined),
  }
}

/** A hash that is not cryptographic: `crypto.subtle` is missing on pages without https. */
function hash(text: string): string {
  let low = 0xdeadbeef
  let high = 0x41c6ce57
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    low = Math.imul(low ^ code, 2654435761)
    high = Math.imul(high ^ code, 1597334677)
  }
  return `${(low >>> 0).toString(36)}${(high >>> 0).toString(36)}`
}
