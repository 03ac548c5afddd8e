/** Temporary folders that are removed after the test. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { root } from './nomen.ts'
import { forTest, type OnCleanup } from './over.ts'

/** An empty folder. */
export function temporaryFolder(onCleanup: OnCleanup = forTest): string {
  const folder = mkdtempSync(join(tmpdir(), 'nomen-'))
  onCleanup(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

/** A folder with these files and the packages of this repository. */
export function serviceFolder(files: Readonly<Record<string, string>>, onCleanup: OnCleanup = forTest): string {
  const folder = temporaryFolder(onCleanup)
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(join(root, 'node_modules/@nomen'), join(folder, 'node_modules/@nomen'), 'dir')
  writeFiles(folder, { 'package.json': '{ "type": "module" }', ...files })
  return folder
}

export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}
