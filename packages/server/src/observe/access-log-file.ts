/** The access log's way to the disk: lines are gathered in memory and appended in the background, in no request's way. */
import { close, fchmod, fstat, open, read, stat } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { makeFolder } from '../foundation/folder.ts'
import { ownerOnly } from '../foundation/private-file.ts'
import { writeSome } from '../foundation/write-some.ts'
import { LineBuffer } from './line-buffer.ts'
import { LogRotation, type RotationOptions } from './log-rotation.ts'

const flushAfter = 200
const retryAfter = 500
const settleAfter = 50
const batchSize = 256 * 1024
const backlogSize = 8 * 1024 * 1024

const newline = 10
const nothing = Buffer.alloc(0)

const changeMode = promisify(fchmod)
const closeFile = promisify(close)
const openFile = promisify(open)
const readBytes = promisify(read)
const stateOf = promisify(fstat)
const stateAt = promisify(stat)

/** What an access log tells its owner. */
export interface AccessLogListener {
  /** Called once when lines stop reaching the file, and not again before they have reached it. */
  onFault(error: Error): void
}

/**
 * An access log that is appended to, so that several processes can share the file; `-` is standard output.
 *
 * A line is in the file well within a second. While the file cannot be written, lines are held, up to 8 MiB, and tried
 * again; what comes on top is dropped and counted. A file that is moved away is left, and a new one begun: other tools may
 * rotate it. No method throws or rejects.
 * @example
 * const log = new AccessLogFile('data/access.log', { onFault: (error) => console.error(error.message) })
 * log.write(writeLine(entry))
 * await log.close()
 */
export class AccessLogFile {
  /** How many lines were taken. */
  lines = 0
  /** How many lines were lost: over the limit, after `close`, or never writable until then. */
  dropped = 0
  /** Why lines do not reach the file now; undefined when they do. */
  fault: Error | undefined
  /** How often lines stopped reaching the file. */
  faults = 0
  /** How often the file was put aside here; other processes may do it as well. */
  rotations = 0

