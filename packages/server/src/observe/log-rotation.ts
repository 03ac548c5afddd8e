/**
 * Puts a log aside when it is full or of another day, compresses it, and lets the oldest ones go. Several processes may write
 * one log and rotate it: whoever is first does it, and the others notice.
 */
import { createReadStream, createWriteStream } from 'node:fs'
import { chmod, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { createGzip } from 'node:zlib'
import { ownerOnly } from '../foundation/private-file.ts'

export interface RotationOptions {
  /** A log of so many bytes is put aside; one of another day is anyway. */
  readonly size: number
  /** So many old logs are kept. */
  readonly keep: number
}

/** A process that died while it rotated is waited for no longer than this, in milliseconds. */
const longestRotation = 60_000

/** Until then every other process has noticed that its log was put aside, in milliseconds. */
const noticedAfter = 3000

export class LogRotation {
  readonly #path: string
  readonly #options: RotationOptions
  readonly #onFault: (error: Error) => void
  /** Old logs on their way to be compressed. */
  #compressing: Promise<void> = Promise.resolve()
  readonly #stop = new AbortController()

  constructor(path: string, options: RotationOptions, onFault: (error: Error) => void) {
    this.#path = path
    this.#options = options
    this.#onFault = onFault
  }

  /** Puts the log aside if that is due. Whoever has it open must open it anew when this gives true. */
  async turn(now = Date.now()): Promise<boolean> {
    const found = await stat(this.#path).catch(() => undefined)
    if (!found?.isFile() || found.size === 0 || !this.#isDue(found, now)) return false
    const lock = `${this.#path}.rotating`
    if (!(await isTaken(lock, now))) return false
    try {
      // Another process may have been faster than the lock, and the next log may not be begun yet.
      const again = await stat(this.#path).catch(() => undefined)
      if (again?.ino !== found.ino) return true
      const aside = await this.#freeName(dayOf(found.mtimeMs))
      await rename(this.#path, aside)
      const noticed = pause(noticedAfter, undefined, { signal: this.#stop.signal, ref: false }).catch(() => {})
      this.#compressing = Promise.all([this.#compressing, noticed]).then(() => this.#finish(aside))
      return true
    } finally {
      await rm(lock, { force: true })
    }
  }

  /** Waits for what is being compressed; what has not begun is left as it is. */
  async close(): Promise<void> {
    this.#stop.abort()
    await this.#compressing
  }

  #isDue({ size, mtimeMs }: { size: number; mtimeMs: number }, now: number): boolean {
    return size >= this.#options.size || dayOf(mtimeMs) !== dayOf(now)
  }

  /**
   * `access.log.2026-11-15`, and `access.log.2026-11-15.2` for the next of that day. A number whose log was let go is not
   * taken again: the names tell which log is older.
   */
  async #freeName(day: string): Promise<string> {
    const first = `${basename(this.#path)}.${day}`
    const taken = (await readdir(dirname(this.#path)))
      .filter((name) => name.startsWith(first))
      .map((name) => Number(/^(?:\.(\d+))?(?:\.gz)?$/.exec(name.slice(first.length))?.[1] ?? 1))
    const number = Math.max(0, ...taken) + 1
    return join(dirname(this.#path), number === 1 ? first : `${first}.${number}`)
  }

  async #finish(aside: string): Promise<void> {
    try {
      if (!this.#stop.signal.aborted) await compressed(aside)
      await this.#letGo()
    } catch (error) {
      // It may have been let go already, as one too many.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') this.#onFault(error as Error)
    }
  }

  /** The oldest beyond those that are kept. */
  async #letGo(): Promise<void> {
    const folder = dirname(this.#path)
    const prefix = `${basename(this.#path)}.`
    const names = (await readdir(folder)).filter(
      (name) => name.startsWith(prefix) && old.test(name.slice(prefix.length)),
    )
    const sorted = names.sort((one, other) => order(one.slice(prefix.length)) - order(other.slice(prefix.length)))
    for (const name of sorted.slice(0, Math.max(0, sorted.length - this.#options.keep)))
      await rm(join(folder, name), { force: true })
  }
}

/** What stands behind the name of a log that was put aside. */
const old = /^(\d{4})-(\d\d)-(\d\d)(?:\.(\d+))?(?:\.gz)?$/

function order(end: string): number {
  const [, year, month, day, number = 1] = old.exec(end) ?? []
  return Number(`${year}${month}${day}`) * 100_000 + Number(number)
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

/** Takes the lock; one that was left behind by a process that died is taken away first. */
async function isTaken(lock: string, now: number): Promise<boolean> {
  const held = await stat(lock).catch(() => undefined)
  if (held && now - held.mtimeMs > longestRotation) await rm(lock, { force: true })
  try {
    await (await open(lock, 'wx', ownerOnly)).close()
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Under another name first: whoever finds the compressed file finds all of it. */
async function compressed(path: string): Promise<void> {
  const part = `${path}.part`
  for (let size = -1; size !== (await stat(path)).size; ) {
    // A process that was slow to notice may have written on.
    size = (await stat(path)).size
    await pipeline(createReadStream(path), createGzip(), createWriteStream(part, { mode: ownerOnly }))
  }
  await chmod(part, (await stat(path)).mode & 0o777)
  await rename(part, `${path}.gz`)
  await rm(path)
}
