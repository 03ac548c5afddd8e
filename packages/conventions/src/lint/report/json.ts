/** A report for programs. */
import type { LintReport } from '../finding.ts'

export function jsonReport(report: LintReport): string {
  return JSON.stringify(report, null, 2)
}
