/** Layouts of pages that Markdown files do not contain, because code hosts would show front matter as a table. */
import type { PageData } from 'vitepress'
import { sitePath } from './site-path.ts'

const link = (page: string): string => `/${sitePath(`docs/${page}`)}`

const features = [
  {
    title: 'One declaration',
    details:
      'Declare a noun once in TypeScript. The service, typed client, OpenAPI document, mocks and console agree with it.',
    link: link('concepts.md'),
  },
  {
    title: 'A complete HTTP service',
    details: 'Pagination with exact totals, filters, search, nested resources, optimistic locking and precise errors.',
    link: link('cheat-sheet.md'),
  },
  {
    title: 'SQLite or PostgreSQL',
    details: 'Starts on embedded SQLite without setup. Runs on PostgreSQL with several instances and read replicas.',
    link: link('postgresql.md'),
  },
  {
    title: 'API governance',
    details: 'Lint rules, conformance checks and a breaking-change gate for any OpenAPI service, in any language.',
    link: link('lint.md'),
  },
  {
    title: 'Ready for production',
    details: 'Tokens and scopes, row-level access, health, metrics, tracing, rate limits, history and usage by caller.',
    link: link('operations.md'),
  },
  {
    title: 'Your code where you need it',
    details:
      'Rules, computed fields, custom operations, transactions and hooks. Mount it in Hono, Next.js, Express or Fastify.',
    link: link('extending.md'),
  },
]

/** Pages with wide tables, which take the place of the outline. */
const wide = [
  'bench/index.md',
  'commands.md',
  'comparison.md',
  'configuration.md',
  'diff.md',
  'distributed-postgresql.md',
  'lint-public.md',
  'metrics.md',
  'reliability.md',
  'traceability.md',
]

/** Adds the layout of the home page and of pages with wide tables. */
export function pageData({ relativePath }: PageData): Partial<PageData> | undefined {
  if (wide.includes(relativePath)) return { frontmatter: { aside: false, pageClass: 'wide' } }
  return relativePath === 'index.md' ? home : undefined
}

/** The home page: `docs/README.md` below a title, buttons and the main features. */
const home: Partial<PageData> = {
  title: 'Nomen',
  titleTemplate: 'REST APIs from TypeScript declarations',
  frontmatter: {
    layout: 'home',
    hero: {
      name: 'Nomen',
      text: 'REST APIs from TypeScript declarations',
      // Reserves the space; theme/home.ts shows the pictures.
      image: 'console',
      tagline:
        'Declare a resource once. Get the service, the typed client, the OpenAPI document, mocks and an admin console.',
      actions: [
        { theme: 'brand', text: 'Quick start', link: link('quick-start.md') },
        { theme: 'alt', text: 'Why Nomen', link: link('why.md') },
        { theme: 'alt', text: 'Comparison', link: link('comparison.md') },
      ],
    },
    features,
  },
}
