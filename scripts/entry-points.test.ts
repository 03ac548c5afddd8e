// exports.txt lists the entry points of every package and their exports, so that a review shows changes.
import { expect, it } from 'vitest'
import { type EntryPoint, entryPoints } from './documentation/entry-points.ts'
import { exportsOf } from './documentation/exports.ts'

it('export the names that exports.txt lists', async () => {
  await expect(`${entryPoints.map(section).join('\n\n')}\n`).toMatchFileSnapshot('exports.txt')
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
