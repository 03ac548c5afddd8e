/**
 * The layers check: imports point down, never to a sibling, and never form a cycle. Type-only imports count.
 * It also fails on a test file that is too long.
 */
import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { matchesGlob, posix } from 'node:path'
import { findCycles } from './layers/circles.ts'
import { type Import, importsOf } from './layers/imports-of.ts'
import { layers, reserved } from './layers/table.ts'
import { isRelative, isTest, packageOf, type Workspace, workspace } from './layers/workspace.ts'

/** A longer test file covers more than one topic. */
const maxTestLines = 400

type Box = { name: string; depth: number }
type Breach = { location: string; imports: string; rule: string; fix: string }

/** Every breach in the repository below a root folder. */
export function breaches(root: string): Breach[] {
  const repository = workspace(root)
  const breachList: Breach[] = []
  const graph = new Map<string, string[]>()
  for (const file of repository.files) {
    const targets = new Set<string>()
    if (!boxOf(file))
      breachList.push({
        location: file,
        imports: '',
        rule: 'it is not in a layer',
        fix: 'move it into a folder of the table in scripts/layers/table.ts',
      })
    for (const { specifier, line, isType } of importsOf(posix.join(root, file))) {
      const target = repository.resolve(file, specifier)
      if (target) targets.add(target)
      const breach = breachOf(repository, file, { specifier, isType }, target)
      if (breach) breachList.push({ location: `${file}:${line}`, imports: target ?? specifier, ...breach })
    }
    graph.set(file, [...targets])
  }
  for (const cycle of findCycles(graph)) {
    breachList.push({
      location: cycle[0] ?? '',
      imports: cycle.slice(1).join('\n    that imports '),
      rule: 'no import cycles, type-only ones included',
      fix: 'move shared code into a file below them, or pass it as a parameter',
    })
  }
  for (const file of repository.testFiles) {
    const lines = readFileSync(posix.join(root, file), 'utf8').split('\n').length - 1
    if (lines > maxTestLines) {
      breachList.push({
        location: `${file}:${lines}`,
        imports: '',
        rule: `a test file has at most ${maxTestLines} lines`,
        fix: 'split it by topic',
      })
    }
  }
  return breachList
}

type Fault = Pick<Breach, 'rule' | 'fix'> | undefined

function breachOf(
  repository: Workspace,
  file: string,
  { specifier, isType }: Omit<Import, 'line'>,
  target: string | undefined,
): Fault {
  if (isRelative(specifier)) {
    const folder = repository.folderOf(file)
    if (target && repository.folderOf(target) !== folder) {
      return { rule: `a relative import stays in ${folder}`, fix: 'import the other package by its name' }
    }
  } else {
    const fault = reservedFault(file, specifier, isType) ?? undeclaredFault(repository, file, specifier)
    if (fault) return fault
  }
  return target ? directionFault(file, target) : undefined
}

function reservedFault(file: string, specifier: string, isType: boolean): Fault {
  if (isTest(file)) return undefined
  const name = isBuiltin(specifier) ? `node:${specifier.replace('node:', '')}` : packageOf(specifier)
  const rule = reserved.find(({ inside, modules, only, areTypesFree, freeEntryPoints = [] }) => {
    const isFree = (isType && areTypesFree) || freeEntryPoints.includes(specifier)
    return matches(file, [inside]) && matches(name, modules) && !matches(file, only) && !isFree
  })
  if (!rule) return undefined
  const advice = rule.only.length > 0 ? `move it into ${rule.only.join(' or ')}, or` : 'remove it, or'
  return { rule: rule.reason, fix: `${advice} pass it as a parameter` }
}

function undeclaredFault(repository: Workspace, file: string, specifier: string): Fault {
  const name = packageOf(specifier)
  if (isBuiltin(specifier) || repository.declares(file, name)) return undefined
  const folder = repository.folderOf(file)
  return {
    rule: `${folder} does not declare ${name}`,
    fix: `add it to the dependencies in ${folder === 'scripts' ? 'package.json' : `${folder}/package.json`}`,
  }
}

function directionFault(file: string, target: string): Fault {
  if (isTest(file)) return undefined
  if (isTest(target)) return { rule: 'only tests import tests', fix: 'move the shared code out of the test' }
  const from = boxOf(file)
  const to = boxOf(target)
  if (!from || !to || from.name === to.name || from.depth < to.depth) return undefined
  if (from.depth === to.depth) {
    return {
      rule: `${from.name} and ${to.name} are siblings, and siblings do not import each other`,
      fix: 'move shared code into a layer below them',
    }
  }
  return {
    rule: `imports point down, and ${to.name} is above ${from.name}`,
    fix: `pass it as a parameter, or move it into a lower layer`,
  }
}

function boxOf(file: string): Box | undefined {
  if (isTest(file)) return { name: 'tests', depth: -1 }
  const boxes = layers.flatMap((layer, depth) =>
    Object.entries(layer).flatMap(([name, patterns]) => patterns.map((pattern) => ({ name, depth, pattern }))),
  )
  const [longestMatch] = boxes
    .filter(({ pattern }) => matchesGlob(file, pattern))
    .sort((a, b) => b.pattern.length - a.pattern.length)
  return longestMatch && { name: longestMatch.name.replace('*', file.split('/')[1] ?? ''), depth: longestMatch.depth }
}

function matches(name: string, patterns: string[]): boolean {
  return patterns.some((pattern) => matchesGlob(name, pattern))
}

if (import.meta.main) {
  const root = process.argv[2] ?? posix.join(import.meta.dirname, '..')
  const breachList = breaches(root)
  for (const { location, imports, rule, fix } of breachList) {
    console.error(`${location}${imports && ` imports ${imports}`}\n  rule: ${rule}\n  fix: ${fix}\n`)
  }
  console.log(
    breachList.length === 0
      ? 'All imports follow the layers, and no test file is too long.'
      : `${breachList.length} finding${breachList.length === 1 ? '' : 's'}.`,
  )
  if (breachList.length > 0) process.exitCode = 1
}
