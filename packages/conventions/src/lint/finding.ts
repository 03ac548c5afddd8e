/** The findings of the linter, and the merge of several reports. */
import type { Severity } from './rule/rule.ts'

/** A violation of a lint rule. */
export interface Finding {
  readonly code: string
  readonly severity: Severity
  readonly file: string
  /** Undefined if the line is unknown, as for declarations. */
  readonly line?: number
  readonly column?: number
  /** A JSON pointer into the file; of declarations `/directory/user.list`: the api and the operation. */
  readonly pointer: string
  /** The violation, with the actual value. */
  readonly message: string
  readonly fix: string
  /** The command that explains the rule. */
  readonly explain: string
}

/** A violation with an exception. */
export interface IgnoredFinding extends Finding {
  readonly reason: string
  /** The location of the exception. */
  readonly exception: { readonly file: string; readonly pointer: string }
}

/** The report of a lint run. */
export interface LintReport {
  /** The linted paths and URLs. */
  readonly sources: readonly string[]
  readonly findings: readonly Finding[]
  /** Findings with an exception, and its reason. */
  readonly ignored: readonly IgnoredFinding[]
  /** The number of linted operations. In a document, webhooks and callbacks count, too. */
  readonly numberOfOperations: number
}

/**
 * Merges several lint reports into one. A finding in a file that several documents refer to appears once, and an exception is
 * unused only if no document needs it.
 *
 * @example
 * ```ts
 * const report = mergedReport([await lintDocument('user.yaml'), await lintDocument('order.yaml')])
 * ```
 */
export function mergedReport(reports: readonly LintReport[]): LintReport {
  const ignored = distinct(reports.flatMap((report) => report.ignored))
  const needed = new Set(ignored.map(({ exception }) => locationKey(exception)))
  const findings = distinct(reports.flatMap((report) => report.findings)).filter((finding) => {
    return finding.code !== 'unused-ignore' || !needed.has(locationKey(finding))
  })
  return {
    sources: reports.flatMap(({ sources }) => sources),
    findings: findings.sort(byLocation),
    ignored: ignored.sort(byLocation),
    numberOfOperations: reports.reduce((sum, report) => sum + report.numberOfOperations, 0),
  }
}

/** Sorts by file and line; equal findings keep the order of the rules. */
export function byLocation(a: Finding, b: Finding): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1
  return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0)
}

function distinct<Kind extends Finding>(findings: readonly Kind[]): Kind[] {
  const byKey = new Map(
    findings.map((finding) => [`${finding.code} ${locationKey(finding)} ${finding.message}`, finding]),
  )
  return [...byKey.values()]
}

function locationKey({ file, pointer }: { readonly file: string; readonly pointer: string }): string {
  return `${file}#${pointer}`
}
