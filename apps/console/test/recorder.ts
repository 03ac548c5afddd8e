/** A server of an attacker: it lets every page ask it, and records all that it receives. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  readonly method: string
  readonly path: string
  /** Method, URL, headers and body in one text. */
  readonly text: string
}

export interface Recorder {
  readonly url: string
  readonly received: Received[]
  /** Answers of paths; every other path is an empty page of a list. */
  readonly answers: Map<string, unknown>
  /** Paths that redirect, and where to. */
  readonly redirects: Map<string, string>
  close(): void
}

const open = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': '*, authorization',
  'access-control-allow-methods': '*',
}

const emptyPage = { pageInfo: { pageSize: 10, pageNumber: 1, numberOfPages: 0, numberOfRecords: 0 }, results: [] }

export async function startRecorder(): Promise<Recorder> {
  const received: Received[] = []
  const answers = new Map<string, unknown>()
  const redirects = new Map<string, string>()
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    const text = [request.method, request.url, ...request.rawHeaders, `${Buffer.concat(chunks)}`].join('\n')
    if (request.method !== 'OPTIONS') received.push({ method: request.method ?? '', path, text })
    const location = redirects.get(path)
    if (location !== undefined && request.method !== 'OPTIONS') {
      response.writeHead(307, { ...open, location }).end()
      return
    }
    response.writeHead(200, { ...open, 'content-type': 'application/json' })
    response.end(JSON.stringify(answers.get(path) ?? emptyPage))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received, answers, redirects, close }
}
