/** A buffer of lines to write. Bytes are kept outside the V8 heap, so that waiting lines do not burden the garbage collector. */

const pageBytes = 64 * 1024
/** The maximum number of full pages that `take` returns at once. */
const maxPages = 16
/** Lines are joined to a string of this length before they are encoded, because encoding each line would be slow. */
const maxTextLength = 4096
const newline = 10

export class LineBuffer {
  /** The number of bytes in the buffer. */
  size = 0

  /** Lines that are not encoded yet. */
  #text = ''
  readonly #fullPages: Buffer[] = []
  #page = Buffer.alloc(0)
  #start = 0
  #end = 0

  /** Adds one line without its newline, in Latin-1. */
  push(line: string): void {
    this.#text += `${line}\n`
    this.size += line.length + 1
    if (this.#text.length >= maxTextLength) this.#encode()
  }

  /** Removes and returns the oldest bytes, which end with a newline; empty if there are none. */
  take(): Buffer {
    this.#encode()
    const pages = this.#fullPages.splice(0, maxPages)
    const bytes = pages.length > 0 ? Buffer.concat(pages) : this.#takeFromPage()
    this.size -= bytes.length
    return bytes
  }

  /** Puts bytes back to the front of the buffer. */
  putBack(bytes: Buffer): void {
    if (bytes.length === 0) return
    this.#fullPages.unshift(bytes)
    this.size += bytes.length
  }

  /** Empties the buffer and returns the number of lines that were in it. */
  clear(): number {
    let count = 0
    while (this.size > 0) for (const byte of this.take()) if (byte === newline) count++
    return count
  }

  #encode(): void {
    const text = this.#text
    this.#text = ''
    if (this.#end + text.length > this.#page.length) this.#startPage(text.length)
    this.#end += this.#page.write(text, this.#end, 'latin1')
  }

  #startPage(minBytes: number): void {
    if (this.#end > this.#start) this.#fullPages.push(this.#takeFromPage())
    this.#page = Buffer.allocUnsafeSlow(Math.max(pageBytes, minBytes))
    this.#start = this.#end = 0
  }

  /** Returns the filled part of the current page. The free part remains in use. */
  #takeFromPage(): Buffer {
    const bytes = this.#page.subarray(this.#start, this.#end)
    this.#start = this.#end
    return bytes
  }
}
