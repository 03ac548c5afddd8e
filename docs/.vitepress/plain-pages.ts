/** Writes the plain Markdown version of every page, and `llms.txt`, into the built site. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { sections } from './pages.ts'
import { files, isRelative, linkTarget, root, sitePath } from './site-path.ts'

export function writePlainPages({ outDir }: { readonly outDir: string }, repository: string | undefined): void {
  for (const file of files) {
    const path = join(outDir, sitePath(file))
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, plainPage(file, readFileSync(join(root, file), 'utf8'), repository))
  }
  writeFileSync(join(outDir, 'llms.txt'), llmsText())
}

/** The page with links that fit its place on the site. Links in code are left alone. */
export function plainPage(file: string, text: string, repository: string | undefined): string {
  const parts = text.split(/(^```.*?^```$|`[^`\n]+`)/ms)
  return parts.map((part, index) => (index % 2 === 0 ? replaceLinks(file, part, repository) : part)).join('')
}

function replaceLinks(file: string, text: string, repository: string | undefined): string {
  return text.replaceAll(/(!?)\[([^\]]*)\]\(([^)\s]+)\)/g, (link, image: string, label: string, href: string) => {
    if (image !== '' || !isRelative(href)) return link
    const target = linkTarget(file, href, repository)
    if (target === undefined) return label
    return `[${label}](${target.startsWith('/') ? fromPage(file, target.slice(1)) : target})`
  })
}

function fromPage(file: string, target: string): string {
  return posix.relative(posix.dirname(sitePath(file)), target)
}

/** The list of all pages for language models: https://llmstxt.org */
export function llmsText(): string {
  const lists = sections.map(({ title, groups }) => {
    const pages = groups.flatMap((group) => group.pages.map((page) => line(group.title, page)))
    return `## ${title}\n\n${pages.join('\n')}\n`
  })
  return `# Nomen\n\n> ${summary}\n\nAll links lead to plain Markdown. The HTML version of a page ends in .html.\n\n${lists.join('\n')}`
}

const summary =
  'Nomen turns a TypeScript declaration into a complete REST API: HTTP service, typed client, OpenAPI document, mocks and admin console.'

function line(group: string, { file, title }: { file: string; title: string }): string {
  const heading = /^# (.+)$/m.exec(readFileSync(join(root, file), 'utf8'))?.[1] ?? title
  return `- [${heading.replaceAll('`', '')}](${sitePath(file)}): ${group}`
}
