import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { lintSources } from './lint.ts'

it('a link without a target does not match a pattern', () => {
  const folder = mkdtempSync(join(tmpdir(), 'nomen-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'a.yaml'), '')
  symlinkSync(join(folder, 'nowhere'), join(folder, 'b.yaml'))
  const pattern = join(folder, '*.yaml').replaceAll('\\', '/')
  expect(lintSources([pattern]).map(({ name }) => name)).toEqual([join(folder, 'a.yaml')])
})
