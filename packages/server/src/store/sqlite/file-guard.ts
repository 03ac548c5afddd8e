/** Prevents writes to a database file that was deleted, moved or replaced: they would be lost. */
import { statSync } from 'node:fs'
import { StoreUnavailable } from '../fault/error.ts'

export class FileGuard {
  readonly #path: string | undefined
  readonly #fileId: string | undefined

  /** Call it when the file is open. */
  constructor(path: string) {
    this.#path = path === ':memory:' ? undefined : path
    this.#fileId = this.#path && fileId(this.#path)
  }

  /** Throws if the file was deleted, moved or replaced. */
  check(): void {
    if (this.#path === undefined) return
    const current = fileId(this.#path)
    if (current === this.#fileId) return
    const change = current === undefined ? 'no longer exists' : 'was replaced by another file'
    throw new StoreUnavailable(`The database ${this.#path} ${change}. Restore the file, or restart the service.`)
  }
}

/** Identifies a file independently of its name; undefined if it does not exist. */
function fileId(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats && `${stats.dev} ${stats.ino}`
}
