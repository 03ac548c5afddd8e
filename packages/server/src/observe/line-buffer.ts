/** Lines that wait to be written, kept as bytes: as texts they would outlive many a collection of garbage. */

const pageSize = 64 * 1024
/** How many full pages are given at once. */
const mostPages = 16
/** Up to here lines are gathered as one text: to make bytes of each would cost as much as to write it. */
const freshSize = 4096
const newline = 10

export class LineBuffer {
  /** How many bytes wait. */
  size = 0

  #fresh = ''
  readonly #full: Buffer[] = []
  #page = Buffer.alloc(0)
  #start = 0
  #end = 0

  /** Takes one line without its newline, in Latin-1. */
  push(line: string): void {
    this.#fresh += `${line}\n`
    this.size += line.length + 1
    if (this.#fresh.length >= freshSize) this.#settle()
  }

  /** Gives the oldest bytes, and keeps them no longer; empty where nothing waits. They end with a line. */
  take(): Buffer {
    this.#settle()
    const full = this.#full.splice(0, mostPages)
    const bytes = full.length > 0 ? Buffer.concat(full) : this.#takeWritten()
    this.size -= bytes.length
    return bytes
  }

  /** Puts bytes before all others. */
  putBack(bytes: Buffer): void {
    if (bytes.length === 0) return
    this.#full.unshift(bytes)
    this.size += bytes.length
  }

  /** Forgets everything and gives the number of lines that it was. */
  clear(): number {
    let count = 0
    while (this.size > 0) for (const byte of this.take()) if (byte === newline) count++
    return count
  }

  #settle(): void {
    const text = this.#fresh
    this.#fresh = ''
    if (this.#end + text.length > this.#page.length) this.#turnPage(text.length)
    this.#end += this.#page.write(text, this.#end, 'latin1')
  }

  #turnPage(needed: number): void {
    if (this.#end > this.#start) this.#full.push(this.#takeWritten())
    this.#page = Buffer.allocUnsafeSlow(Math.max(pageSize, needed))
    this.#start = this.#end = 0
  }

  /** The rest of the page goes on being filled. */
  #takeWritten(): Buffer {
    const bytes = this.#page.subarray(this.#start, this.#end)
    this.#start = this.#end
    return bytes
  }
}
