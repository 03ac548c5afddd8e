/** The file of the access log: lines are buffered in memory and appended in the background, so that no request waits. */
import { close, fchmod, fstat, open, stat } from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { makeFolder } from '../foundation/folder.ts'
import { ownerOnly } from '../foundation/private-file.ts'
import { writeSome } from '../foundation/write-some.ts'
import { isWithinLine, settledEnd } from './file-end.ts'
import { LineBuffer } from './line-buffer.ts'
import { LogRotation, type RotationOptions } from './log-rotation.ts'

const flushDelayMs = 200
const retryDelayMs = 500
const batchBytes = 256 * 1024
const maxBacklogBytes = 8 * 1024 * 1024

const noBytes = Buffer.alloc(0)

const changeMode = promisify(fchmod)
const closeFile = promisify(close)
const openFile = promisify(open)
const statFile = promisify(fstat)
const statPath = promisify(stat)

/** Events of an access log. */
export interface AccessLogListener {
  /** Called once when the file can no longer be written, and again only after it could be written. */
  onFault(error: Error): void
}

/**
 * An access log in append mode, so that several processes can share the file; `-` is standard output.
 *
 * A line is in the file within a second. While the file cannot be written, up to 8 MiB of lines are kept and retried; lines
 * beyond that are dropped and counted. If another tool rotates the file, a new one is opened. No method throws or rejects.
 *
 * @example
 * const log = new AccessLogFile('data/access.log', { onFault: (error) => console.error(error.message) })
 * log.write(writeLine(entry))
 * await log.close()
 */
export class AccessLogFile {
  /** The number of lines, including dropped ones. */
  lines = 0
  /** The number of lost lines: over the limit, after `close`, or not written until then. */
  dropped = 0
  /** Why the file cannot be written now; undefined if it can. */
  fault: Error | undefined
  /** How often the file became unwritable. */
  faults = 0
  /** How often this process has rotated the file; other processes may rotate it as well. */
  rotations = 0

  readonly #target: string
  readonly #listener: AccessLogListener
  readonly #buffer = new LineBuffer()
  readonly #rotation: LogRotation | undefined
  #file: number | undefined
  /** The permissions of the last file, which the next one gets too. */
  #mode: number | undefined
  /** The start of a line whose end could not be written yet. */
  #partialLine: Buffer = noBytes
  #isFailing = false
  #writing: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #closing: Promise<void> | undefined

  constructor(target: string, listener: AccessLogListener, rotation?: RotationOptions) {
    this.#target = target
    this.#listener = listener
    const report = (error: Error) =>
      listener.onFault(new Error(`Access log ${target} was not rotated.`, { cause: error }))
    if (rotation && target !== '-') this.#rotation = new LogRotation(target, rotation, report)
    // Opened now, so that an unwritable path is reported before the first request.
    this.#start()
  }

