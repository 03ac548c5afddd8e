// docs/declarations.md has every field type, every modifier and every option of a declaration, and no other.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { reference } from '@nomen/core'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const page = read('docs/declarations.md')

/** The first words of the code in the first column of the table below a heading. */
function namesBelow(heading: string): readonly string[] {
  const [, section = ''] = page.split(`\n## ${heading}\n`)
  const [table = ''] = section.split('\n## ')
  const cells = [...table.matchAll(/^\| (`.*?`) \|/gm)].map(([, cell = '']) => cell)
  const names = cells.flatMap((cell) => [...cell.matchAll(/(?:^|, )`(\w+)/g)].map(([, name = '']) => name))
  return [...new Set(names)].sort()
}

it('lists every modifier of a field', () => {
  const modifiers = Object.keys(reference(() => ({}))).filter((name) => name !== 'spec')
  expect(namesBelow('Field modifiers')).toEqual(modifiers.sort())
})

it('lists every function that declares a field', () => {
  const sources = ['kinds.ts', 'managed-kinds.ts'].map((file) => read(`packages/core/src/field/${file}`)).join('')
  const declared = sources.matchAll(/^export function (\w+)/gm)
  expect(namesBelow('Field types')).toEqual([...new Set([...declared].map(([, name]) => name))].sort())
})

it.each([
  ['Nouns', 'packages/core/src/noun/noun-option.ts', 'NounOptions', []],
  ['Links', 'packages/core/src/noun/link.ts', 'LinkOptions', []],
  ['Resources', 'packages/core/src/resource/resource.ts', 'ResourceOptions', ['rename']],
  ['Apis', 'packages/core/src/api/api-option.ts', 'ApiOptions', []],
  ['Services', 'packages/server/src/define/service-options.ts', 'ServiceOptions', []],
])('lists every option of %s', (heading, file, type, more) => {
  const source = read(file)
  const [body = ''] = source.slice(source.indexOf(`export interface ${type}`)).split('\n}\n')
  const options = [...body.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, name = '']) => name)
  expect(namesBelow(heading)).toEqual([...options, ...more].sort())
})
