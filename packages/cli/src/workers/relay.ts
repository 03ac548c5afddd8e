/** Forwards the output of the workers in whole lines, so that lines of several processes do not mix. */
import type { Readable } from 'node:stream'
import { writeSome } from '@nomen/server/internal'

const newline = 10
/** Longer lines are forwarded in parts. */
const maxLineBytes = 1024 * 1024

export class Relay {
  readonly #file: number
  readonly #onFault: (error: Error) => void
  #lastWrite: Promise<void> = Promise.resolve()
  #isFailing = false

  /** Calls `onFault` when a write fails, and again only after a successful write in between. */
  constructor(file: number, onFault: (error: Error) => void) {
    this.#file = file
    this.#onFault = onFault
  }

  /** Forwards a stream until it ends, with backpressure: it reads only as fast as it can write. */
  async forward(stream: Readable): Promise<void> {
    let partialLine: Buffer = Buffer.alloc(0)
    try {
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        const text = Buffer.concat([partialLine, chunk])
        const end = text.length > maxLineBytes ? text.length : text.lastIndexOf(newline) + 1
        partialLine = text.subarray(end)
        await this.#enqueue(text.subarray(0, end))
      }
    } catch {
      // The pipe of a killed process may break: everything up to here was forwarded.
    }
    // A partial line of a killed process must not become the start of another process's line.
    if (partialLine.length > 0) await this.#enqueue(Buffer.concat([partialLine, Buffer.from('\n')]))
  }

  #enqueue(text: Buffer): Promise<void> {
    this.#lastWrite = this.#lastWrite.then(() => this.#write(text))
    return this.#lastWrite
  }

  async #write(text: Buffer): Promise<void> {
    try {
      let remaining = text
      while (remaining.length > 0) remaining = remaining.subarray(await writeSome(this.#file, remaining))
      if (text.length > 0) this.#isFailing = false
    } catch (error) {
      if (!this.#isFailing) this.#onFault(error as Error)
      this.#isFailing = true
    }
  }
}
