/** Keeps a process from writing into a file that is not at its path any more: what it wrote there would be gone with it. */
import { statSync } from 'node:fs'
import { StoreUnavailable } from '../error.ts'

export class FileGuard {
  readonly #path: string | undefined
  readonly #file: string | undefined

  /** To be made when the file is open. */
  constructor(path: string) {
    this.#path = path === ':memory:' ? undefined : path
    this.#file = this.#path && fileAt(this.#path)
  }

  /** Throws where the file was deleted, moved away or replaced. */
  check(): void {
    if (this.#path === undefined) return
    const found = fileAt(this.#path)
    if (found === this.#file) return
    const what = found === undefined ? 'is not there any more' : 'was replaced by another file'
    throw new StoreUnavailable(`The database ${this.#path} ${what}. Put it back, or restart the service.`)
  }
}

/** What tells a file from others, whatever it is called; undefined where there is none. */
function fileAt(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false })
  return found && `${found.dev} ${found.ino}`
}
