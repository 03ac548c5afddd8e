/** The layers check: imports point down, never sideways, never in a circle. Type-only imports count. */
import { isBuiltin } from 'node:module'
import { matchesGlob, posix } from 'node:path'
import { circles } from './layers/circles.ts'
import { type Import, importsOf } from './layers/imports-of.ts'
import { isRelative, isTest, packageOf, type Workspace, workspace } from './layers/workspace.ts'

/** The folders of a package, as patterns. */
const core = (...folders: string[]): string[] => folders.map((folder) => `packages/core/src/${folder}/**`)
const server = (...folders: string[]): string[] => folders.map((folder) => `packages/server/src/${folder}/**`)

/**
 * From top to bottom. A file may import its own box and the boxes of lower layers; boxes of one layer are siblings.
 * Where several patterns fit a file, the longest one counts. Tests lie above everything.
 */
export const layers: readonly Readonly<Record<string, readonly string[]>>[] = [
  { cli: ['packages/cli/**'], 'apps/*': ['apps/**'], bench: ['bench/**'], scripts: ['scripts/**'] },
  { testing: ['testing/**'] },
  { server: ['packages/server/**'], conventions: ['packages/conventions/**'] },
  { 'server http': server('http'), 'server ship': server('ship') },
  { 'server pipeline': server('pipeline'), 'server bulk': server('bulk') },
  { 'server auth': server('auth'), 'server observe': server('observe') },
  { 'server define': server('define') },
  { 'server store/open': server('store/open') },
  { 'server store/sqlite': server('store/sqlite'), 'server store/postgres': server('store/postgres') },
  { 'server store/sql': server('store/sql') },
  { 'server store/bulk': server('store/bulk') },
  { 'server store/migrate': server('store/migrate') },
  { 'server store': server('store') },
  { 'server trace': server('observe/trace') },
  { 'server metrics': server('observe/metrics') },
  { 'server message': server('message') },
  { 'server foundation': server('foundation') },
  {
    'core index': ['packages/core/src/index.ts'],
    'core bulk': core('bulk'),
    'core client': core('client'),
    'core openapi': core('openapi'),
    'core mocks': core('mocks'),
    'core usage': core('usage'),
  },
  { 'core operation': core('operation') },
  { 'core api': core('api') },
  { 'core resource': core('resource') },
  { 'core noun': core('noun') },
  { 'core wire': core('wire') },
  { 'core declaration': core('declaration') },
  { 'core naming': core('naming') },
  { 'core field': core('field') },
]

type Reservation = {
  inside: string
  modules: string[]
  only: string[]
  /** Imports of types alone are left alone. */
  areTypesFree?: boolean
  /** Entry points that every file may import. */
  free?: string[]
  because: string
}

/** Modules that only some files of a package may import, tests apart. */
const reserved: Reservation[] = [
  { inside: 'packages/core/**', modules: ['node:*'], only: [], because: 'core runs anywhere' },
  {
    inside: 'packages/core/**',
    modules: ['msw', 'msw/*'],
    only: ['packages/core/src/mocks/**'],
    because: 'only mocks need msw',
  },
  {
    inside: 'packages/server/**',
    modules: ['pg', 'node:sqlite'],
    only: ['packages/server/src/store/**'],
    because: 'only the store knows SQL',
  },
  {
    inside: 'packages/server/**',
    modules: ['fastify', '@fastify/*'],
    only: ['packages/server/src/fastify.ts', 'packages/server/src/http/fastify-adapter.ts'],
    because: 'only the Fastify adapter knows the framework',
  },
  {
    inside: 'apps/console/**',
    modules: ['@nomen/*'],
    only: [],
    areTypesFree: true,
    free: ['@nomen/core/bulk', '@nomen/core/openapi'],
    because:
      'the console knows services by HTTP alone; it may read documents and files, and types are gone when it runs',
  },
]

type Box = { name: string; depth: number }
type Breach = { at: string; imports: string; rule: string; fix: string }

