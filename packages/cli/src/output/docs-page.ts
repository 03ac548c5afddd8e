/** Finds pages of the documentation: the published package contains them, and a clone has them in `docs/`. */
import { existsSync } from 'node:fs'
import { relative } from 'node:path'
import { packageFile } from '../source/package-file.ts'

/** The path of a page such as `diff.md`, relative to the current folder if it is below it. */
export function docsPage(page: string): string {
  const folders = ['docs/', '../../docs/'].map((folder) => packageFile(folder))
  const path = `${folders.find((folder) => existsSync(folder)) ?? folders[0]}${page}`
  const local = relative('.', path)
  return local.startsWith('..') ? path : local
}
