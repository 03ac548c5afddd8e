/** The files other than code: package.json, compiler settings, README and .gitignore. */
import type { PackageDependencies } from '../dependency.ts'
import type { Project } from '../project.ts'

/** Development dependencies, in addition to the packages of Nomen. */
const tools = {
  '@types/node': '^26.6.6',
  msw: '^3.0.4',
  typescript: '^7.0.2',
  vitest: '^5.1.0',
} as const

export function manifestFile({ name }: Project, { dependencies, devDependencies }: PackageDependencies): string {
  const manifest = {
    name,
    version: '0.0.0',
    private: true,
    type: 'module',
    engines: { node: '^22.18.0 || >=24' },
    scripts: {
      dev: 'nomen serve --watch',
      start: 'nomen serve',
      test: 'npm run types && npm run lint && vitest run',
      types: 'tsc',
      lint: 'nomen lint',
      check: 'nomen check http://127.0.0.1:3000',
      call: 'node src/call.ts',
    },
    dependencies,
    devDependencies: { ...tools, ...devDependencies },
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

/** Private settings; .gitignore excludes the file. */
export function environmentFile(database: string): string {
  return `# nomen reads this file in the current folder. Environment variables override it.\nDATABASE_URL="${database}"\n`
}

/** The commands that adopt existing tables. */
const adoptCommands = `export DATABASE_URL=postgres://…   # the database that the declarations were read from
npx nomen migrate --adopt --plan   # compares its tables with the declarations, and changes nothing
npx nomen migrate --adopt          # adds tables and triggers of Nomen; your tables keep their columns
`

export function readmeFile({ name, version, nouns, database, isAdopted = false }: Project): string {
  const path = `${version === undefined ? '' : `/v${version}`}/${nouns[0].name}`
  const storage = isAdopted
    ? 'The service uses the database that the declarations were read from. Set `DATABASE_URL` to its URL: no file of this project contains its password.'
    : database === undefined
      ? `Records are stored in \`data/${name}.db\`. Set \`DATABASE_URL=postgres://…\` to store them in PostgreSQL.`
      : 'Records are stored in the PostgreSQL database of `DATABASE_URL` in `.env`, which git ignores.'
  return `# ${name}

\`\`\`sh
npm install
${isAdopted ? adoptCommands : ''}npm run dev      # starts the service on http://127.0.0.1:3000 and reloads on changes; /docs is the API reference
npm test         # checks types, lints and runs the tests
\`\`\`

| | |
|---|---|
| \`src/nouns.ts\` | the stored fields; add one and save, and the API has it |
| \`src/api.ts\` | lists, filters, lookups and nested resources |
| \`service.ts\` | the service, with its rules |
| \`src/mocks.ts\`, \`src/data.ts\` | mocks for user interfaces, and their records |
| \`src/call.ts\` | a call with the typed client: \`npm run call\` |
| \`test/\` | tests of the service in process, and of a client on the mocks |

\`\`\`sh
curl 'http://127.0.0.1:3000${path}?pageSize=2'
npm run check    # checks the running service against the conventions
npm run lint     # checks the declarations against the conventions
\`\`\`

${storage} Run \`npx nomen --help\` for all commands.
`
}
