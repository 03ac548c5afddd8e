/** Lints OpenAPI documents and declarations by one set of rules. */
import type { AnyApi } from '@nomen/core'
import { type OpenApiTable, readOpenApi } from '@nomen/core/openapi'
import { declaredTable } from './declared-table.ts'
import { type DocumentFiles, readFiles } from './document/files.ts'
import { lineOf } from './document/line.ts'
import { brokenReferences, fileReferences, locator } from './document/references.ts'
import { type Exceptions, withExceptions } from './exception-file.ts'
import { byPlace, type Finding, type IgnoredFinding, type LintReport } from './finding.ts'
import { declaredIgnores, type Ignores, readIgnores } from './ignore.ts'
import { keyOf, type LintFile, type Place } from './place.ts'
import type { Breach, PlacedBreach } from './rule/rule.ts'
import { checks, type RuleInfo, rules, upkeep } from './rule/rules.ts'
import { viewOf } from './view.ts'
import { pluralJudge } from './word/plural.ts'

export interface LintOptions {
  /** Words that are taken for singular, whatever they look like. */
  readonly dictionary?: readonly string[]
  /** Codes of rules that do not count. */
  readonly ignore?: readonly string[]
  /** What `readExceptions` has read. */
  readonly exceptions?: Exceptions
}

/** Lints the OpenAPI document at a path or an http(s) address, with all files that it refers to. */
export async function lintDocument(source: string, options: LintOptions = {}): Promise<LintReport> {
  return lintFiles(await readFiles(source), options)
}

/** Lints a document that is at hand as text; `name` stands for it, and its references lead on from there. */
export async function lintDocumentText(text: string, name: string, options: LintOptions = {}): Promise<LintReport> {
  return lintFiles(await readFiles(name, text), options)
}

function lintFiles(files: DocumentFiles, options: LintOptions): LintReport {
  const table = readOpenApi(files.root.parsed, { resolve: fileReferences(files) })
  const ignores = ignoresOf(readIgnores(files, codes), files.all, options)
  const unresolved = [...brokenReferences(files)].map((breach) => ({ rule: upkeep.unresolved, breach }))
  const breaches = placed([...breachesOf(table, options), ...unresolved], locator(files))
  const count = table.operations.length + table.messages.length
  return reportOf(files.root.name, count, breaches, options, ignores)
}

/** Lints declared apis; `file` stands for them in the findings. */
export function lintApis(apis: readonly AnyApi[], file: string, options: LintOptions = {}): LintReport {
  const tables = apis.map((api) => declaredTable(api, { name: file }))
  const count = tables.reduce((sum, { table }) => sum + table.operations.length, 0)
  const ignores = ignoresOf(declaredIgnores(apis, { name: file }, codes), [{ name: file }], options)
  const breaches = tables.flatMap(({ table, singular, locate }) => placed(breachesOf(table, options, singular), locate))
  return reportOf(file, count, breaches, options, ignores)
}

const codes: ReadonlySet<string> = new Set(rules.map(({ code }) => code))

function ignoresOf(own: Ignores, files: readonly LintFile[], { exceptions }: LintOptions): Ignores {
  return exceptions ? withExceptions(own, exceptions, files, codes) : own
}

interface Found<Kind extends Breach | PlacedBreach = PlacedBreach> {
  readonly rule: Pick<RuleInfo, 'code' | 'severity'>
  readonly breach: Kind
}

function breachesOf(
  table: OpenApiTable,
  { dictionary = [] }: LintOptions,
  singular: readonly string[] = [],
): Found<Breach>[] {
  const view = viewOf(table, pluralJudge([...dictionary, ...singular]))
  return checks.flatMap((rule) => [...rule.check(view)].map((breach) => ({ rule, breach })))
}

function placed(breaches: readonly Found<Breach>[], locate: (pointer: string) => Place): Found[] {
  return breaches.map(({ rule, breach: { pointer, message, fix } }) => {
    return { rule, breach: { place: locate(pointer), message, fix } }
  })
}

function reportOf(
  source: string,
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
    const exception = ignores.exceptionFor(rule.code, breach.place)
    if (exception) ignored.push({ ...finding, reason: exception.reason, exception: positionOf(exception.place) })
    else if (!silent.has(rule.code)) findings.push(finding)
  }
  for (const one of distinct(found)) add(one)
  for (const breach of ignores.invalid) add({ rule: upkeep.invalid, breach })
  for (const breach of ignores.unused()) add({ rule: upkeep.unused, breach })
  return { sources: [source], findings: findings.sort(byPlace), ignored: ignored.sort(byPlace), numberOfOperations }
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

function findingOf({ code, severity }: Found['rule'], { place, message, fix }: PlacedBreach): Finding {
  const { file, pointer } = positionOf(place)
  return { code, severity, file, ...lineOf(place), pointer, message, fix, explain: explainCommand(code) }
}

function positionOf({ file, pointer }: Place) {
  return { file: file.name, pointer }
}

function explainCommand(code: string): string {
  return `nomen lint --explain ${code}`
}
