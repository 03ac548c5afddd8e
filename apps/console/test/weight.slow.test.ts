// The compressed size of the first view.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { builtConsole as folder } from './built.ts'

const scripts = new Map(
  globSync('assets/*.js', { cwd: folder }).map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
)

/** The page and its files: everything that the first list needs. */
function listFiles(): readonly string[] {
  const page = readFileSync(join(folder, 'index.html'), 'utf8')
  const fileNames = [...page.matchAll(/(?:src|href)="\.\/([^"]+\.(?:js|css))"/g)].map(([, name]) => name as string)
  return ['index.html', ...fileNames]
}

/** The files of a list, and those of a view that is loaded by itself: its script, and everything that it imports. */
function viewFiles(text: string): readonly string[] {
  const files = new Set(listFiles())
  const add = (name: string) => {
    if (files.has(name)) return
    files.add(name)
    for (const [, imported] of scripts.get(name)?.matchAll(/from"\.\/([^"]+\.js)"/g) ?? []) add(`assets/${imported}`)
  }
  for (const name of scriptsWith(text)) add(name)
  // A style sheet has the name of the script that it is loaded with.
  const styles = globSync('assets/*.css', { cwd: folder })
  const nameOf = (file: string) => file.replace(/-[^-]{8}\.\w+$/, '')
  for (const style of styles) if ([...files].some((file) => nameOf(file) === nameOf(style))) files.add(style)
  return [...files]
}

function scriptsWith(text: string): readonly string[] {
  return [...scripts].flatMap(([name, script]) => (script.includes(text) ? [name] : []))
}

describe('the first view is smaller than 250 KiB', () => {
  it.each([
    ['a list', listFiles, 4],
    ['the overview', () => viewFiles('noun-cards'), 8],
  ] as const)('%s', (_, files, minCount) => {
    const names = files()
    expect(names.length).toBeGreaterThanOrEqual(minCount)
    const weight = names.reduce((sum, name) => sum + readFileSync(join(folder, `${name}.gz`)).length, 0)
    expect(weight).toBeLessThan(250 * 1024)
  })
})

it.each([
  ['the overview', 'noun-cards'],
  ['the usage', 'cell-button'],
  ['the diagram', 'box-field'],
  ['the sign-in at a provider', 'code_challenge'],
  ['German', 'Abbrechen'],
])('loads %s only when it is needed', (_, text) => {
  const names = scriptsWith(text)
  expect(names.length).toBeGreaterThan(0)
  expect(listFiles().filter((name) => names.includes(name))).toEqual([])
})
