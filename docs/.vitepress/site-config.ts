/** The configuration of the documentation site. The pages are plain Markdown files of the repository. */
import { globSync } from 'node:fs'
import { join } from 'node:path'
import type { DefaultTheme, UserConfig } from 'vitepress'
import { emptyHeaders } from './empty-headers.ts'
import { pageData } from './page-data.ts'
import { sections } from './pages.ts'
import { writePlainPages } from './plain-pages.ts'
import { repositoryLinks } from './repository-links.ts'
import { anchorOf, files, root, sitePath } from './site-path.ts'
import { tableLayout } from './table-layout.ts'

export interface SiteOptions {
  /** The URL of the repository on its code host, for edit links and links to source files. */
  readonly repository: string | undefined
  /** The path of the site on its host (default: /). */
  readonly base?: string
  /** The pages to build (default: all). */
  readonly pages?: readonly string[]
  /** The folder for the built site (default: dist/docs). */
  readonly outDir?: string
}

const sidebar: DefaultTheme.SidebarItem[] = sections.map(({ title, groups }) => {
  const items = groups.map((group) => ({
    text: group.title,
    collapsed: groups.length > 1,
    items: group.pages.map((page) => ({ text: page.title, link: `/${sitePath(page.file)}` })),
  }))
  return { text: title, collapsed: false, items: groups.length > 1 ? items : (items[0]?.items ?? []) }
})

/** Guides come before the API of the packages, decisions and specifications. VitePress copies the functions into the pages. */
const searchOptions = {
  boost: { title: 4, titles: 3, text: 1 },
  fuzzy: (term: string) => (term.length > 4 ? 0.2 : false),
  prefix: (term: string) => term.length > 2,
  boostDocument: (id: string) => {
    if (/^\/(api|decisions)\//.test(id)) return 0.4
    return /^\/(specification|traceability|lint-|architecture|changelog|comparison|reliability|roadmap|bench\/)/.test(
      id,
    )
      ? 0.6
      : 1
  },
}

export function siteConfig({
  repository,
  base = '/',
  pages = files,
  outDir,
}: SiteOptions): UserConfig<DefaultTheme.Config> {
  return {
    title: 'Nomen',
    description:
      'TypeScript declarations become REST APIs: service, typed client, OpenAPI document, mocks and admin console.',
    lang: 'en',
    base,
    srcDir: root,
    outDir: outDir ?? join(root, 'dist/docs'),
    cacheDir: join(root, 'node_modules/.cache/vitepress'),
    srcExclude: ['dist/**', ...otherFiles(pages)],
    ignoreDeadLinks: pages === files ? 'localhostLinks' : true,
    rewrites: (file) => sitePath(file),
    head: [['link', { rel: 'icon', type: 'image/svg+xml', href: icon() }]],
    markdown: {
      anchor: { slugify: anchorOf },
      config: (markdown) => {
        repositoryLinks(markdown, repository)
        emptyHeaders(markdown)
        tableLayout(markdown)
      },
      // Languages that the highlighter does not have.
      languageAlias: { logql: 'txt' },
    },
    transformPageData: pageData,
    buildEnd: (site) => writePlainPages(site, repository),
    themeConfig: {
      nav: sections.map(({ title, groups }) => ({
        text: title,
        link: `/${sitePath(groups[0]?.pages[0]?.file ?? '')}`,
      })),
      sidebar,
      outline: { level: [2, 3] },
      search: { provider: 'local', options: { detailedView: true, miniSearch: { searchOptions } } },
      externalLinkIcon: true,
      notFound: {
        title: 'Page not found',
        quote: 'The page has moved or never existed. Search for it, or start from the home page.',
        linkText: 'Home page',
        linkLabel: 'Home page',
      },
      ...(repository !== undefined && {
        editLink: { pattern: `${repository}/edit/main/:path`, text: 'Edit this page' },
        socialLinks: [{ icon: 'git', link: repository, ariaLabel: 'Repository' }],
      }),
    },
  }
}

/** Markdown files of the repository that are not pages of the site. */
function otherFiles(pages: readonly string[]): string[] {
  const all = globSync('**/*.md', { cwd: root, exclude: ['**/node_modules/**', 'dist/**'] })
  return all.map((file) => file.replaceAll('\\', '/')).filter((file) => !pages.includes(file))
}

function icon(): string {
  const drawing =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#2f5fd0"/><path d="M4 13V3h2l4 6V3h2v10h-2L6 7v6z" fill="#fff"/></svg>'
  return `data:image/svg+xml,${encodeURIComponent(drawing)}`
}