  readonly #target: string
  readonly #listener: AccessLogListener
  readonly #waiting = new LineBuffer()
  readonly #rotation: LogRotation | undefined
  #file: number | undefined
  /** The permissions of the last file, which the next one gets too. */
  #mode: number | undefined
  #torn: Buffer = nothing
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
    // opened at once, so that a path that cannot be written is known before the first request
    this.#start()
  }

  /** Takes one line without its newline, in ASCII as `writeLine` makes it. */
  write(line: string): void {
    this.lines++
    if (this.#closing) {
      this.dropped++
    } else if (this.#waiting.size + line.length >= backlogSize) {
      this.dropped++
      this.#report(new Error(`Access log ${this.#target} is too slow: 8 MiB of lines wait, new ones are dropped.`))
    } else {
      this.#waiting.push(line)
      this.#plan()
    }
  }

  /** How many bytes wait to be written. */
  get backlog(): number {
    return this.#waiting.size
  }

  /** Resolves when every line taken so far is written, or could not be. */
  async flush(): Promise<void> {
    if (this.#closing) return this.#closing
    await this.#writing
    await this.#start()
  }

  /** Writes what waits and lets the file go; lines that cannot be written even then are counted as dropped. */
  close(): Promise<void> {
    this.#closing ??= this.#finish()
    return this.#closing
  }

  async #finish(): Promise<void> {
    await this.#writing
    await this.#start()
    this.dropped += this.#waiting.clear()
    await this.#release()
    await this.#rotation?.close()
  }

  #plan(): void {
    if (this.#writing || this.#closing) return
    if (this.#waiting.size >= batchSize && !this.#isFailing) {
      this.#start()
    } else if (this.#waiting.size > 0 || this.#isFailing) {
      this.#timer ??= setTimeout(() => this.#start(), this.#isFailing ? retryAfter : flushAfter).unref()
    }
  }

  #start(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#writing ??= this.#writeWaiting().finally(() => {
      this.#writing = undefined
      this.#plan()
    })
    return this.#writing
  }

  async #writeWaiting(): Promise<void> {
    try {
      await this.#turn()
      this.#file ??= await this.#open()
      // what comes meanwhile waits for the next batch, lest each write carry one line; but none is left half written
      let left = this.#waiting.size
      while (left > 0 || this.#torn.length > 0) {
        left += await this.#beginLine(this.#file)
        left -= await this.#writeChunk(this.#file)
      }
      this.#isFailing = false
      if (this.#waiting.size < batchSize) this.fault = undefined
    } catch (error) {
      this.#isFailing = true
      await this.#release()
      this.#report(error as Error)
    }
  }

  /** Lets a file go that is full, or that somebody else has put aside: what comes next is written into a new one. */
  async #turn(): Promise<void> {
    if (this.#target === '-') return
    const isTurned = await this.#rotation?.turn().catch((error: Error) => this.#report(error))
    if (isTurned) this.rotations++
    const file = this.#file
    if (file === undefined || this.#torn.length > 0) return
    const [own, found] = await Promise.all([stateOf(file), stateAt(this.#target).catch(() => undefined)])
    if (own.isFile()) this.#mode = own.mode & 0o777
    if (own.ino !== found?.ino || own.dev !== found.dev) await this.#release()
  }

  async #writeChunk(file: number): Promise<number> {
    const bytes = this.#waiting.take()
    let written = 0
    try {
      written = await writeSome(file, bytes)
    } finally {
      this.#waiting.putBack(bytes.subarray(written))
    }
    const end = bytes.subarray(0, written).lastIndexOf('\n') + 1
    const begun = bytes.subarray(end, written)
    this.#torn = end > 0 ? begun : Buffer.concat([this.#torn, begun])
    return written
  }

  async #open(): Promise<number> {
    if (this.#target === '-') return 1
    await makeFolder(dirname(this.#target))
    const file = await openFile(this.#target, 'ax+', ownerOnly).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
    if (file !== undefined && this.#mode !== undefined) await changeMode(file, this.#mode)
    return file ?? (await this.#openAgain())
  }

  /** Opens what is there; another process may put it aside at this moment. */
  async #openAgain(): Promise<number> {
    // read as well where that is possible: a pipe that is opened for both would wait for no reader
    const isFile = await stateAt(this.#target).then(
      (found) => found.isFile(),
      () => true,
    )
    return openFile(this.#target, isFile ? 'a+' : 'a', ownerOnly)
  }

  /**
   * Makes sure that what is written next begins a line, or goes on with the one that was torn: a process that was killed,
   * or a disk that was full, may have left half a line at the end of the file. Gives the length of what is written again.
   */
  async #beginLine(file: number): Promise<number> {
    const torn = this.#torn
    const end = this.#target === '-' ? undefined : await settledEnd(file, torn.length + 1)
    if (end === undefined || (torn.length > 0 && end.subarray(-torn.length).equals(torn))) return 0
    // a torn line goes on only in the file that still ends with its beginning; anywhere else it is written whole
    this.#waiting.putBack(torn)
    this.#torn = nothing
    if (isWithinLine(end)) await writeSome(file, Buffer.from('\n'))
    return torn.length
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

/** The last bytes of a file, and fewer where it is shorter; undefined where they cannot be read. */
async function settledEnd(file: number, length: number): Promise<Buffer | undefined> {
  let end = await endOf(file, length)
  // a file grows page by page: what another process is writing at this moment looks like half a line for a moment
  for (let size = -1; end && isWithinLine(end.bytes) && end.size !== size; ) {
    size = end.size
    await pause(settleAfter)
    end = await endOf(file, length)
  }
  return end?.bytes
}

function isWithinLine(bytes: Buffer): boolean {
  return bytes.length > 0 && bytes.at(-1) !== newline
}

async function endOf(file: number, length: number): Promise<{ size: number; bytes: Buffer } | undefined> {
  try {
    const found = await stateOf(file)
    if (!found.isFile()) return undefined
    const bytes = Buffer.alloc(Math.min(length, found.size))
    const { bytesRead } = await readBytes(file, bytes, 0, bytes.length, found.size - bytes.length)
    return { size: found.size, bytes: bytes.subarray(0, bytesRead) }
  } catch {
    return undefined
  }
}
