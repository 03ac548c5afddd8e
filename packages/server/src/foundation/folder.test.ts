import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { makeFolder, makeFolderSync } from './folder.ts'

describe.each([
  ['makeFolder', makeFolder],
  ['makeFolderSync', async (path: string) => makeFolderSync(path)],
])('%s', (_, make) => {
  it('makes a folder with all above it, and does not mind one that is there', async () => {
    const root = mkdtempSync(join(tmpdir(), 'nomen-folder-'))
    onTestFinished(() => rmSync(root, { recursive: true }))
    const path = join(root, 'a/b/c')
    await make(path)
    await make(path)
    expect(statSync(path).isDirectory()).toBe(true)
  })

  it.skipIf(process.platform !== 'linux')('gives up where no folder can be made', async () => {
    await expect(make('/proc/none/below')).rejects.toThrow(/ENOENT/)
  })

  it('does not take a file for a folder', async () => {
    await expect(make(join(import.meta.filename, 'below'))).rejects.toThrow(/ENOTDIR/)
  })
})
