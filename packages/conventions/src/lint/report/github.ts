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
      const position = line === undefined ? '' : `,line=${line},col=${column}`
      const prefix = line === undefined ? `${pointer}: ` : ''
      const text = escapeData(printable(`${prefix}${message} ${fix} See ${explain}`))
      return `::${severity} file=${escapeProperty(printable(file))}${position},title=${escapeProperty(code)}::${text}`
    })
    .join('\n')
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
