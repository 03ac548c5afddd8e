/** Watches files for changes, however an editor saves them. */
import { type FSWatcher, watch } from 'node:fs'
import { dirname, join } from 'node:path'

/** An editor may save in several steps: events within this time are one change. */
const debounceMs = 60

export class FileWatch {
  readonly #onChange: (file: string) => void
  readonly #folders = new Map<string, FSWatcher>()
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
      this.#timer = setTimeout(() => this.#onChange(file), debounceMs)
    })
    // If a folder is deleted, stop watching it and keep serving.
    return watcher.on('error', () => watcher.close())
  }
}
