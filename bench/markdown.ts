/** Markdown tables, and generated parts of a file. */

/** The first `textColumns` columns are text (default: 1), the others are numbers. */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  { textColumns = 1 } = {},
): string {
  const rule = head.map((_, column) => (column < textColumns ? '---' : '---:'))
  const line = (cells: readonly string[]) => `|${cells.map((cell) => (cell === '' ? '' : ` ${cell}`)).join(' |')} |`
  return [head, rule, ...rows].map(line).join('\n')
}

/** Replaces the text between `<!-- name: begin … -->` and `<!-- name: end -->`; the markers stay. */
export function replacePart(document: string, name: string, content: string): string {
  const begin = new RegExp(`^<!-- ${name}: begin\\b.*-->$`, 'm').exec(document)
  const end = document.indexOf(`<!-- ${name}: end -->`)
  if (!begin || end < begin.index) throw new Error(`The markers "${name}: begin" and "${name}: end" are missing.`)
  return `${document.slice(0, begin.index + begin[0].length)}\n\n${content.trim()}\n\n${document.slice(end)}`
}
