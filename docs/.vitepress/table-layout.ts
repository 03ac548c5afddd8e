/** The layout of tables, as attributes that `theme/style.css` uses. */
import type { MarkdownRenderer } from 'vitepress'

type Token = ReturnType<MarkdownRenderer['parse']>[number]

/** Longer code in a first column wraps. */
const longCode = 36

/**
 * On phones, a row of a table with three or more columns becomes a block: the table gets the class `labelled`, and its cells have
 * the text of their header as `data-label`. Numbers are aligned by a class instead of a style, which phones could not override.
 */
export function tableLayout(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('table_layout', ({ tokens }) => {
    let labels: string[] = []
    let table: Token | undefined
    let column = 0
    for (const [index, token] of tokens.entries()) {
      const cell = tokens[index + 1]
      if (token.attrGet('style') === 'text-align:right') token.attrs = [['class', 'right']]
      if (token.type === 'table_open') [table, labels] = [token, []]
      else if (token.type === 'th_open') labels.push(`${cell?.content}`.replaceAll('`', ''))
      else if (token.type === 'tbody_open' && labels.length > 2) table?.attrJoin('class', 'labelled')
      else if (token.type === 'tr_open') column = 0
      else if (token.type === 'td_open') {
        const label = labels[column++] ?? ''
        if (column === 1) markLongCode(cell?.children ?? [])
        else if (labels.length > 2 && label !== '') token.attrSet('data-label', label)
      }
    }
  })
}

function markLongCode(tokens: readonly Token[]): void {
  for (const token of tokens)
    if (token.type === 'code_inline' && token.content.length > longCode) token.attrJoin('class', 'long')
}
