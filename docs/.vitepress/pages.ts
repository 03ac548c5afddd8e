/** The pages of the site by section. The sidebar, the index in `docs/README.md` and `llms.txt` are made from this list. */

export interface Page {
  /** The path from the root of the repository. */
  readonly file: string
  readonly title: string
}

export interface Group {
  readonly title: string
  readonly pages: readonly Page[]
}

export interface Section {
  readonly title: string
  readonly groups: readonly Group[]
}

/** A group of pages in `docs/`, or elsewhere if the path starts with a slash: `/SECURITY.md`. */
function group(title: string, pages: Readonly<Record<string, string>>): Group {
  const entries = Object.entries(pages)
  return {
    title,
    pages: entries.map(([file, text]) => ({
      file: file.startsWith('/') ? file.slice(1) : `docs/${file}`,
      title: text,
    })),
  }
}

export const sections: readonly Section[] = [
  {
    title: 'Start',
    groups: [
      group('Start', {
        'why.md': 'Why Nomen',
        'quick-start.md': 'Quick start',
        'concepts.md': 'Concepts',
        'glossary.md': 'Glossary',
        'comparison.md': 'Comparison',
      }),
    ],
  },
  {
    title: 'Guides',
    groups: [
      group('Guides', {
        'guide/README.md': 'Overview',
        'guide/1-first-service.md': '1. First service',
        'guide/2-ui-on-mocks.md': '2. UI on mocks',
        'guide/3-client.md': '3. Client in React',
        'guide/4-nesting-and-links.md': '4. Nested resources and links',
        'guide/5-filters-and-include.md': '5. Filters, search and paging',
        'guide/6-versions-and-retirement.md': '6. Versions and retirement',
        'guide/7-postgresql-and-fleets.md': '7. PostgreSQL and several instances',
        'guide/8-linting-another-teams-api.md': "8. Another team's API",
        'guide/9-from-json-server.md': '9. From json-server',
        'guide/10-from-express.md': '10. From Express',
        'guide/11-authentication.md': '11. Authentication',
        'guide/12-follow-changes.md': '12. Follow changes',
        'guide/13-webhooks.md': '13. Webhooks',
      }),
      group('Extend a service', {
        'extending.md': 'Overview',
        'rules.md': 'Validation rules',
        'computed-fields.md': 'Computed fields',
        'custom-filters.md': 'Custom filters',
        'custom-operations.md': 'Custom operations',
        'transactions.md': 'Transactions',
        'hooks.md': 'After-commit hooks',
        'history.md': 'History (audit log)',
        'follow-changes.md': 'Event streams',
        'webhooks.md': 'Webhooks',
      }),
      group('Integrate', {
        'in-your-framework.md': 'Hono, Next.js, Express, Bun, Deno',
        'fastify-plugin.md': 'Fastify plugin',
        'existing-database.md': 'Existing PostgreSQL database',
        'bulk-load.md': 'Bulk load and export',
        'recipes.md': 'Recipes',
      }),
    ],
  },
  {
    title: 'Reference',
    groups: [
      group('Declare and call', {
        'declarations.md': 'Declarations',
        'fields.md': 'Field options and recipes',
        'client.md': 'Client',
        'mocks.md': 'Mocks',
        'openapi.md': 'OpenAPI documents',
        'console.md': 'Admin console',
      }),
      group('Settings and errors', {
        'commands.md': 'Commands and flags',
        'configuration.md': 'Configuration',
        'limits.md': 'Limits, rate limiting, CORS',
        'problems.md': 'Problem codes (errors)',
        'metrics.md': 'Metrics',
      }),
      group('Conventions', {
        'cheat-sheet.md': 'Cheat sheet',
        'conventions.md': 'Conventions explained',
        'specification.md': 'Specification',
        'lint.md': 'nomen lint',
        'lint-rules.md': 'Lint rules',
        'lint-public.md': 'Lint findings in public APIs',
        'check.md': 'nomen check',
        'diff.md': 'nomen diff',
      }),
      group('Packages', {
        'api/README.md': 'Overview',
        'api/core.md': '@nomen/core',
        'api/core-bulk.md': '@nomen/core/bulk',
        'api/core-client.md': '@nomen/core/client',
        'api/core-mocks.md': '@nomen/core/mocks',
        'api/core-openapi.md': '@nomen/core/openapi',
        'api/core-usage.md': '@nomen/core/usage',
        'api/server.md': '@nomen/server',
        'api/server-admin.md': '@nomen/server/admin',
        'api/server-fastify.md': '@nomen/server/fastify',
        'api/server-fetch.md': '@nomen/server/fetch',
        'api/server-ship.md': '@nomen/server/ship',
        'api/conventions.md': '@nomen/conventions',
      }),
    ],
  },
  {
    title: 'Operate',
    groups: [
      group('Run a service', {
        'operations.md': 'Overview',
        'deploy.md': 'Deploy',
        'containers.md': 'Containers',
        'platforms.md': 'Platforms',
        'authentication.md': 'Authentication',
        'authorization.md': 'Authorization, multi-tenancy',
        'observability.md': 'Health, metrics, logging, tracing',
        'backup.md': 'Backup and restore',
        'capacity.md': 'Capacity',
        'shipping.md': 'Log shipping',
        'usage.md': 'API usage and retirement',
        'upgrade.md': 'Upgrade and support policy',
      }),
      group('PostgreSQL', {
        'postgresql.md': 'Connections, replicas, failover',
        'schema-changes.md': 'Schema changes',
        'managed-postgresql.md': 'Managed PostgreSQL',
        'distributed-postgresql.md': 'Distributed PostgreSQL',
      }),
    ],
  },
  {
    title: 'Explanation',
    groups: [
      group('Explanation', {
        'architecture.md': 'Architecture',
        'reliability.md': 'Reliability',
        'traceability.md': 'Rules and their tests',
        '/bench/README.md': 'Benchmarks',
        '/SECURITY.md': 'Security',
        'decisions/README.md': 'Decisions',
      }),
    ],
  },
  {
    title: 'Help',
    groups: [
      group('Help', {
        'troubleshooting.md': 'Troubleshooting',
        'faq.md': 'FAQ',
        'limitations.md': 'Limitations',
        'roadmap.md': 'Roadmap',
        '/CONTRIBUTING.md': 'Contribute',
        '/CODE_OF_CONDUCT.md': 'Code of conduct',
        '/CHANGELOG.md': 'Changelog',
      }),
    ],
  },
]

/** Pages that are not in the sidebar: the home page, and the decisions, which their own index lists. */
export const otherPages: readonly string[] = ['docs/README.md', 'docs/decisions/*.md']
