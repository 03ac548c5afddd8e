/** Lets Markdown pages of the repository link to one another by their paths, as on a code host. */
import { posix, relative } from 'node:path'
import type { MarkdownRenderer } from 'vitepress'
import { isRelative, linkTarget, root } from './site-path.ts'

type Token = ReturnType<MarkdownRenderer['parse']>[number]

/** Replaces relative links before VitePress renders them. A link to a file that the site does not have becomes text. */
export function repositoryLinks(markdown: MarkdownRenderer, repository: string | undefined): void {
  markdown.core.ruler.after('inline', 'repository_links', ({ tokens, env }) => {
    const file = relative(root, env.realPath ?? env.path).replaceAll('\\', posix.sep)
    for (const { children } of tokens)
      if (children) replaceLinks(children, (href) => linkTarget(file, href, repository))
  })
}

function replaceLinks(tokens: Token[], targetOf: (href: string) => string | undefined): void {
  const removed = new Set<Token>()
  for (const [index, token] of tokens.entries()) {
    const href = token.type === 'link_open' ? token.attrGet('href') : null
    if (href === null || !isRelative(href)) continue
    const target = targetOf(href)
    if (target !== undefined) token.attrSet('href', target)
    else {
      removed.add(token)
      const end = tokens.slice(index).find(({ type, level }) => type === 'link_close' && level === token.level)
      if (end) removed.add(end)
    }
  }
  if (removed.size > 0) tokens.splice(0, tokens.length, ...tokens.filter((token) => !removed.has(token)))
}
