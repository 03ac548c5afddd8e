/** Serves a page that Vite builds, with the worker of the mocks. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Rolldown } from 'vite'

const types: { readonly [extension: string]: string } = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
}

export interface PageServer {
  /** Ends without a slash. */
  readonly url: string
  close(): void
}

/** Builds the page of the folder's `index.html`. Every other path gets 501 with null. */
export async function servePage(folder: string): Promise<PageServer> {
  const files = new Map(await buildFiles(folder))
  files.set('mockServiceWorker.js', readFileSync(fileURLToPath(import.meta.resolve('msw/mockServiceWorker.js'))))
  const server = createServer(({ url = '/', method }, response) => {
    const name = url === '/' ? 'index.html' : url.slice(1)
    const file = method === 'GET' ? files.get(name) : undefined
    if (file === undefined) response.writeHead(501, { 'content-type': 'application/json' }).end('null')
    else response.writeHead(200, { 'content-type': types[extname(name)] ?? 'text/plain' }).end(file)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }
}

async function buildFiles(folder: string): Promise<[string, string | Uint8Array][]> {
  const result = await build({ root: folder, configFile: false, logLevel: 'error', build: { write: false } })
  const { output } = result as Rolldown.RolldownOutput
  return output.map((file) => [file.fileName, file.type === 'chunk' ? file.code : file.source])
}
