/** `npm run console:mock`: serves the built console with the mocks of the directory, as static files. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'
import { build, type Rolldown } from 'vite'

const root = join(import.meta.dirname, '..')
const built = join(root, 'packages/cli/static/console')

const types: { readonly [extension: string]: string } = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
}

async function mockFiles(): Promise<Map<string, string | Uint8Array>> {
  const result = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      target: 'es2024',
      rolldownOptions: {
        input: join(root, 'apps/directory/console-mock/mock.ts'),
        output: { entryFileNames: 'mock.js', chunkFileNames: 'mock-[name].js' },
      },
    },
  })
  const { output } = result as Rolldown.RolldownOutput
  const files = output.map(
    (file) => [`/console/${file.fileName}`, file.type === 'chunk' ? file.code : file.source] as const,
  )
  const settings = JSON.stringify({ title: 'Directory', environment: 'mocks', documents: ['../v1/openapi.json'] })
  return new Map<string, string | Uint8Array>([
    ...files,
    ['/console/settings.json', settings],
    ['/console/', mockPage()],
    ['/mockServiceWorker.js', readFileSync(join(root, 'node_modules/msw/lib/mockServiceWorker.js'))],
  ])
}

/** The page of the console, with a script that waits for the mocks. */
function mockPage(): string {
  const page = readFileSync(join(built, 'index.html'), 'utf8')
  const script = /<script type="module"[^>]*src="([^"]*)"><\/script>/
  return page.replace(script, '<script type="module" src="./mock.js" data-console="$1"></script>')
}

function staticFile(path: string): Uint8Array | undefined {
  const name = normalize(path).replaceAll('\\', '/')
  if (!name.startsWith('/console/') || name.includes('..')) return undefined
  try {
    return readFileSync(join(built, name.slice('/console/'.length)))
  } catch {
    return undefined
  }
}

const files = await mockFiles()
const server = createServer(({ url = '/' }, response) => {
  const { pathname } = new URL(url, 'http://localhost')
  if (pathname === '/' || pathname === '/console') {
    response.writeHead(302, { location: '/console/' }).end()
    return
  }
  const file = files.get(pathname) ?? staticFile(pathname)
  const type = types[extname(pathname) || '.html'] ?? 'application/octet-stream'
  if (file === undefined) response.writeHead(404, { 'content-type': 'application/json' }).end('null')
  else response.writeHead(200, { 'content-type': type, 'cache-control': 'no-cache' }).end(file)
})
server.listen(Number(process.env.PORT ?? 3001), '127.0.0.1')
await once(server, 'listening')
console.log(`The console on mocks: http://127.0.0.1:${(server.address() as AddressInfo).port}/console/`)
