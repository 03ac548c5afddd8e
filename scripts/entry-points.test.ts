// The entry points of every package, and the names that each exports, as a file that a review sees change.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const packages = ['core', 'server', 'conventions']

it('export the names that exports.txt lists', async () => {
  const sections = await Promise.all(packages.flatMap((name) => entryPoints(name).map((entry) => section(name, entry))))
  await expect(`${sections.join('\n\n')}\n`).toMatchFileSnapshot('exports.txt')
})

type Entry = [path: string, file: string]

function entryPoints(name: string): Entry[] {
  const manifest = readFileSync(join(import.meta.dirname, '../packages', name, 'package.json'), 'utf8')
  const { exports } = JSON.parse(manifest) as { exports: Record<string, string> }
  return Object.entries(exports).filter(([, file]) => file.endsWith('.ts'))
}

async function section(name: string, [path, file]: Entry): Promise<string> {
  const source = join(import.meta.dirname, '../packages', name, file)
  const values = Object.keys(await import(source))
  const types = exportedNames(readFileSync(source, 'utf8').replace(/\/\*.*?\*\//gs, '')).filter(
    (exported) => !values.includes(exported),
  )
  return [`@nomen/${name}${path.slice(1)}`, ...listed('values', values), ...listed('types', types)].join('\n')
}

function exportedNames(text: string): string[] {
  expect(text).not.toMatch(/export (?:type )?\*/)
  const lists = [...text.matchAll(/export (?:type )?\{([^}]*)\}/g)].flatMap(([, names = '']) => names.split(','))
  const declared = [...text.matchAll(/export (?:interface|type|class|function|const) (\w+)/g)].map(
    ([, one = '']) => one,
  )
  return [...lists.map((name) => name.trim().replace(/^type |^.* as /, '')), ...declared].filter((name) => name !== '')
}

function listed(title: string, names: string[]): string[] {
  return names.length === 0 ? [] : [`  ${title}: ${names.toSorted().join(' ')}`]
}
