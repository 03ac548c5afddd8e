/** Watches files for changes, however an editor saves them. */
import { existsSync, type FSWatcher, watch } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** An editor may save in several steps: events within this time are one change. */
const debounceMs = 60

/** How often to look for a folder that was deleted, in milliseconds. */
const recheckMs = 200

export class FileWatch {
  readonly #onChange: (file: string) => void
  readonly #folders = new Map<string, Pick<FSWatcher, 'close'>>()
  #files = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  /** Whether to watch all files of the same folders, for example because an import is missing. */
  isWide = false

  constructor(onChange: (file: string) => void) {
    this.#onChange = onChange
  }

  /** Watches more files. */
  add(files: readonly string[]): void {
    this.#files = new Set([...this.#files, ...files])
    for (const folder of new Set(files.map((file) => dirname(file)))) {
      // Watches folders, because many editors replace the file instead of writing to it.
      if (!this.#folders.has(folder)) this.#watch(folder)
    }
  }

  close(): void {
    clearTimeout(this.#timer)
    for (const watcher of this.#folders.values()) watcher.close()
  }

  #watch(folder: string): void {
    let watcher: FSWatcher
    try {
      watcher = watch(folder, (event, name) => {
        // An event with the name of the folder means that the folder itself was deleted or moved.
        if (event === 'rename' && name === basename(folder)) this.#watchLater(folder)
        const file = join(folder, `${name}`)
        if (this.#files.has(file) || (this.isWide && /\.[cm]?[jt]s$|\.json$/.test(file))) this.#report(file)
      })
    } catch {
      this.#watchLater(folder)
      return
    }
    watcher.on('error', () => this.#watchLater(folder))
    this.#folders.set(folder, watcher)
  }

  /** Watches a deleted folder again when it exists, for example after `git switch`. */
  #watchLater(folder: string): void {
    this.#folders.get(folder)?.close()
    const timer = setInterval(() => {
      if (!existsSync(folder)) return
      clearInterval(timer)
      this.#watch(folder)
      this.#report(folder)
    }, recheckMs)
    this.#folders.set(folder, { close: () => clearInterval(timer) })
  }

  #report(changed: string): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#onChange(changed), debounceMs)
  }
}
