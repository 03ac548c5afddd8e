/** Notices when one of some files changes, however it was saved. */
import { type FSWatcher, watch } from 'node:fs'
import { dirname, join } from 'node:path'

/** An editor may save in several steps: what comes within so many milliseconds is one change. */
const pause = 60

export class FileWatch {
  readonly #onChange: (file: string) => void
  readonly #folders = new Map<string, FSWatcher>()
  #files = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  /** Whether any file of the same folders counts, as where one is missing. */
  isWide = false

  constructor(onChange: (file: string) => void) {
    this.#onChange = onChange
  }

  /** From now on these files count, beside those that did before. */
  add(files: readonly string[]): void {
    this.#files = new Set([...this.#files, ...files])
    for (const folder of new Set(files.map((file) => dirname(file)))) {
      // Folders, since many editors put a new file in the place of the old one.
      if (!this.#folders.has(folder)) this.#folders.set(folder, this.#watch(folder))
    }
  }

  close(): void {
    clearTimeout(this.#timer)
    for (const watcher of this.#folders.values()) watcher.close()
  }

  #watch(folder: string): FSWatcher {
    const watcher = watch(folder, (_, name) => {
      const file = join(folder, `${name}`)
      if (!this.#files.has(file) && !(this.isWide && /\.[cm]?[jt]s$|\.json$/.test(file))) return
      clearTimeout(this.#timer)
      this.#timer = setTimeout(() => this.#onChange(file), pause)
    })
    // A folder that is gone is not watched any more, and that is no reason to stop serving.
    return watcher.on('error', () => watcher.close())
  }
}
