/** Finds the end of each HTTP response of a connection, with a length or in chunks. One request is pending at a time. */

const headEnd = Buffer.from('\r\n\r\n')
const lastChunk = Buffer.from('\r\n0\r\n\r\n')

export class ResponseReader {
  readonly #onEnd: (status: number) => void
  #pending: Buffer = Buffer.alloc(0)

  constructor(onEnd: (status: number) => void) {
    this.#onEnd = onEnd
  }

  read(data: Buffer): void {
    this.#pending = this.#pending.length === 0 ? data : Buffer.concat([this.#pending, data])
    const end = this.#pending.indexOf(headEnd)
    if (end === -1) return
    const head = this.#pending.toString('latin1', 0, end)
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
    const isComplete =
      length === undefined
        ? this.#pending
            .subarray(end + 2)
            .subarray(-lastChunk.length)
            .equals(lastChunk)
        : this.#pending.length >= end + headEnd.length + Number(length)
    if (!isComplete) return
    this.#pending = Buffer.alloc(0)
    this.#onEnd(Number(head.slice(9, 12)))
  }
}
