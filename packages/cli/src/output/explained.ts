/** What `--explain` prints: a rule or a check in words, with examples, and lists of them. */
import { helpWidth, wrapped } from '../command.ts'

/** A title, what it says, why, and examples by what they are called. */
export function explained(
  title: string,
  what: string,
  why: string,
  examples: Readonly<Record<string, string>> = {},
): string {
  const parts = [what, why].map((text) => indented(wrapped(text, helpWidth - 2).join('\n'), 2))
  const shown = Object.entries(examples).map(([name, text]) => `  ${name}\n${indented(text, 4)}`)
  return [title, ...parts, ...shown].join('\n\n')
}

/** Rows in columns, the last of which may be as long as it likes. */
export function listOf(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => `${row[column]}`.length)))
  return rows
    .map((row) =>
      row.map((text, column) => text.padEnd(column < row.length - 1 ? (widths[column] ?? 0) : 0)).join('  '),
    )
    .join('\n')
}

function indented(text: string, by: number): string {
  return text.replaceAll(/^/gm, ' '.repeat(by))
}
