// The compressed size of the first view.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { builtConsole as folder } from './built.ts'

/** The page and its files: everything that the first list needs. */
function firstView(): readonly string[] {
  const page = readFileSync(join(folder, 'index.html'), 'utf8')
  const fileNames = [...page.matchAll(/(?:src|href)="\.\/([^"]+\.(?:js|css))"/g)].map(([, name]) => name as string)
  return ['index.html', ...fileNames]
}

it('is smaller than 250 KiB', () => {
  const files = firstView()
  expect(files.length).toBeGreaterThan(3)
  const weight = files.reduce((sum, name) => sum + readFileSync(join(folder, `${name}.gz`)).length, 0)
  expect(weight).toBeLessThan(250 * 1024)
})

it.each([
  ['the overview', 'noun-cards'],
  ['the usage', 'cell-button'],
  ['the diagram', 'box-field'],
  ['the sign-in at a provider', 'code_challenge'],
  ['German', 'Abbrechen'],
])('loads %s only when it is needed', (_, text) => {
  const files = globSync('**/*.js', { cwd: folder }).filter((name) =>
    readFileSync(join(folder, name), 'utf8').includes(text),
  )
  expect(files.length).toBeGreaterThan(0)
  expect(firstView().filter((name) => files.includes(name))).toEqual([])
})
