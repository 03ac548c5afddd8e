/** Lints OpenAPI documents and declarations with the same rules. */
import { type AnyApi, type HiddenReference, hiddenReferences } from '@nomen/core'
import { type OpenApiTable, readOpenApi } from '@nomen/core/openapi'
import { declaredTable } from './declared-table.ts'
import { type DocumentFiles, readFiles } from './document/files.ts'
import { lineOf } from './document/line.ts'
import { brokenReferences, fileReferences, locator } from './document/references.ts'
import { declaredExceptions, documentExceptions, type ExceptionSet } from './exception.ts'
import { type Exceptions, withExceptions } from './exception-file.ts'
import { byLocation, type Finding, type IgnoredFinding, type LintReport } from './finding.ts'
import { below, keyOf, type LintFile, type Location } from './location.ts'
import type { LocatedViolation, Violation } from './rule/rule.ts'
import { otherRules, type RuleInfo, rules, tableRules } from './rule/rules.ts'
import { viewOf } from './view.ts'
import { pluralDetector } from './word/plural.ts'

/** Options of a lint run. */
export interface LintOptions {
  /** Words that are singular although they look plural: `dictionary: ['news']`. */
  readonly dictionary?: readonly string[]
  /** Codes of rules whose findings are dropped. A finding that an exception covers is still in `ignored`. */
  readonly ignore?: readonly string[]
  /** Exceptions to rules, as `readExceptions` returns them. */
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
 * Lints an OpenAPI document from a string. `name` is the path or URL that findings show and that relative references are
 * resolved against.
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
  const exceptionSet = withExceptionFile(documentExceptions(files, codes), files.all, options)
  const unresolved = [...brokenReferences(files)].map((violation) => ({ rule: otherRules.unresolved, violation }))
  const violations = locateViolations([...violationsOf(table, options), ...unresolved], locator(files))
  const count = table.operations.length + table.outgoingOperations.length
  return reportOf(files.root.name, count, violations, options, exceptionSet)
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
  const exceptionSet = withExceptionFile(declaredExceptions(apis, { name: file }, codes), [{ name: file }], options)
  const violations = tables.flatMap(({ table, singular, locate }) =>
    locateViolations(violationsOf(table, options, singular), locate),
  )
  const hidden = hiddenReferences(apis).map((reference) => ({
    rule: otherRules.hidden,
    violation: hiddenReferenceViolation(reference, file),
  }))
  return reportOf(file, count, [...violations, ...hidden], options, exceptionSet)
}

function hiddenReferenceViolation(
  { api, resource, property, target }: HiddenReference,
  name: string,
): LocatedViolation {
  return {
    location: below(
      { file: { name }, pointer: '' },
      api.name,
      `${resource.options.path ?? resource.noun.name}`,
      property,
    ),
    message: `"${property}" references "${target}", which has no resource.`,
    fix: `Add a resource for "${target}", or remove "${property}" from the resource.`,
  }
}

const codes: ReadonlySet<string> = new Set(rules.map(({ code }) => code))

function withExceptionFile(
  exceptionSet: ExceptionSet,
  files: readonly LintFile[],
  { exceptions }: LintOptions,
): ExceptionSet {
  return exceptions ? withExceptions(exceptionSet, exceptions, files, codes) : exceptionSet
}

/** A violation with its rule. */
interface RuleViolation<Kind extends Violation | LocatedViolation = LocatedViolation> {
  readonly rule: Pick<RuleInfo, 'code' | 'severity'>
  readonly violation: Kind
}

function violationsOf(
  table: OpenApiTable,
  { dictionary = [] }: LintOptions,
  singular: readonly string[] = [],
): RuleViolation<Violation>[] {
  const view = viewOf(table, pluralDetector([...dictionary, ...singular]))
  return tableRules.flatMap((rule) => [...rule.check(view)].map((violation) => ({ rule, violation })))
}

function locateViolations(
  violations: readonly RuleViolation<Violation>[],
  locate: (pointer: string) => Location,
): RuleViolation[] {
  return violations.map(({ rule, violation: { pointer, message, fix } }) => {
    return { rule, violation: { location: locate(pointer), message, fix } }
  })
}

function reportOf(
  source: string,
  numberOfOperations: number,
  violations: readonly RuleViolation[],
  { ignore = [] }: LintOptions,
  exceptionSet: ExceptionSet,
): LintReport {
  const droppedCodes = new Set(ignore)
  const findings: Finding[] = []
  const excepted: IgnoredFinding[] = []
  const add = ({ rule, violation }: RuleViolation) => {
    const finding = findingOf(rule, violation)
    const exception = exceptionSet.exceptionFor(rule.code, violation.location)
    if (exception) excepted.push({ ...finding, reason: exception.reason, exception: positionOf(exception.location) })
    else if (!droppedCodes.has(rule.code)) findings.push(finding)
  }
  for (const violation of distinct(violations)) add(violation)
  for (const violation of exceptionSet.invalid) add({ rule: otherRules.invalid, violation })
  for (const violation of exceptionSet.unused()) add({ rule: otherRules.unused, violation })
  return {
    sources: [source],
    findings: findings.sort(byLocation),
    ignored: excepted.sort(byLocation),
    numberOfOperations,
  }
}

/** A location that several operations share is reported once. */
function distinct(violations: readonly RuleViolation[]): Iterable<RuleViolation> {
  const byKey = new Map<string, RuleViolation>()
  for (const ruleViolation of violations) {
    const { rule, violation } = ruleViolation
    const key = `${rule.code} ${keyOf(violation.location)} ${canDiffer(rule) ? violation.message : ''}`
    if (!byKey.has(key)) byKey.set(key, ruleViolation)
  }
  return byKey.values()
}

/** Whether a location can have several violations of a rule: a rule on path segments reports each segment at the path. */
function canDiffer({ code }: RuleViolation['rule']): boolean {
  return code.endsWith('-segment')
}

function findingOf({ code, severity }: RuleViolation['rule'], { location, message, fix }: LocatedViolation): Finding {
  const { file, pointer } = positionOf(location)
  return { code, severity, file, ...lineOf(location), pointer, message, fix, explain: explainCommand(code) }
}

function positionOf({ file, pointer }: Location) {
  return { file: file.name, pointer }
}

function explainCommand(code: string): string {
  return `nomen lint --explain ${code}`
}
