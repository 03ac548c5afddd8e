/** Numbers the words that recur in a log, so that a string is allocated only for a new word. */
import { isSame } from './endpoint.ts'

/** Further words get no number, so that invented names cannot fill the memory. */
const maxWords = 10_000

export class WordTable {
  readonly #byHash = new Map<number, { readonly bytes: Uint8Array; readonly index: number }[]>()
  readonly #words: string[] = []

  /** The number of the word between two positions; undefined if there are too many words already. */
  index(bytes: Uint8Array, start: number, end: number): number | undefined {
    let hash = end - start
    for (let position = start; position < end; position++) hash = (hash * 31 + (bytes[position] as number)) | 0
    const sameHash = this.#byHash.get(hash)
    if (sameHash) for (const word of sameHash) if (isSame(word.bytes, bytes, start, end)) return word.index
    if (this.#words.length >= maxWords) return undefined
    const copy = bytes.slice(start, end)
    const index = this.#words.push(new TextDecoder().decode(copy)) - 1
    if (sameHash) sameHash.push({ bytes: copy, index })
    else this.#byHash.set(hash, [{ bytes: copy, index }])
    return index
  }

  word(index: number): string {
    return this.#words[index] ?? ''
  }
}
