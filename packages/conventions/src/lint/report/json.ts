/** The JSON report of the linter. */
import type { LintReport } from '../finding.ts'

/**
 * Writes a lint report as JSON.
 *
 * @example
 * ```ts
 * console.log(jsonReport(await lintDocument('openapi.yaml')))
 * ```
 */
export function jsonReport(report: LintReport): string {
  return JSON.stringify(report, null, 2)
}
