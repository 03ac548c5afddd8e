/** Tables in Markdown, and the places in a file where generated text stands. */

/** The first column is text, the others are numbers unless said. */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  { textColumns = 1 } = {},
): string {
  const rule = head.map((_, column) => (column < textColumns ? '---' : '---:'))
  const line = (cells: readonly string[]) => `|${cells.map((cell) => (cell === '' ? '' : ` ${cell}`)).join(' |')} |`
  return [head, rule, ...rows].map(line).join('\n')
}

/** Puts a text between `<!-- name: begin … -->` and `<!-- name: end -->`; the marks stay. */
export function replacePart(document: string, name: string, content: string): string {
  const begin = new RegExp(`^<!-- ${name}: begin\\b.*-->$`, 'm').exec(document)
  const end = document.indexOf(`<!-- ${name}: end -->`)
  if (!begin || end < begin.index) throw new Error(`The marks "${name}: begin" and "${name}: end" are missing.`)
  return `${document.slice(0, begin.index + begin[0].length)}\n\n${content.trim()}\n\n${document.slice(end)}`
}
