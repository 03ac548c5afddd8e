/** The files of a project that mounts its service in Next.js. */
import { clientProperty } from '../identifier.ts'
import type { Project } from '../project.ts'
import { databaseSetting, mountedTestFile } from './mount.ts'

export const nextPackages = { next: '^16.4.6', react: '^19.2.0', 'react-dom': '^19.2.0' } as const
export const nextTools = { '@types/react': '^19.2.0' } as const

export const nextScripts = { dev: 'next dev', build: 'next build', start: 'next start' } as const

/** Settings of the compiler that differ from those of other projects. */
export const nextCompilerOptions = {
  module: 'esnext',
  moduleResolution: 'bundler',
  lib: ['dom', 'dom.iterable', 'esnext'],
  jsx: 'react-jsx',
  esModuleInterop: true,
  isolatedModules: true,
  resolveJsonModule: true,
  allowJs: true,
  incremental: true,
  plugins: [{ name: 'next' }],
} as const

/** Folders of the compiler: the application, and types that Next.js generates. */
export const nextFolders = ['app', '.next/types/**/*.ts', '.next/dev/types/**/*.ts'] as const

export function nextFiles(project: Project): Readonly<Record<string, string>> {
  return {
    'next.config.ts': configFile,
    'next-env.d.ts': '/// <reference types="next" />\n',
    'app/layout.tsx': layoutFile(project),
    'app/page.tsx': pageFile(project),
    'app/api/[...path]/route.ts': routeFile,
    'src/handler.ts': handlerFile(project),
    'test/app.test.ts': mountedTestFile(project, {
      title: 'The route handlers of Next.js',
      imports: "import { GET, POST } from '../app/api/[...path]/route.ts'\nimport { handler } from '../src/handler.ts'",
      send: "(options?.method === 'POST' ? POST : GET)(new Request(new URL(path, 'http://localhost'), options))",
      close: 'handler.close()',
    }),
  }
}

const configFile = `import type { NextConfig } from 'next'

// The server package starts threads from its own files, which a bundler would not find.
const config: NextConfig = { serverExternalPackages: ['@nomen/server'] }

export default config
`

const routeFile = `/** All paths below /api. */
import { handler } from '../../../src/handler.ts'

export const runtime = 'nodejs'
export const dynamic = 'force-dynamic'

const respond = (request: Request): Promise<Response> => handler(request)

export {
  respond as DELETE,
  respond as GET,
  respond as HEAD,
  respond as OPTIONS,
  respond as PATCH,
  respond as POST,
  respond as PUT,
}
`

function handlerFile(project: Project): string {
  return `/** The service below /api. The first request opens it, so that a build does not open the database. */
import { fetchHandler } from '@nomen/server/fetch'
import service from '../service.ts'

${databaseSetting(project)}
export const handler = fetchHandler(service, { database, prefix: '/api' })
`
}

function layoutFile({ name }: Project): string {
  return `import type { ReactNode } from 'react'

export const metadata = { title: '${name}' }

export default function Layout({ children }: { readonly children: ReactNode }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  )
}
`
}

function pageFile({ name, identifier, version, nouns: [first] }: Project): string {
  const option = version === undefined ? '' : `, version: ${version}`
  return `/** Lists records with the typed client. Calls stay in this process. */
import { client } from '@nomen/core/client'
import type { ${identifier} } from '../src/api.ts'
import { handler } from '../src/handler.ts'

export const dynamic = 'force-dynamic'

const api = client<typeof ${identifier}>({
  baseUrl: 'http://localhost/api'${option},
  fetch: (input, options) => handler(new Request(input, options)),
})

export default async function Page() {
  const { results, pageInfo } = await api${clientProperty(first.name)}.list({ pageSize: 10 })
  return (
    <main>
      <h1>${name}</h1>
      <p>
        {pageInfo.numberOfRecords} records. <a href="/api/docs">API reference</a>
      </p>
      <ul>
        {results.map((record) => (
          <li key={record.id}>{JSON.stringify(record)}</li>
        ))}
      </ul>
    </main>
  )
}
`
}
