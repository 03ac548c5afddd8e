/** The generated parts of Markdown pages. */

const end = '<!-- end of generated text -->'

/** Replaces the text between `<!-- generated: name -->` and `<!-- end of generated text -->`. */
export function replaceRegion(page: string, name: string, content: string): string {
  const start = `<!-- generated: ${name} -->`
  const from = page.indexOf(start)
  const to = page.indexOf(end, from)
  if (from < 0 || to < 0) throw new Error(`The page has no region "${start}" that ends with "${end}".`)
  return `${page.slice(0, from + start.length)}\n\n${content.trim()}\n\n${page.slice(to)}`
}

/** The cells of a row that come from code; undefined keeps the text of the page. */
export type Cells = readonly (string | undefined)[]

/**
 * Replaces cells of the table rows whose first cell is a code, such as `` | `get-body` | ``. Throws if the rows do not have
 * the codes of the map, in their order.
 */
export function fillRows(page: string, rows: ReadonlyMap<string, Cells>): string {
  const documented: string[] = []
  const filled = page.replaceAll(/^\| `([a-z-]+)` \| (.*) \|$/gm, (row, code: string, rest: string) => {
    const cells = rows.get(code)
    documented.push(code)
    if (!cells) return row
    const current = rest.split(' | ')
    return `| \`${code}\` | ${cells.map((cell, index) => cell ?? current[index] ?? '').join(' | ')} |`
  })
  expectSame(documented, [...rows.keys()])
  return filled
}

/** Throws if a page does not document exactly these names, in this order. */
export function expectSame(documented: readonly string[], names: readonly string[]): void {
  const missing = names.filter((name) => !documented.includes(name))
  const unknown = documented.filter((name) => !names.includes(name))
  if (missing.length + unknown.length > 0)
    throw new Error(`The page lacks [${missing.join(', ')}], and has [${unknown.join(', ')}] too much.`)
  if (documented.join() !== names.join()) throw new Error(`The order must be: ${names.join(', ')}`)
}

/** A Markdown table. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  return [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** Plain text as Markdown, outside and inside tables. */
export function escaped(text: string): string {
  return text.replaceAll(/[<|*]/g, '\\$&').replaceAll('\n', ' ')
}

/** A text as inline code in a table. */
export function code(text: string): string {
  return text === '' ? '' : `\`${text.replaceAll('|', '\\|')}\``
}