  /** Adds one line without its newline, in ASCII as `writeLine` formats it. */
  write(line: string): void {
    this.lines++
    if (this.#closing) {
      this.dropped++
    } else if (this.#buffer.size + line.length >= maxBacklogBytes) {
      this.dropped++
      this.#report(
        new Error(
          `The access log ${this.#target} cannot be written fast enough: 8 MiB are waiting, and new lines are dropped.`,
        ),
      )
    } else {
      this.#buffer.push(line)
      this.#scheduleWrite()
    }
  }

  /** The number of bytes that wait to be written. */
  get backlog(): number {
    return this.#buffer.size
  }

  /** Resolves when an attempt was made to write every line so far. */
  async flush(): Promise<void> {
    if (this.#closing) return this.#closing
    await this.#writing
    await this.#start()
  }

  /** Writes the remaining lines and closes the file; lines that cannot be written are counted as dropped. */
  close(): Promise<void> {
    this.#closing ??= this.#finish()
    return this.#closing
  }

  async #finish(): Promise<void> {
    await this.#writing
    await this.#start()
    this.dropped += this.#buffer.clear()
    await this.#release()
    await this.#rotation?.close()
  }

  #scheduleWrite(): void {
    if (this.#writing || this.#closing) return
    if (this.#buffer.size >= batchBytes && !this.#isFailing) {
      this.#start()
    } else if (this.#buffer.size > 0 || this.#isFailing) {
      this.#timer ??= setTimeout(() => this.#start(), this.#isFailing ? retryDelayMs : flushDelayMs).unref()
    }
  }

  #start(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#writing ??= this.#writeWaiting().finally(() => {
      this.#writing = undefined
      this.#scheduleWrite()
    })
    return this.#writing
  }

  async #writeWaiting(): Promise<void> {
    try {
      await this.#rotate()
      this.#file ??= await this.#open()
      // Lines that arrive during the write wait for the next batch, so that a write has many lines. No line is left half written.
      let remainingBytes = this.#buffer.size
      const chunks: Buffer[] = []
      while (remainingBytes > 0 || this.#partialLine.length > 0) {
        remainingBytes += await this.#startLine(this.#file)
        const chunk = await this.#writeChunk(this.#file)
        remainingBytes -= chunk.length
        chunks.push(chunk)
      }
      await this.#writeAgainIfRemoved(this.#file, chunks)
      this.#isFailing = false
      if (this.#buffer.size < batchBytes) this.fault = undefined
    } catch (error) {
      this.#isFailing = true
      await this.#release()
      this.#report(error as Error)
    }
  }

  /** Rotates the file if it is due, and closes it if it was rotated, here or by another process. */
  async #rotate(): Promise<void> {
    if (this.#target === '-') return
    const isRotated = await this.#rotation?.rotate().catch((error: Error) => this.#report(error))
    if (isRotated) this.rotations++
    const file = this.#file
    if (file === undefined || this.#partialLine.length > 0) return
    const [openState, current] = await Promise.all([statFile(file), statPath(this.#target).catch(() => undefined)])
    if (openState.isFile()) this.#mode = openState.mode & 0o777
    if (openState.ino !== current?.ino || openState.dev !== current.dev) await this.#release()
  }

  /**
   * If this process was paused, it may have written to a file that another process has compressed and removed meanwhile.
   * These lines would be lost, so they are written again, into the current file.
   */
  async #writeAgainIfRemoved(file: number, chunks: readonly Buffer[]): Promise<void> {
    if (chunks.length === 0 || this.#target === '-') return
    const state = await statFile(file)
    if (!state.isFile() || state.nlink > 0) return
    this.#buffer.putBack(Buffer.concat(chunks))
    await this.#release()
    await this.#writeWaiting()
  }

  async #writeChunk(file: number): Promise<Buffer> {
    const bytes = this.#buffer.take()
    let written = 0
    try {
      written = await writeSome(file, bytes)
    } finally {
      this.#buffer.putBack(bytes.subarray(written))
    }
    const end = bytes.subarray(0, written).lastIndexOf('\n') + 1
    const partial = bytes.subarray(end, written)
    this.#partialLine = end > 0 ? partial : Buffer.concat([this.#partialLine, partial])
    return bytes.subarray(0, written)
  }

  async #open(): Promise<number> {
    if (this.#target === '-') return 1
    await makeFolder(dirname(this.#target))
    const file = await openFile(this.#target, 'ax+', ownerOnly).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
    if (file !== undefined && this.#mode !== undefined) await changeMode(file, this.#mode)
    return file ?? (await this.#openExisting())
  }

  /** Opens the existing file; another process may rotate it at this moment. */
  async #openExisting(): Promise<number> {
    // A file is opened for reading as well. A pipe is not, because opening it for both would not wait for a reader.
    const isFile = await statPath(this.#target).then(
      (state) => state.isFile(),
      () => true,
    )
    return openFile(this.#target, isFile ? 'a+' : 'a', ownerOnly)
  }

  /**
   * Makes sure that the next write starts a new line or continues a partial one. A killed process or a full disk may have left
   * half a line at the end of the file. Returns the number of bytes that have to be written again.
   */
  async #startLine(file: number): Promise<number> {
    const partialLine = this.#partialLine
    const end = this.#target === '-' ? undefined : await settledEnd(file, partialLine.length + 1)
    if (end === undefined || (partialLine.length > 0 && end.subarray(-partialLine.length).equals(partialLine))) return 0
    // The partial line can continue only in a file that ends with its start. In any other file, the whole line is written.
    this.#buffer.putBack(partialLine)
    this.#partialLine = noBytes
    if (isWithinLine(end)) await writeSome(file, Buffer.from('\n'))
    return partialLine.length
  }

  async #release(): Promise<void> {
    const file = this.#file
    if (file === undefined || this.#target === '-') return
    this.#file = undefined
    await closeFile(file).catch(() => undefined)
  }

  #report(error: Error): void {
    if (this.fault) return
    this.fault = error
    this.faults++
    this.#listener.onFault(error)
  }
}
