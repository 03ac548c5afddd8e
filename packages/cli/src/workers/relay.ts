/** Passes on what the workers print, whole lines at a time, lest those of several processes mix within a line. */
import type { Readable } from 'node:stream'
import { writeSome } from '@nomen/server/internal'

const newline = 10
/** A line that is longer is passed on in parts. */
const longest = 1024 * 1024

export class Relay {
  readonly #file: number
  readonly #onFault: (error: Error) => void
  #writing: Promise<void> = Promise.resolve()
  #isFailing = false

  /** `onFault` is told once when the file cannot be written, and not again before it could be. */
  constructor(file: number, onFault: (error: Error) => void) {
    this.#file = file
    this.#onFault = onFault
  }

  /** Takes everything that comes, no faster than it can be passed on. Whoever is slow to read it holds nobody else up. */
  async take(from: Readable): Promise<void> {
    let rest: Buffer = Buffer.alloc(0)
    try {
      for await (const part of from as AsyncIterable<Buffer>) {
        const text = Buffer.concat([rest, part])
        const end = text.length > longest ? text.length : text.lastIndexOf(newline) + 1
        rest = text.subarray(end)
        await this.#add(text.subarray(0, end))
      }
    } catch {
      // The way from a process that was killed may break: what has come is all there is.
    }
    // Half a line of a process that was killed must not become the beginning of another's.
    if (rest.length > 0) await this.#add(Buffer.concat([rest, Buffer.from('\n')]))
  }

  #add(text: Buffer): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write(text))
    return this.#writing
  }

  async #write(text: Buffer): Promise<void> {
    try {
      let left = text
      while (left.length > 0) left = left.subarray(await writeSome(this.#file, left))
      if (text.length > 0) this.#isFailing = false
    } catch (error) {
      if (!this.#isFailing) this.#onFault(error as Error)
      this.#isFailing = true
    }
  }
}