/** Every breach in the repository below a root folder. */
export function breaches(root: string): Breach[] {
  const space = workspace(root)
  const found: Breach[] = []
  const graph = new Map<string, string[]>()
  for (const file of space.files) {
    const targets = new Set<string>()
    if (!boxOf(file))
      found.push({
        at: file,
        imports: '',
        rule: 'it lies in no layer',
        fix: 'move it into a folder that the table of scripts/layers.ts names',
      })
    for (const { specifier, line, isType } of importsOf(posix.join(root, file))) {
      const target = space.resolve(file, specifier)
      if (target) targets.add(target)
      const breach = breachOf(space, file, { specifier, isType }, target)
      if (breach) found.push({ at: `${file}:${line}`, imports: target ?? specifier, ...breach })
    }
    graph.set(file, [...targets])
  }
  for (const circle of circles(graph)) {
    found.push({
      at: circle[0] ?? '',
      imports: circle.slice(1).join('\n    which imports '),
      rule: 'no circles, type-only ones included',
      fix: 'move what both need into a file below them, or pass it as a parameter',
    })
  }
  return found
}

type Fault = Pick<Breach, 'rule' | 'fix'> | undefined

function breachOf(
  space: Workspace,
  file: string,
  { specifier, isType }: Omit<Import, 'line'>,
  target: string | undefined,
): Fault {
  if (isRelative(specifier)) {
    const home = space.homeOf(file)
    if (target && space.homeOf(target) !== home) {
      return { rule: `a relative import stays in ${home}`, fix: 'import the other package by its name' }
    }
  } else {
    const fault = reservedFault(file, specifier, isType) ?? undeclaredFault(space, file, specifier)
    if (fault) return fault
  }
  return target ? directionFault(file, target) : undefined
}

function reservedFault(file: string, specifier: string, isType: boolean): Fault {
  if (isTest(file)) return undefined
  const name = isBuiltin(specifier) ? `node:${specifier.replace('node:', '')}` : packageOf(specifier)
  const rule = reserved.find(({ inside, modules, only, areTypesFree, free = [] }) => {
    const isFree = (isType && areTypesFree) || free.includes(specifier)
    return fits(file, [inside]) && fits(name, modules) && !fits(file, only) && !isFree
  })
  if (!rule) return undefined
  const places = rule.only.length > 0 ? `move it into ${rule.only.join(' or ')}, or` : 'do without, or'
  return { rule: rule.because, fix: `${places} take what it gives as a parameter` }
}

function undeclaredFault(space: Workspace, file: string, specifier: string): Fault {
  const name = packageOf(specifier)
  if (isBuiltin(specifier) || space.declares(file, name)) return undefined
  const home = space.homeOf(file)
  return {
    rule: `${home} does not declare ${name}`,
    fix: `add it to the dependencies in ${home === 'scripts' ? 'package.json' : `${home}/package.json`}`,
  }
}

function directionFault(file: string, target: string): Fault {
  if (isTest(file)) return undefined
  if (isTest(target)) return { rule: 'only tests import tests', fix: 'move what is shared out of the test' }
  const from = boxOf(file)
  const to = boxOf(target)
  if (!from || !to || from.name === to.name || from.depth < to.depth) return undefined
  if (from.depth === to.depth) {
    return {
      rule: `${from.name} and ${to.name} are siblings, and siblings do not import each other`,
      fix: 'move what both need into a layer below them',
    }
  }
  return {
    rule: `imports point down, and ${to.name} lies above ${from.name}`,
    fix: `take it as a parameter, or move it into a lower layer`,
  }
}

function boxOf(file: string): Box | undefined {
  if (isTest(file)) return { name: 'tests', depth: -1 }
  const boxes = layers.flatMap((layer, depth) =>
    Object.entries(layer).flatMap(([name, patterns]) => patterns.map((pattern) => ({ name, depth, pattern }))),
  )
  const [best] = boxes
    .filter(({ pattern }) => matchesGlob(file, pattern))
    .sort((a, b) => b.pattern.length - a.pattern.length)
  return best && { name: best.name.replace('*', file.split('/')[1] ?? ''), depth: best.depth }
}

function fits(name: string, patterns: string[]): boolean {
  return patterns.some((pattern) => matchesGlob(name, pattern))
}

if (import.meta.main) {
  const root = process.argv[2] ?? posix.join(import.meta.dirname, '..')
  const found = breaches(root)
  for (const { at, imports, rule, fix } of found) {
    console.error(`${at}${imports && ` imports ${imports}`}\n  rule: ${rule}\n  fix: ${fix}\n`)
  }
  console.log(
    found.length === 0 ? 'The layers hold.' : `${found.length} breach${found.length === 1 ? '' : 'es'} of the layers.`,
  )
  if (found.length > 0) process.exitCode = 1
}
