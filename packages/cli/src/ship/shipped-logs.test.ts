import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { shippedLogs } from './shipped-logs.ts'

it('a link without a target in the folder is not a log', () => {
  const folder = mkdtempSync(join(tmpdir(), 'nomen-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'a.log'), '')
  symlinkSync(join(folder, 'nowhere'), join(folder, 'b.log'))
  expect(shippedLogs(folder, true)).toEqual([join(folder, 'a.log')])
})
