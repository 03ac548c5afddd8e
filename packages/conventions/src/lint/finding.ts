/** What a lint has found, and several reports as one. */
import type { Severity } from './rule/rule.ts'

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
  readonly fix: string
  /** The command that explains the rule. */
  readonly explain: string
}

export interface IgnoredFinding extends Finding {
  readonly reason: string
  /** Where the exception stands that it is ignored by. */
  readonly exception: { readonly file: string; readonly pointer: string }
}

export interface LintReport {
  /** What was linted, as it was named: paths, addresses. */
  readonly sources: readonly string[]
  readonly findings: readonly Finding[]
  /** What the document or the declaration itself asks to have ignored, with its reasons. */
  readonly ignored: readonly IgnoredFinding[]
  readonly numberOfOperations: number
}

/**
 * One report of several. What stands in a file that several documents refer to is told once, and an exception there is
 * unused only where none of them needs it.
 */
export function mergedReport(reports: readonly LintReport[]): LintReport {
  const ignored = distinct(reports.flatMap((one) => one.ignored))
  const needed = new Set(ignored.map(({ exception }) => placeKey(exception)))
  const findings = distinct(reports.flatMap((one) => one.findings)).filter((one) => {
    return one.code !== 'unused-ignore' || !needed.has(placeKey(one))
  })
  return {
    sources: reports.flatMap(({ sources }) => sources),
    findings: findings.sort(byPlace),
    ignored: ignored.sort(byPlace),
    numberOfOperations: reports.reduce((sum, one) => sum + one.numberOfOperations, 0),
  }
}

/** Equal ones stay in the order of the rules. */
export function byPlace(a: Finding, b: Finding): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1
  return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0)
}

function distinct<One extends Finding>(findings: readonly One[]): One[] {
  const byKey = new Map(findings.map((one) => [`${one.code} ${placeKey(one)} ${one.message}`, one]))
  return [...byKey.values()]
}

function placeKey({ file, pointer }: { readonly file: string; readonly pointer: string }): string {
  return `${file}#${pointer}`
}
