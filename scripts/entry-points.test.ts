// exports.txt lists the entry points of every package and their exports, so that a review shows changes.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type EntryPoint, entryPoints } from './documentation/entry-points.ts'
import { exportsOf } from './documentation/exports.ts'

it('export the names that exports.txt lists', async () => {
  await expect(`${entryPoints.map(section).join('\n\n')}\n`).toMatchFileSnapshot('exports.txt')
})

it('include those of every package', () => {
  const folder = join(import.meta.dirname, '../packages')
  const expected = readdirSync(folder).flatMap((name) => {
    const { name: packageName, exports } = JSON.parse(readFileSync(join(folder, name, 'package.json'), 'utf8'))
    const sources = Object.entries(exports).filter(([, entry]) => typeof entry !== 'string')
    return sources.map(([path]) => `${packageName}${path.slice(1)}`)
  })
  expect(entryPoints.map(({ name }) => name).toSorted()).toEqual(expected.toSorted())
})

function section({ name, file }: EntryPoint): string {
  const exported = exportsOf(file)
  const values = exported.filter(({ isType }) => !isType)
  const types = exported.filter(({ isType }) => isType)
  return [name, ...list('values', values), ...list('types', types)].join('\n')
}

function list(title: string, exported: readonly { readonly name: string }[]): readonly string[] {
  const names = [...new Set(exported.map(({ name }) => name))]
  return names.length === 0 ? [] : [`  ${title}: ${names.toSorted().join(' ')}`]
}
