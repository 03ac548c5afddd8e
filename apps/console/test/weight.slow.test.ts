// What the first view weighs, as it travels.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { builtConsole } from './built.ts'

/** The page, and all that it names: nothing else is needed before the first list is drawn. */
function firstView(folder: string): readonly string[] {
  const page = readFileSync(join(folder, 'index.html'), 'utf8')
  const named = [...page.matchAll(/(?:src|href)="\.\/([^"]+\.(?:js|css))"/g)].map(([, name]) => name as string)
  return ['index.html', ...named]
}

it('weighs less than 250 KiB', () => {
  const folder = builtConsole()
  const files = firstView(folder)
  expect(files.length).toBeGreaterThan(3)
  const weight = files.reduce((sum, name) => sum + readFileSync(join(folder, `${name}.gz`)).length, 0)
  expect(weight).toBeLessThan(250 * 1024)
})

it('leaves charts to those who look at usage', () => {
  const folder = builtConsole()
  const first = firstView(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
  expect(first.some((text) => text.includes('recharts-surface'))).toBe(false)
})
