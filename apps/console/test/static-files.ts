/** Serves the files of a folder, like any web server. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'

const types: { readonly [extension: string]: string } = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
}

/** Serves the folder below `/some/where/` on a free port. `settings` replaces its settings.json. */
export async function serveStaticFiles(
  folder: string,
  settings?: () => object,
): Promise<{ readonly url: string; close(): void }> {
  const server = createServer(({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://localhost')
    const name = pathname.replace('/some/where/', '') || 'index.html'
    try {
      const isReplaced = settings !== undefined && name === 'settings.json'
      const file = isReplaced ? JSON.stringify(settings()) : readFileSync(join(folder, name))
      response.writeHead(200, { 'content-type': types[extname(name)] ?? 'text/plain' }).end(file)
    } catch {
      response.writeHead(404).end()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/some/where/`, close }
}
