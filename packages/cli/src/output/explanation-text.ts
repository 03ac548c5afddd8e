/** The output of `--explain`: one rule or check with examples, or a list of all. */
import { helpWidth, wrapLine } from './help.ts'

/** A title, a definition, the reason, and named examples. */
export function explanationText(
  title: string,
  definition: string,
  reason: string,
  examples: Readonly<Record<string, string>> = {},
): string {
  const sentences = [definition, reason].map((text) => indent(wrapLine(text, helpWidth() - 2).join('\n'), 2))
  const exampleTexts = Object.entries(examples).map(([name, text]) => `  ${name}\n${indent(text, 4)}`)
  return [title, ...sentences, ...exampleTexts].join('\n\n')
}

/** Aligns rows in columns; the last column has no fixed width. */
export function listOf(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => `${row[column]}`.length)))
  return rows
    .map((row) =>
      row.map((text, column) => text.padEnd(column < row.length - 1 ? (widths[column] ?? 0) : 0)).join('  '),
    )
    .join('\n')
}

function indent(text: string, width: number): string {
  return text.replaceAll(/^/gm, ' '.repeat(width))
}
