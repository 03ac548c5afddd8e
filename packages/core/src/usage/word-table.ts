/** Words that come again and again in a log, each with a number: a text is made of one only when it is new. */
import { isSame } from './endpoint.ts'

/** More different ones than this share a number: nobody can fill the memory with made-up names. */
const mostWords = 10_000

export class WordTable {
  readonly #byHash = new Map<number, { readonly bytes: Uint8Array; readonly index: number }[]>()
  readonly #words: string[] = []

  /** The number of the word between two positions; undefined where there are too many words already. */
  index(bytes: Uint8Array, start: number, end: number): number | undefined {
    let hash = end - start
    for (let position = start; position < end; position++) hash = (hash * 31 + (bytes[position] as number)) | 0
    const alike = this.#byHash.get(hash)
    if (alike) for (const one of alike) if (isSame(one.bytes, bytes, start, end)) return one.index
    if (this.#words.length >= mostWords) return undefined
    const own = bytes.slice(start, end)
    const index = this.#words.push(new TextDecoder().decode(own)) - 1
    if (alike) alike.push({ bytes: own, index })
    else this.#byHash.set(hash, [{ bytes: own, index }])
    return index
  }

  word(index: number): string {
    return this.#words[index] ?? ''
  }
}
