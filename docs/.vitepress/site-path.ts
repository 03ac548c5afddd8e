/** Where the files of the repository are on the site. */
import { globSync } from 'node:fs'
import { join, posix } from 'node:path'
import { otherPages, sections } from './pages.ts'

export const root = join(import.meta.dirname, '../..')

/** All pages as paths from the root of the repository. */
export const files: readonly string[] = [
  ...new Set([
    ...sections.flatMap(({ groups }) => groups.flatMap(({ pages }) => pages.map(({ file }) => file))),
    ...globSync([...otherPages], { cwd: root }).map((file) => file.replaceAll('\\', '/')),
  ]),
]

const pageFiles = new Set(files)

/** The path of a page on the site: `docs/guide/README.md` is `guide/index.md`, and `SECURITY.md` is `security.md`. */
export function sitePath(file: string): string {
  const path = file.replace(/^docs\//, '').replace(/(^|\/)README\.md$/, '$1index.md')
  return path.includes('/') ? path : path.toLowerCase()
}

/**
 * The target of a relative link on a page: another page as a path from the root of the site, or another file of the
 * repository as a URL; undefined if `repository`, its URL, is not known.
 */
export function linkTarget(file: string, href: string, repository: string | undefined): string | undefined {
  const [path = '', anchor] = href.split('#')
  const target = posix.join(posix.dirname(file), decodeURI(path))
  const hash = anchor === undefined ? '' : `#${anchor}`
  if (pageFiles.has(target)) return `/${sitePath(target)}${hash}`
  return repository === undefined ? undefined : `${repository}/blob/main/${target}${hash}`
}

/** Whether a link leads to a file of the repository. */
export function isRelative(href: string): boolean {
  return !/^(?:[a-z][a-z0-9+.-]*:|#|\/)/i.test(href)
}

/** The anchor of a heading, as code hosts make it. */
export function anchorOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}
