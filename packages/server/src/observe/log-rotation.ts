/**
 * Log rotation: renames a log when it is full or from another day, compresses it, and deletes the oldest ones. Several
 * processes may share one log: the first one rotates it, and the others notice.
 */
import { createReadStream, createWriteStream } from 'node:fs'
import { chmod, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { createGzip } from 'node:zlib'
import { ownerOnly } from '../foundation/private-file.ts'
import { dayOf } from '../foundation/timestamp.ts'

/** Rotation of the access log: it is rotated daily, and whenever it reaches a size. */
export interface RotationOptions {
  /** The size at which the log is rotated, in bytes. */
  readonly size: number
  /** The number of rotated logs to keep. */
  readonly keep: number
}

/** An older lock was left behind by a process that was killed. */
const maxLockAgeMs = 60_000

/** After this time, all other processes have noticed the rotation. */
const noticeDelayMs = 3000

export class LogRotation {
  readonly #path: string
  readonly #options: RotationOptions
  readonly #onFault: (error: Error) => void
  /** The compression of rotated logs. */
  #compressing: Promise<void> = Promise.resolve()
  readonly #stop = new AbortController()

  constructor(path: string, options: RotationOptions, onFault: (error: Error) => void) {
    this.#path = path
    this.#options = options
    this.#onFault = onFault
  }

  /** Rotates the log if it is due. If it returns true, the log must be opened again. */
  async rotate(): Promise<boolean> {
    const now = Date.now()
    const state = await stat(this.#path).catch(() => undefined)
    if (!state?.isFile() || state.size === 0 || !this.#isDue(state, now)) return false
    const lock = `${this.#path}.rotating`
    if (!(await acquire(lock, now))) return false
    try {
      // Another process may have rotated the log before this one got the lock, and may not have created the next log yet.
      const current = await stat(this.#path).catch(() => undefined)
      if (current?.ino !== state.ino) return true
      const rotatedPath = await this.#freeName(dayOf(state.mtimeMs))
      await rename(this.#path, rotatedPath)
      const noticeDelay = pause(noticeDelayMs, undefined, { signal: this.#stop.signal, ref: false }).catch(() => {})
      this.#compressing = Promise.all([this.#compressing, noticeDelay]).then(() => this.#finish(rotatedPath))
      return true
    } finally {
      await rm(lock, { force: true })
    }
  }

  /** Waits for a running compression; logs that wait for compression stay uncompressed. */
  async close(): Promise<void> {
    this.#stop.abort()
    await this.#compressing
  }

  #isDue({ size, mtimeMs }: { size: number; mtimeMs: number }, now: number): boolean {
    return size >= this.#options.size || dayOf(mtimeMs) !== dayOf(now)
  }

  /**
   * `access.log.2026-11-15`, and `access.log.2026-11-15.2` for the second one of that day. The number of a deleted log is not
   * used again, so that names show the order of the logs.
   */
  async #freeName(day: string): Promise<string> {
    const firstName = `${basename(this.#path)}.${day}`
    const numbers = (await readdir(dirname(this.#path)))
      .filter((name) => name.startsWith(firstName))
      .map((name) => Number(/^(?:\.(\d+))?(?:\.gz)?$/.exec(name.slice(firstName.length))?.[1] ?? 1))
    const number = Math.max(0, ...numbers) + 1
    return join(dirname(this.#path), number === 1 ? firstName : `${firstName}.${number}`)
  }

  async #finish(rotatedPath: string): Promise<void> {
    try {
      if (!this.#stop.signal.aborted) await compress(rotatedPath)
      await this.#deleteOldest()
    } catch (error) {
      // The log may have been deleted already, as one too many.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') this.#onFault(error as Error)
    }
  }

  /** Deletes the oldest logs, beyond the number to keep. */
  async #deleteOldest(): Promise<void> {
    const folder = dirname(this.#path)
    const prefix = `${basename(this.#path)}.`
    const names = (await readdir(folder)).filter(
      (name) => name.startsWith(prefix) && rotatedSuffix.test(name.slice(prefix.length)),
    )
    const sorted = names.sort((a, b) => order(a.slice(prefix.length)) - order(b.slice(prefix.length)))
    for (const name of sorted.slice(0, Math.max(0, sorted.length - this.#options.keep)))
      await rm(join(folder, name), { force: true })
  }
}

/** The suffix of a rotated log: date, number and compression. */
const rotatedSuffix = /^(\d{4})-(\d\d)-(\d\d)(?:\.(\d+))?(?:\.gz)?$/

function order(suffix: string): number {
  const [, year, month, day, number = 1] = rotatedSuffix.exec(suffix) ?? []
  return Number(`${year}${month}${day}`) * 100_000 + Number(number)
}

/** Creates the lock file; false if another process has it. Removes a lock that a killed process left behind. */
async function acquire(lock: string, now: number): Promise<boolean> {
  const existing = await stat(lock).catch(() => undefined)
  if (existing && now - existing.mtimeMs > maxLockAgeMs) await rm(lock, { force: true })
  try {
    await (await open(lock, 'wx', ownerOnly)).close()
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Compresses into a temporary file and renames it, so that a `.gz` file is always complete. */
async function compress(path: string): Promise<void> {
  const partPath = `${path}.part`
  for (let size = -1; size !== (await stat(path)).size; ) {
    // A process that has not noticed the rotation may still have written to the file.
    size = (await stat(path)).size
    await pipeline(createReadStream(path), createGzip(), createWriteStream(partPath, { mode: ownerOnly }))
  }
  await chmod(partPath, (await stat(path)).mode & 0o777)
  await rename(partPath, `${path}.gz`)
  await rm(path)
}
