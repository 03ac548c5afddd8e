/** The files other than code: package.json, compiler settings, README and .gitignore. */
import type { PackageDependencies } from '../dependency.ts'
import type { Project, Template } from '../project.ts'
import { honoPackages, honoScripts } from './hono.ts'
import { mountPath } from './mount.ts'
import { nextCompilerOptions, nextFolders, nextPackages, nextScripts, nextTools } from './next.ts'

/** Development dependencies, in addition to the packages of Nomen. */
const tools = {
  '@types/node': '^26.6.6',
  msw: '^3.0.4',
  typescript: '^7.0.2',
  vitest: '^5.1.0',
} as const

/** The dependencies and npm scripts of a template. */
const templateParts: Readonly<Record<Template, { scripts: object; packages: object; tools: object }>> = {
  plain: { scripts: { dev: 'nomen serve --watch', start: 'nomen serve' }, packages: {}, tools: {} },
  hono: { scripts: honoScripts, packages: honoPackages, tools: {} },
  next: { scripts: nextScripts, packages: nextPackages, tools: nextTools },
}

/** The URL of the running service. */
export function serviceUrl({ template = 'plain' }: Project): string {
  return `http://127.0.0.1:3000${template === 'plain' ? '' : mountPath}`
}

export function manifestFile(project: Project, { dependencies, devDependencies }: PackageDependencies): string {
  const { name, template = 'plain' } = project
  const manifest = {
    name,
    version: '0.0.0',
    private: true,
    type: 'module',
    engines: { node: '^22.18.0 || >=24' },
    scripts: {
      ...templateParts[template].scripts,
      test: 'npm run types && npm run lint && vitest run',
      types: 'tsc',
      lint: 'nomen lint',
      check: `nomen check ${serviceUrl(project)}`,
      call: 'node src/call.ts',
    },
    dependencies: { ...dependencies, ...templateParts[template].packages },
    devDependencies: { ...tools, ...templateParts[template].tools, ...devDependencies },
  }
  return `${JSON.stringify(manifest, null, 2)}\n`
}

export function compilerFile({ template }: Project): string {
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
    ...(template === 'next' && nextCompilerOptions),
  }
  const include = ['*.ts', 'src', 'test', ...(template === 'next' ? nextFolders : [])]
  // Next.js would add this itself, and rewrite the file.
  const exclude = template === 'next' ? ['node_modules'] : undefined
  return `${JSON.stringify({ compilerOptions, include, exclude }, null, 2)}\n`
}

export function ignoreFile({ template }: Project): string {
  return `node_modules/\ndata/\n.env\n${template === 'next' ? '.next/\n*.tsbuildinfo\n' : ''}`
}

/** Private settings; .gitignore excludes the file. */
export function environmentFile(database: string): string {
  return `# nomen reads this file in the current folder. Environment variables override it.\nDATABASE_URL="${database}"\n`
}

/** The commands that adopt existing tables. */
const adoptCommands = `export DATABASE_URL=postgres://…   # the database that the declarations were read from
npx nomen migrate --adopt --plan   # compares its tables with the declarations, and changes nothing
npx nomen migrate --adopt          # adds tables and triggers of Nomen; your tables keep their columns
`

/** The rows of the README for the files of a template. */
const templateRows: Readonly<Record<Template, string>> = {
  plain: '',
  hono: '| `src/app.ts`, `server.ts` | the Hono application with the service below `/api`, and its server |\n',
  next: '| `app/api/`, `src/handler.ts` | the route of Next.js that passes requests below `/api` to the service |\n',
}

export function readmeFile(project: Project): string {
  const { name, version, nouns, database, isAdopted = false, template = 'plain' } = project
  const url = serviceUrl(project)
  const path = `${version === undefined ? '' : `/v${version}`}/${nouns[0].name}`
  const storage = isAdopted
    ? 'The service uses the database that the declarations were read from. Set `DATABASE_URL` to its URL: no file of this project contains its password.'
    : database === undefined
      ? `Records are stored in \`data/${name}.db\`. Set \`DATABASE_URL=postgres://…\` to store them in PostgreSQL.`
      : 'Records are stored in the PostgreSQL database of `DATABASE_URL` in `.env`, which git ignores.'
  return `# ${name}

\`\`\`sh
npm install
${isAdopted ? adoptCommands : ''}npm run dev      # starts the service on ${url} and reloads on changes; ${template === 'plain' ? '' : mountPath}/docs is the API reference
npm test         # checks types, lints and runs the tests
\`\`\`

| | |
|---|---|
| \`src/nouns.ts\` | the stored fields; add one and save, and the API has it |
| \`src/api.ts\` | lists, filters, lookups and nested resources |
| \`service.ts\` | the service, with its rules |
${templateRows[template]}| \`src/mocks.ts\`, \`src/data.ts\` | mocks for user interfaces, and their records |
| \`src/call.ts\` | a call with the typed client: \`npm run call\` |
| \`test/\` | tests of the service in process, and of a client on the mocks |
| \`Dockerfile\`, \`compose.yaml\` | an image of the service, and the service with PostgreSQL: \`DATABASE_PASSWORD=… docker compose up --build\` |

\`\`\`sh
curl '${url}${path}?pageSize=2'
npm run check    # checks the running service against the conventions
npm run lint     # checks the declarations against the conventions
\`\`\`

${storage} Run \`npx nomen --help\` for all commands.
`
}
