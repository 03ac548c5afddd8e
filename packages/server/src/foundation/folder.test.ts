import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { makeFolder, makeFolderSync } from './folder.ts'

describe.each([
  ['makeFolder', makeFolder],
  ['makeFolderSync', async (path: string) => makeFolderSync(path)],
])('%s', (_, make) => {
  it('creates a folder with its parents, and accepts an existing one', async () => {
    const root = mkdtempSync(join(tmpdir(), 'nomen-folder-'))
    onTestFinished(() => rmSync(root, { recursive: true }))
    const path = join(root, 'a/b/c')
    await make(path)
    await make(path)
    expect(statSync(path).isDirectory()).toBe(true)
  })

  it.skipIf(process.platform !== 'linux')('fails if the folder cannot be created', async () => {
    await expect(make('/proc/none/below')).rejects.toThrow(/ENOENT/)
  })

  it('does not accept a file as a folder', async () => {
    await expect(make(join(import.meta.filename, 'below'))).rejects.toThrow(/ENOTDIR/)
  })
})
