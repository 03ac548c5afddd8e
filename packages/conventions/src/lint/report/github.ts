/** The report of the linter as annotations of GitHub Actions. */
import type { LintReport } from '../finding.ts'
import { printable } from './printable.ts'

/**
 * Writes a lint report as annotations of GitHub Actions (workflow commands).
 *
 * @example
 * ```ts
 * console.log(githubReport(await lintDocument('openapi.yaml')))
 * ```
 */
export function githubReport({ findings }: LintReport): string {
  return findings
    .map(({ severity, code, file, line, column, pointer, message, fix, explain }) => {
      const at = line === undefined ? '' : `,line=${line},col=${column}`
      const where = line === undefined ? `${pointer}: ` : ''
      const text = escapedData(printable(`${where}${message} ${fix} See ${explain}`))
      return `::${severity} file=${escapedProperty(printable(file))}${at},title=${escapedProperty(code)}::${text}`
    })
    .join('\n')
}

function escapedData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function escapedProperty(text: string): string {
  return escapedData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
