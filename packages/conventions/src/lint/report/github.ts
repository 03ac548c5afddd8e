/** A report as annotations of GitHub Actions. */
import type { LintReport } from '../finding.ts'
import { printable } from './printable.ts'

/** One command a line; what would end a part of it is escaped. */
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
