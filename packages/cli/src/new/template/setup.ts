/** The files around the code: manifest, compiler settings, README and what git leaves out. */
import type { Project } from '../project.ts'

/** What a project is made with, beside the packages of Nomen. */
const tools = {
  '@types/node': '^26.6.6',
  msw: '^3.0.4',
  typescript: '^7.0.2',
  vitest: '^5.1.0',
} as const

/** `version` is that of the packages of Nomen, which are published together. */
export function manifestFile({ name }: Project, version: string): string {
  const range = `^${version}`
  const manifest = {
    name,
    version: '0.0.0',
    private: true,
    type: 'module',
    engines: { node: '>=24' },
    scripts: {
      dev: 'nomen serve --watch',
      start: 'nomen serve',
      test: 'npm run types && npm run lint && vitest run',
      types: 'tsc',
      lint: 'nomen lint',
      check: 'nomen check http://127.0.0.1:3000',
      call: 'node src/call.ts',
    },
    dependencies: { '@nomen/core': range, '@nomen/server': range },
    devDependencies: { '@nomen/cli': range, ...tools },
  }
  return `${JSON.stringify(manifest, null, 2)}\n`
}

export function compilerFile(): string {
  const compilerOptions = {
    target: 'esnext',
    module: 'nodenext',
    lib: ['esnext'],
    types: ['node'],
    strict: true,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    erasableSyntaxOnly: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    noEmit: true,
  }
  return `${JSON.stringify({ compilerOptions, include: ['*.ts', 'src', 'test'] }, null, 2)}\n`
}

export const ignoreFile = 'node_modules/\ndata/\n.env\n'

/** Settings that are nobody else's business: git leaves the file out. */
export function environmentFile(database: string): string {
  return `# Read by nomen where it is called; what the environment says already counts before it.\nDATABASE_URL="${database}"\n`
}

/** What is done once before tables of others are served. */
const adopting = `export DATABASE_URL=postgres://…   # the database that the declarations were read from
npx nomen migrate --adopt --plan   # compares its tables with the declarations, and changes nothing
npx nomen migrate --adopt          # adds what Nomen needs beside them; their form stays as it is
`

export function readmeFile({ name, version, nouns, database, isAdopted = false }: Project): string {
  const path = `${version === undefined ? '' : `/v${version}`}/${nouns[0].name}`
  const kept = isAdopted
    ? 'Records are those of the database that was read. Its address stands in no file of this project: give it as `DATABASE_URL`.'
    : database === undefined
      ? `Records are kept in \`data/${name}.db\`; \`DATABASE_URL=postgres://…\` keeps them in PostgreSQL instead.`
      : 'Records are kept in the PostgreSQL database that `.env` names as `DATABASE_URL`; git leaves that file out.'
  return `# ${name}

\`\`\`sh
npm install
${isAdopted ? adopting : ''}npm run dev      # serves on http://127.0.0.1:3000, anew when a file changes; /docs shows what there is
npm test         # types, lint, and the tests; all that a pull request must pass
\`\`\`

| | |
|---|---|
| \`src/nouns.ts\` | what is stored: add a field, save, and it is served |
| \`src/api.ts\` | how it is shown: lists, filters, lookups, children |
| \`service.ts\` | what is served, and the rules |
| \`src/mocks.ts\`, \`src/data.ts\` | mocks for user interfaces, and their records |
| \`src/call.ts\` | a call with the typed client: \`npm run call\` |
| \`test/\` | the service in process; a client on the mocks |

\`\`\`sh
curl 'http://127.0.0.1:3000${path}?pageSize=2'
npm run check    # whether the running service keeps the conventions
npm run lint     # whether the declarations do
\`\`\`

${kept} \`npx nomen --help\` tells what else there is.
`
}
