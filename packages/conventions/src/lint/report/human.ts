/** The text report of the linter. */
import { styleText } from 'node:util'
import type { Finding, LintReport } from '../finding.ts'
import { printable } from './printable.ts'

/** Options of `humanReport`. */
export interface HumanOptions {
  /**
   * Whether to use terminal colors.
   *
   * @default false
   */
  readonly isColored?: boolean
}

/**
 * Writes a lint report as text for people, by file and with a summary.
 *
 * @example
 * ```ts
 * console.log(humanReport(await lintDocument('openapi.yaml')))
 * ```
 */
export function humanReport(report: LintReport, { isColored = false }: HumanOptions = {}): string {
  const paint = (style: Parameters<typeof styleText>[0], text: string) =>
    isColored ? styleText(style, text, { validateStream: false }) : text
  const lines: string[] = []
  for (const [file, findings] of Map.groupBy(report.findings, (finding) => finding.file)) {
    lines.push(paint('underline', printable(file)))
    const width = findings.reduce((widest, finding) => Math.max(widest, Math.min(positionOf(finding).length, 40)), 0)
    for (const finding of findings) {
      const severity = paint(finding.severity === 'error' ? 'red' : 'yellow', finding.severity.padEnd(7))
      const text = `${printable(finding.message)} ${printable(finding.fix)}`
      lines.push(`  ${positionOf(finding).padEnd(width)}  ${severity}  ${text}  ${paint('gray', finding.code)}`)
    }
    lines.push('')
  }
  const [first] = report.findings
  const explainHint = first ? [`Run ${first.explain} for an explanation of the first finding.`] : []
  return [...lines, summaryOf(report), ...explainHint].join('\n')
}

function positionOf({ line, column, pointer }: Finding): string {
  return line === undefined ? printable(pointer) : `${line}:${column}`
}

function summaryOf({ sources, findings, ignored, numberOfOperations }: LintReport): string {
  const errors = findings.filter(({ severity }) => severity === 'error').length
  const counts = [countText(errors, 'error'), countText(findings.length - errors, 'warning')]
  if (ignored.length > 0) counts.push(`${ignored.length} covered by exceptions`)
  const documentCount = sources.length > 1 ? ` in ${countText(sources.length, 'document')}` : ''
  return `${countText(numberOfOperations, 'operation')}${documentCount}: ${counts.join(', ')}.`
}

function countText(count: number, unit: string): string {
  return `${count.toLocaleString('en-US')} ${unit}${count === 1 ? '' : 's'}`
}
