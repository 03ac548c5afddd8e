// Reports, queries, headers and diagrams on pages, which no command of a page prints, match the code.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checks, diff } from '@nomen/conventions'
import { api, identity, integer, noun, resource, text } from '@nomen/core'
import { openapi } from '@nomen/core/openapi'
import { blocksOf } from '@nomen/testing/markdown/block'
import { compare } from '@nomen/testing/markdown/shown'
import { expect, it } from 'vitest'
import { layers } from '../scripts/layers/table.ts'

const root = join(import.meta.dirname, '..')
const blocksIn = (page: string) => blocksOf(readFileSync(join(root, 'docs', page), 'utf8')).map(({ code }) => code)
const sourceOf = (file: string) => readFileSync(join(root, file), 'utf8')

it('architecture.md has diagrams with files and folders that exist', () => {
  const diagrams = blocksIn('architecture.md').slice(0, 2).join('')
  const paths = diagrams.match(/\b[a-z][\w-]*(?:\/[\w-]+)+(?:\.ts)?/g) ?? []
  expect(paths.length).toBeGreaterThan(10)
  const folders = ['', 'packages/server/src']
  expect(paths.filter((path) => !folders.some((folder) => existsSync(join(root, folder, path))))).toEqual([])
})

it('architecture.md has layers of which each is below the one that encloses it', () => {
  const [, , diagram = ''] = blocksIn('architecture.md')
  const rows = diagram.trimEnd().split('\n').map(layerRow)
  expect(rows.length).toBeGreaterThan(8)
  for (const [index, { indent, names }] of rows.entries()) {
    expect(names.filter((name) => depthOf(name) < 0)).toEqual([])
    const above = rows.slice(0, index).findLast((row) => row.indent < indent)?.names ?? []
    for (const name of names)
      for (const upper of above) expect(depthOf(name), `${name} below ${upper}`).toBeGreaterThan(depthOf(upper))
  }
})

/** The names of a line such as `  └ core: client mocks`, without its explanation. */
function layerRow(line: string) {
  const [, indent = '', box, text = ''] = /^( *)(?:└ )?(?:(server|core): )?(.+)$/.exec(line) ?? []
  const [list = ''] = text.split(/ {6,}/)
  return { indent: indent.length, names: list.split(/\s+/).map((name) => (box ? `${box} ${name}` : name)) }
}

const depthOf = (name: string) => layers.findIndex((layer) => name in layer)

it('check.md has failed checks with their descriptions', () => {
  const report = blocksIn('check.md').find((code) => code.startsWith('json-server at')) ?? ''
  const failures = [...report.matchAll(/^failed {2}(\S+) {2}\S+\n {2}(.+)\n {2}expected {2}.+\n {2}actual/gm)]
  expect(failures.length).toBe(report.match(/^failed/gm)?.length)
  for (const [, code = '', description] of failures) expect(checks).toHaveProperty([code, 0], description)
})

it('diff.md has the JSON of a difference', () => {
  const documentWith = (phone: ReturnType<typeof text> | ReturnType<typeof integer>) => {
    const user = noun('user', { id: identity(), phone })
    const resources = [resource(user, { offers: ['read'] })]
    return JSON.parse(
      JSON.stringify(openapi(api('directory', { versioning: 'per-noun', writes: 'nested', resources }))),
    )
  }
  const [page = ''] = blocksIn('diff.md').filter((code) => code.startsWith('{'))
  const { versioning, changes, requiredVersions } = diff(documentWith(text()), documentWith(integer()))
  const report = { isReleasable: false, apis: [{ name: 'directory', versioning, changes, requiredVersions }] }
  compare('json', page, JSON.stringify(report))
})

it('usage.md queries attributes that shipped lines have', () => {
  const sources = ['record', 'destination/otlp', 'destination/opensearch'].map((name) =>
    sourceOf(`packages/server/src/ship/${name}.ts`),
  )
  const [search = ''] = blocksIn('usage.md').filter((code) => code.startsWith('GET access-log/_search'))
  const query = JSON.parse(search.slice(search.indexOf('\n')))
  const [clickHouse = ''] = blocksIn('usage.md').filter((code) => code.startsWith('select LogAttributes'))
  const names = [
    ...[...JSON.stringify(query).matchAll(/"([@a-z_]+(?:\.[a-z_.]+)?)":(?=["{])|"field":"([^"]+)"/g)].map(
      ([, key = '', field = '']) => (key.includes('.') || key.startsWith('@') ? key : field),
    ),
    ...[...clickHouse.matchAll(/LogAttributes\['([^']+)'\]/g)].map(([, name = '']) => name),
  ].flatMap((name) => name.replace(/\.keyword$/, '') || [])
  expect(new Set(names).size).toBeGreaterThan(6)
  expect(names.filter((name) => !sources.some((source) => source.includes(`'${name}'`)))).toEqual([])
})

it('usage.md has a Loki pattern that reads the line of a request', () => {
  const [query = ''] = blocksIn('usage.md').filter((code) => code.includes('{service_name='))
  const [, pattern = ''] = /\| pattern `(.+)`/.exec(query) ?? []
  const [, target = ''] = /target =~ `(.+?)`/.exec(query) ?? []
  // <_> and <name> match anything up to the next text.
  const expression = pattern
    .replaceAll(/[[\]().?*+^$]/g, '\\$&')
    .replaceAll(/<(\w+)>/g, (_, name) => (name === '_' ? '.*?' : `(?<${name}>.*?)`))
  const [line = ''] = blocksIn('observability.md').filter((code) => code.startsWith('127.0.0.1:'))
  const { groups = {} } = new RegExp(`^${expression}`).exec(line) ?? {}
  expect(groups).toMatchObject({ method: 'GET', target: '/v1/user/7', status: '200', agent: 'billing/2.1' })
  expect('/user/7?fields=id').toMatch(new RegExp(`^${target}$`))
})

it('console.md has a policy with directives of the console', () => {
  const [header = ''] = blocksIn('console.md').filter((code) => code.startsWith('Content-Security-Policy: '))
  const directives = header
    .slice(header.indexOf(': ') + 2)
    .trim()
    .split('; ')
  const source = sourceOf('packages/server/src/http/page/console.ts')
  expect(directives).toHaveLength(2)
  for (const directive of directives) expect(source).toMatch(new RegExp(`["']${directive.split(' ')[0]}\\b`))
  expect(source).toContain(`"${directives[1]}"`)
})
