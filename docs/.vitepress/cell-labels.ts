/** Tables on phones: a row becomes a block, in which each cell has the text of its header as a label. */
import type { MarkdownRenderer } from 'vitepress'

type Token = ReturnType<MarkdownRenderer['parse']>[number]

/** Adds the class `labelled` to tables of three or more columns, and `data-label` to their cells after the first one. */
export function cellLabels(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('cell_labels', ({ tokens }) => {
    let labels: string[] = []
    let table: Token | undefined
    let column = 0
    for (const [index, token] of tokens.entries()) {
      const text = tokens[index + 1]?.content ?? ''
      if (token.type === 'table_open') [table, labels] = [token, []]
      else if (token.type === 'th_open') labels.push(text.replaceAll('`', ''))
      else if (token.type === 'tbody_open' && labels.length > 2) table?.attrJoin('class', 'labelled')
      else if (token.type === 'tr_open') column = 0
      else if (token.type === 'td_open') {
        const label = labels[column++] ?? ''
        if (labels.length > 2 && column > 1 && label !== '') token.attrSet('data-label', label)
      }
    }
  })
}
