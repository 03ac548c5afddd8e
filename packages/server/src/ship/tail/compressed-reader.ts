/** Reads a compressed log from an offset, chunk by chunk. */
import { createReadStream } from 'node:fs'
import { constants, createGunzip, type Gunzip } from 'node:zlib'

const chunkBytes = 64 * 1024

/** Thrown if the file is damaged or incomplete. */
export class DamagedLog extends Error {
  override readonly name = 'DamagedLog'
}

export class CompressedReader {
  readonly path: string
  readonly inode: number
  readonly #stream: Gunzip
  readonly #chunks: AsyncIterator<Buffer>
  #bytesToSkip: number
  #unreadBytes: Buffer = Buffer.alloc(0)
  #isEnd = false

  /** With `isLenient`, a truncated file is read as far as possible. */
  constructor(file: { readonly path: string; readonly inode: number }, offset: number, isLenient: boolean) {
    this.path = file.path
    this.inode = file.inode
    this.#bytesToSkip = offset
    const source = createReadStream(file.path, { highWaterMark: chunkBytes })
    const finishFlush = isLenient ? constants.Z_SYNC_FLUSH : constants.Z_FINISH
    this.#stream = source.pipe(createGunzip({ chunkSize: chunkBytes, finishFlush }))
    source.on('error', (error) => this.#stream.destroy(error))
    this.#stream.on('close', () => source.destroy())
    this.#chunks = this.#stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  }

  /** Reads the next bytes, fewer at the end of the file. Return unused bytes with `putBack`. */
  async read(size: number): Promise<{ readonly bytes: Buffer; readonly isEnd: boolean }> {
    const chunks = [this.#unreadBytes]
    let length = this.#unreadBytes.length
    while (length < size && !this.#isEnd) {
      const chunk = await this.#next()
      chunks.push(chunk)
      length += chunk.length
    }
    const bytes = Buffer.concat(chunks)
    this.#unreadBytes = bytes.subarray(size)
    return { bytes: bytes.subarray(0, size), isEnd: this.#isEnd && bytes.length <= size }
  }

  /** Puts unused bytes back; the next read starts with them. */
  putBack(bytes: Buffer): void {
    this.#unreadBytes = Buffer.concat([bytes, this.#unreadBytes])
  }

  close(): void {
    this.#stream.destroy()
  }

  async #next(): Promise<Buffer> {
    try {
      const { done, value } = await this.#chunks.next()
      if (done) {
        this.#isEnd = true
        return Buffer.alloc(0)
      }
      const chunk = value.subarray(Math.min(this.#bytesToSkip, value.length))
      this.#bytesToSkip -= value.length - chunk.length
      return chunk
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? ''
      if (!code.startsWith('Z_')) throw error
      throw new DamagedLog(`${this.path} is damaged: ${(error as Error).message}.`, { cause: error })
    }
  }
}
