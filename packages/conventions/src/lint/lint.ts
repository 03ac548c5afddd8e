/** Lints OpenAPI documents and declarations by one set of rules. */
import type { AnyApi } from '@nomen/core'
import { readFiles } from './document-files.ts'
import { follower } from './document-node.ts'
import { documentSurface } from './document-surface.ts'
import { declaredIgnores, type Ignores, readIgnores } from './ignore.ts'
import { lineOf } from './line.ts'
import { keyOf } from './place.ts'
import { pluralJudge } from './plural.ts'
import type { Breach, Severity } from './rule/rule.ts'
import { checks, type RuleInfo, rules, upkeep } from './rule/rules.ts'
import type { Surface } from './surface.ts'
import { tableSurface } from './table-surface.ts'
import { viewOf } from './view.ts'

export interface LintOptions {
  /** Words that are taken for singular, whatever they look like. */
  readonly dictionary?: readonly string[]
  /** Codes of rules that do not count. */
  readonly ignore?: readonly string[]
}

export interface Finding {
  readonly code: string
  readonly severity: Severity
  readonly file: string
  /** Absent where the lines are not known, as for declarations. */
  readonly line?: number
  readonly column?: number
  /** A JSON pointer into the file; of declarations `/directory/user.list`: the api and the operation. */
  readonly pointer: string
  /** What is wrong, with the real value. */
  readonly message: string
  readonly mend: string
  /** The command that explains the rule. */
  readonly explain: string
}

export interface IgnoredFinding extends Finding {
  readonly reason: string
}

export interface LintReport {
  readonly findings: readonly Finding[]
  /** What the document or the declaration itself asks to have ignored, with its reasons. */
  readonly ignored: readonly IgnoredFinding[]
  readonly numberOfOperations: number
}

/** Lints the OpenAPI document at a path or an http(s) address, with all files that it refers to. */
export async function lintDocument(source: string, options: LintOptions = {}): Promise<LintReport> {
  const files = await readFiles(source)
  const missed: Breach[] = []
  const follow = follower(files, ({ place }, reference) => {
    const message = `The reference "${reference}" leads nowhere, so nothing behind it is linted.`
    missed.push({ place, message, mend: 'Let it lead to something that is there.' })
  })
  const surface = documentSurface({ place: { file: files.root, pointer: '' }, value: files.root.parsed }, follow)
  const ignores = readIgnores(files, new Set(rules.map(({ code }) => code)))
  const found = breachesOf(surface, options)
  // Shapes are read when a rule looks at them, so that only now all references have been followed.
  const unresolved = missed.map((breach) => ({ rule: upkeep.unresolved, breach }))
  const invalid = ignores.invalid.map((breach) => ({ rule: upkeep.invalid, breach }))
  return reportOf(surface.operations.length, [...found, ...unresolved, ...invalid], options, ignores)
}

/** Lints declared apis; `file` stands for them in the findings. */
export function lintApis(apis: readonly AnyApi[], file: string, options: LintOptions = {}): LintReport {
  const surfaces = apis.map((api) => tableSurface(api, { name: file }))
  const count = surfaces.reduce((sum, { operations }) => sum + operations.length, 0)
  const ignores = declaredIgnores(apis, { name: file }, new Set(rules.map(({ code }) => code)))
  const found = surfaces.flatMap((surface) => breachesOf(surface, options))
  const invalid = ignores.invalid.map((breach) => ({ rule: upkeep.invalid, breach }))
  return reportOf(count, [...found, ...invalid], options, ignores)
}

interface Found {
  readonly rule: Pick<RuleInfo, 'code' | 'severity'>
  readonly breach: Breach
}

function breachesOf(surface: Surface, { dictionary = [] }: LintOptions): Found[] {
  const view = viewOf(surface, pluralJudge([...dictionary, ...(surface.singular ?? [])]))
  return checks.flatMap((rule) => [...rule.check(view)].map((breach) => ({ rule, breach })))
}

function reportOf(
  numberOfOperations: number,
  found: readonly Found[],
  { ignore = [] }: LintOptions,
  ignores: Ignores,
): LintReport {
  const silent = new Set(ignore)
  const findings: Finding[] = []
  const ignored: IgnoredFinding[] = []
  const add = ({ rule, breach }: Found) => {
    const finding = findingOf(rule, breach)
    const reason = ignores.reasonFor(rule.code, breach.place)
    if (reason !== undefined) ignored.push({ ...finding, reason })
    else if (!silent.has(rule.code)) findings.push(finding)
  }
  for (const one of distinct(found)) add(one)
  for (const breach of ignores.unused()) add({ rule: upkeep.unused, breach })
  return { findings: findings.sort(byPlace), ignored: ignored.sort(byPlace), numberOfOperations }
}

/** A place that many operations share breaks a rule once. */
function distinct(found: readonly Found[]): Iterable<Found> {
  const byKey = new Map<string, Found>()
  for (const one of found) {
    const key = `${one.rule.code} ${keyOf(one.breach.place)} ${needsMessage(one) ? one.breach.message : ''}`
    if (!byKey.has(key)) byKey.set(key, one)
  }
  return byKey.values()
}

/** Several segments of one path stand at one place. */
function needsMessage({ rule }: Found): boolean {
  return rule.code.endsWith('-segment')
}

function findingOf({ code, severity }: Found['rule'], { place, message, mend }: Breach): Finding {
  const { pointer, file } = place
  return { code, severity, file: file.name, ...lineOf(place), pointer, message, mend, explain: explainCommand(code) }
}

function explainCommand(code: string): string {
  return `nomen lint --explain ${code}`
}

/** Equal ones stay in the order of the rules. */
function byPlace(a: Finding, b: Finding): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1
  return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0)
}
