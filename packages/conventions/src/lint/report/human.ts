/** A report for people. */
import { styleText } from 'node:util'
import type { Finding, LintReport } from '../finding.ts'
import { printable } from './printable.ts'

export interface HumanOptions {
  /** Whether it is shown on a terminal that takes colours. */
  readonly isColoured?: boolean
}

/** Findings by file, each with its line or else its pointer, and the numbers of them at the end. */
export function humanReport(report: LintReport, { isColoured = false }: HumanOptions = {}): string {
  const paint = (style: Parameters<typeof styleText>[0], text: string) =>
    isColoured ? styleText(style, text, { validateStream: false }) : text
  const lines: string[] = []
  for (const [file, findings] of Map.groupBy(report.findings, (one) => one.file)) {
    lines.push(paint('underline', printable(file)))
    const width = findings.reduce((widest, one) => Math.max(widest, Math.min(placeOf(one).length, 40)), 0)
    for (const one of findings) {
      const severity = paint(one.severity === 'error' ? 'red' : 'yellow', one.severity.padEnd(7))
      const text = `${printable(one.message)} ${printable(one.fix)}`
      lines.push(`  ${placeOf(one).padEnd(width)}  ${severity}  ${text}  ${paint('gray', one.code)}`)
    }
    lines.push('')
  }
  const [first] = report.findings
  const more = first ? [`${first.explain} explains the first of them.`] : []
  return [...lines, summaryOf(report), ...more].join('\n')
}

function placeOf({ line, column, pointer }: Finding): string {
  return line === undefined ? printable(pointer) : `${line}:${column}`
}

function summaryOf({ sources, findings, ignored, numberOfOperations }: LintReport): string {
  const errors = findings.filter(({ severity }) => severity === 'error').length
  const parts = [counted(errors, 'error'), counted(findings.length - errors, 'warning')]
  if (ignored.length > 0) parts.push(`${ignored.length} ignored`)
  const where = sources.length > 1 ? ` in ${counted(sources.length, 'document')}` : ''
  return `${counted(numberOfOperations, 'operation')}${where}: ${parts.join(', ')}.`
}

function counted(count: number, thing: string): string {
  return `${count.toLocaleString('en-US')} ${thing}${count === 1 ? '' : 's'}`
}
