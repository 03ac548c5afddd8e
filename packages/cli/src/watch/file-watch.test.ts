import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { FileWatch } from './file-watch.ts'

it('sees changes in a folder that was deleted and created again', async () => {
  const root = mkdtempSync(join(tmpdir(), 'nomen-watch-'))
  const folder = join(root, 'src')
  const file = join(folder, 'noun.ts')
  mkdirSync(folder)
  writeFileSync(file, '')
  let changes: string[] = []
  const watch = new FileWatch((changed) => changes.push(changed))
  onTestFinished(() => {
    watch.close()
    rmSync(root, { recursive: true })
  })
  watch.add([file])
  rmSync(folder, { recursive: true })
  await expect.poll(() => changes).toContain(file)
  mkdirSync(folder)
  await expect.poll(() => changes).toContain(folder)
  changes = []
  writeFileSync(file, 'export {}')
  await expect.poll(() => changes).toContain(file)
})
