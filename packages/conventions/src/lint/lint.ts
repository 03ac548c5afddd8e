/** Lints OpenAPI documents and declarations with the same rules. */
import { type AnyApi, type HiddenReference, hiddenReferences } from '@nomen/core'
import { type OpenApiTable, readOpenApi } from '@nomen/core/openapi'
import { declaredTable } from './declared-table.ts'
import { type DocumentFiles, readFiles } from './document/files.ts'
import { lineOf } from './document/line.ts'
import { brokenReferences, fileReferences, locator } from './document/references.ts'
import { type Exceptions, withExceptions } from './exception-file.ts'
import { byLocation, type Finding, type IgnoredFinding, type LintReport } from './finding.ts'
import { declaredIgnores, type Ignores, readIgnores } from './ignore.ts'
import { below, keyOf, type LintFile, type Location } from './location.ts'
import type { Breach, LocatedBreach } from './rule/rule.ts'
import { checks, type RuleInfo, rules, upkeep } from './rule/rules.ts'
import { viewOf } from './view.ts'
import { pluralJudge } from './word/plural.ts'

/** Options of a lint run. */
export interface LintOptions {
  /** Words that are singular although they look plural: `dictionary: ['news']`. */
  readonly dictionary?: readonly string[]
  /** Codes of rules to ignore. */
  readonly ignore?: readonly string[]
  /** Exceptions of `readExceptions`. */
  readonly exceptions?: Exceptions
}

/**
 * Lints an OpenAPI document from a path or a URL, with all files that it refers to.
 *
 * @example
 * ```ts
 * const report = await lintDocument('openapi.yaml')
 * console.log(humanReport(report))
 * ```
 *
 * @throws DocumentError if the document cannot be read
 */
export async function lintDocument(source: string, options: LintOptions = {}): Promise<LintReport> {
  return lintFiles(await readFiles(source), options)
}

/**
 * Lints an OpenAPI document from a text. `name` is its path or URL in findings and for references.
 *
 * @example
 * ```ts
 * const report = await lintDocumentText('openapi: 3.1.0', 'openapi.yaml')
 * ```
 *
 * @throws DocumentError if the document cannot be read
 */
export async function lintDocumentText(text: string, name: string, options: LintOptions = {}): Promise<LintReport> {
  return lintFiles(await readFiles(name, text), options)
}

function lintFiles(files: DocumentFiles, options: LintOptions): LintReport {
  const table = readOpenApi(files.root.parsed, { resolve: fileReferences(files) })
  const ignores = ignoresOf(readIgnores(files, codes), files.all, options)
  const unresolved = [...brokenReferences(files)].map((breach) => ({ rule: upkeep.unresolved, breach }))
  const breaches = locateBreaches([...breachesOf(table, options), ...unresolved], locator(files))
  const count = table.operations.length + table.messages.length
  return reportOf(files.root.name, count, breaches, options, ignores)
}

/**
 * Lints declared apis. `file` is the name of the file in findings.
 *
 * @example
 * ```ts
 * const { findings } = lintApis([directory], 'service.ts')
 * ```
 */
export function lintApis(apis: readonly AnyApi[], file: string, options: LintOptions = {}): LintReport {
  const tables = apis.map((api) => declaredTable(api, { name: file }))
  const count = tables.reduce((sum, { table }) => sum + table.operations.length, 0)
  const ignores = ignoresOf(declaredIgnores(apis, { name: file }, codes), [{ name: file }], options)
  const breaches = tables.flatMap(({ table, singular, locate }) =>
    locateBreaches(breachesOf(table, options, singular), locate),
  )
  const hidden = hiddenReferences(apis).map((reference) => ({
    rule: upkeep.hidden,
    breach: hiddenBreach(reference, file),
  }))
  return reportOf(file, count, [...breaches, ...hidden], options, ignores)
}

function hiddenBreach({ api, resource, property, target }: HiddenReference, name: string): LocatedBreach {
  return {
    location: below(
      { file: { name }, pointer: '' },
      api.name,
      `${resource.options.path ?? resource.noun.name}`,
      property,
    ),
    message: `"${property}" references "${target}", which has no resource.`,
    fix: `Add a resource for "${target}", or leave "${property}" out of the resource.`,
  }
}

const codes: ReadonlySet<string> = new Set(rules.map(({ code }) => code))

function ignoresOf(ignores: Ignores, files: readonly LintFile[], { exceptions }: LintOptions): Ignores {
  return exceptions ? withExceptions(ignores, exceptions, files, codes) : ignores
}

interface Violation<Kind extends Breach | LocatedBreach = LocatedBreach> {
  readonly rule: Pick<RuleInfo, 'code' | 'severity'>
  readonly breach: Kind
}

function breachesOf(
  table: OpenApiTable,
  { dictionary = [] }: LintOptions,
  singular: readonly string[] = [],
): Violation<Breach>[] {
  const view = viewOf(table, pluralJudge([...dictionary, ...singular]))
  return checks.flatMap((rule) => [...rule.check(view)].map((breach) => ({ rule, breach })))
}

function locateBreaches(breaches: readonly Violation<Breach>[], locate: (pointer: string) => Location): Violation[] {
  return breaches.map(({ rule, breach: { pointer, message, fix } }) => {
    return { rule, breach: { location: locate(pointer), message, fix } }
  })
}

function reportOf(
  source: string,
  numberOfOperations: number,
  violations: readonly Violation[],
  { ignore = [] }: LintOptions,
  ignores: Ignores,
): LintReport {
  const silent = new Set(ignore)
  const findings: Finding[] = []
  const ignored: IgnoredFinding[] = []
  const add = ({ rule, breach }: Violation) => {
    const finding = findingOf(rule, breach)
    const exception = ignores.exceptionFor(rule.code, breach.location)
    if (exception) ignored.push({ ...finding, reason: exception.reason, exception: positionOf(exception.location) })
    else if (!silent.has(rule.code)) findings.push(finding)
  }
  for (const violation of distinct(violations)) add(violation)
  for (const breach of ignores.invalid) add({ rule: upkeep.invalid, breach })
  for (const breach of ignores.unused()) add({ rule: upkeep.unused, breach })
  return {
    sources: [source],
    findings: findings.sort(byLocation),
    ignored: ignored.sort(byLocation),
    numberOfOperations,
  }
}

/** A location that several operations share is reported once. */
function distinct(violations: readonly Violation[]): Iterable<Violation> {
  const byKey = new Map<string, Violation>()
  for (const violation of violations) {
    const { rule, breach } = violation
    const key = `${rule.code} ${keyOf(breach.location)} ${needsMessage(violation) ? breach.message : ''}`
    if (!byKey.has(key)) byKey.set(key, violation)
  }
  return byKey.values()
}

/** Several segments of one path have the same location. */
function needsMessage({ rule }: Violation): boolean {
  return rule.code.endsWith('-segment')
}

function findingOf({ code, severity }: Violation['rule'], { location, message, fix }: LocatedBreach): Finding {
  const { file, pointer } = positionOf(location)
  return { code, severity, file, ...lineOf(location), pointer, message, fix, explain: explainCommand(code) }
}

function positionOf({ file, pointer }: Location) {
  return { file: file.name, pointer }
}

function explainCommand(code: string): string {
  return `nomen lint --explain ${code}`
}
