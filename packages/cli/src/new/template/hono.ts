/** The files of a project that mounts its service in Hono. */
import type { Project } from '../project.ts'
import { databaseSetting, mountedTestFile } from './mount.ts'

export const honoPackages = { hono: '^4.13.17', '@hono/node-server': '^2.1.6' } as const

export const honoScripts = {
  dev: 'node --env-file-if-exists=.env --watch server.ts',
  start: 'node --env-file-if-exists=.env server.ts',
} as const

export function honoFiles(project: Project): Readonly<Record<string, string>> {
  return {
    'server.ts': serverFile(project),
    'src/app.ts': appFile(project),
    'test/app.test.ts': mountedTestFile(project, {
      title: 'The service in Hono',
      imports: "import { app, handler } from '../src/app.ts'",
      send: 'app.request(path, options)',
      close: 'handler.close()',
    }),
  }
}

function appFile(project: Project): string {
  return `/** The Hono application: your own routes, and the service below /api. */
import { fetchHandler } from '@nomen/server/fetch'
import { Hono } from 'hono'
import service from '../service.ts'

${databaseSetting(project)}
export const handler = fetchHandler(service, { database, prefix: '/api' })

export const app = new Hono()
app.get('/', (context) => context.redirect('/api/docs'))
// \`all\` keeps the path; \`mount\` would remove the prefix.
app.all('/api/*', ({ req }) => handler(req.raw))
`
}

function serverFile({ name }: Project): string {
  return `/** Serves the application with Node. */
import { serve } from '@hono/node-server'
import { app, handler } from './src/app.ts'

const { PORT = '3000', HOST = '127.0.0.1' } = process.env
const server = serve({ fetch: app.fetch, port: Number(PORT), hostname: HOST }, ({ address, port }) => {
  console.log(\`${name} is running at http://\${address}:\${port}/api\`)
})

/** Finishes current requests, and closes the database. */
function stop(): void {
  server.close(() => void handler.close())
}
process.once('SIGTERM', stop)
process.once('SIGINT', stop)
`
}
