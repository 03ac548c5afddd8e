/** A server of an attacker: it allows requests from every page, and records them. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ReceivedRequest {
  readonly method: string
  readonly path: string
  /** Method, URL, headers and body in one text. */
  readonly text: string
}

export interface Recorder {
  readonly url: string
  readonly received: ReceivedRequest[]
  /** Response bodies by path. Other paths return an empty page of a list. */
  readonly responses: Map<string, unknown>
  /** Redirects: the target by path. */
  readonly redirects: Map<string, string>
  close(): void
}

const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': '*, authorization',
  'access-control-allow-methods': '*',
}

const emptyPage = { pageInfo: { pageSize: 10, pageNumber: 1, numberOfPages: 0, numberOfRecords: 0 }, results: [] }

export async function startRecorder(): Promise<Recorder> {
  const received: ReceivedRequest[] = []
  const responses = new Map<string, unknown>()
  const redirects = new Map<string, string>()
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    const text = [request.method, request.url, ...request.rawHeaders, `${Buffer.concat(chunks)}`].join('\n')
    if (request.method !== 'OPTIONS') received.push({ method: request.method ?? '', path, text })
    const location = redirects.get(path)
    if (location !== undefined && request.method !== 'OPTIONS') {
      response.writeHead(307, { ...corsHeaders, location }).end()
      return
    }
    response.writeHead(200, { ...corsHeaders, 'content-type': 'application/json' })
    response.end(JSON.stringify(responses.get(path) ?? emptyPage))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received, responses, redirects, close }
}
