/** Tables without headers: Markdown requires a row of headers, and screen readers would announce empty ones. */
import type { MarkdownRenderer } from 'vitepress'

/** Renders an empty header cell as a plain cell. */
export function emptyHeaders(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('empty_headers', ({ tokens }) => {
    for (const [index, token] of tokens.entries()) {
      if (token.type !== 'th_open' || tokens[index + 1]?.content !== '') continue
      token.tag = 'td'
      const end = tokens[index + 2]
      if (end) end.tag = 'td'
    }
  })
}
