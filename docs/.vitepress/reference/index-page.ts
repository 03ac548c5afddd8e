/** The list of all pages in `docs/README.md`, from the sections of the site. */
import { posix } from 'node:path'
import { sections } from '../pages.ts'

export function pageList(): string {
  return sections
    .map(({ title, groups }) => {
      const lists = groups.map((group) => {
        const links = group.pages.map((page) => `[${page.title}](${posix.relative('docs', page.file)})`)
        return `${groups.length > 1 ? `**${group.title}:** ` : ''}${links.join(' · ')}`
      })
      return `### ${title}\n\n${lists.join('\n\n')}`
    })
    .join('\n\n')
}
