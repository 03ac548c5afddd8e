/** A service with one list that is robust, except for the faults that a test sets. */
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

export interface FragileRequest {
  readonly method: string
  readonly target: string
  readonly text: string
  readonly headers: IncomingMessage['headers']
}

export interface Fragility {
  /** Responds with a fault; undefined for the default response. */
  readonly respond?: (received: FragileRequest) => FragileResponse | 'nothing' | undefined
  /** The response to CONNECT. @default rejected */
  readonly tunnel?: 'closed' | 'opened'
  /** Changes a log line, or drops it. */
  readonly log?: (line: string, received: FragileRequest) => string | undefined
}

interface FragileResponse {
  readonly status: number
  readonly body: unknown
  readonly type?: string
}

export interface Fragile {
  readonly base: string
  readonly lines: () => string
  close(): Promise<void>
}

const record = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'integer' }, name: { type: 'string' } },
}
const problem = {
  description: 'refused',
  content: { 'application/problem+json': { schema: { type: 'object', required: ['type', 'title', 'status'] } } },
}
const jsonResponse = (schema: object) => ({
  description: 'the record or the list',
  content: { 'application/json': { schema } },
})
const body = {
  content: {
    'application/json': { schema: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } } },
  },
}
const path = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } }

const document = {
  openapi: '3.1.0',
  info: { title: 'fragile', version: '1' },
  paths: {
    '/thing': {
      get: {
        parameters: [{ name: 'name', in: 'query', schema: { type: 'string' } }],
        responses: {
          200: jsonResponse({
            type: 'object',
            properties: { pageInfo: {}, results: { type: 'array', items: record } },
          }),
          '4XX': problem,
        },
      },
      post: { requestBody: body, responses: { 201: jsonResponse(record), '4XX': problem } },
    },
    // Without its parameter, the response is 400.
    '/search': {
      get: {
        parameters: [{ name: 'query', in: 'query', required: true, schema: { type: 'string' } }],
        responses: { 200: jsonResponse({ type: 'object' }), '4XX': problem },
      },
    },
    '/thing/{id}': { get: { parameters: [path], responses: { 200: jsonResponse(record), '4XX': problem } } },
  },
}

const problemResponse = (status: number): FragileResponse => ({
  status,
  body: { type: 'about:blank', title: 'Refused', status },
  type: 'application/problem+json',
})

function defaultResponse({ method, target, text }: FragileRequest): FragileResponse {
  const [path = '', query = ''] = target.split('?')
  if (path === '/openapi.json') return { status: 200, body: document }
  if (path === '/thing' && method === 'POST') {
    try {
      const { name } = JSON.parse(text)
      return typeof name === 'string' ? { status: 201, body: { id: 2, name } } : problemResponse(400)
    } catch {
      return problemResponse(400)
    }
  }
  if (method !== 'GET' && method !== 'HEAD') return problemResponse(405)
  if (path === '/search') return /^query=[^&]/.test(query) ? { status: 200, body: {} } : problemResponse(400)
  if (path === '/thing/1') return { status: 200, body: { id: 1, name: 'One' } }
  if (path !== '/thing') return problemResponse(404)
  const isAll = query === '' || query.startsWith('pageSize=') || query.startsWith('pageNumber=')
  const results = isAll ? [{ id: 1, name: 'One' }] : []
  return {
    status: 200,
    body: { pageInfo: { pageSize: 10, pageNumber: 1, numberOfPages: 1, numberOfRecords: results.length }, results },
  }
}

/** Serves the fragile service on a free port. */
export async function fragile({ respond, tunnel, log = (line) => line }: Fragility = {}): Promise<Fragile> {
  let lines = ''
  const note = (port: number | undefined, line: string, status: number, received: FragileRequest, agent = '-') => {
    const written = log(
      `127.0.0.1:${port} - - [15/11/2026:03:29:00 +0000] "${line}" ${status} 0 "-" "${agent}"`,
      received,
    )
    if (written !== undefined) lines += `${written}\n`
  }
  const reject = (socket: Socket) => {
    if (!socket.writable) return
    const text = JSON.stringify(problemResponse(400).body)
    socket.end(`HTTP/1.1 400 Bad Request\r\ncontent-type: application/problem+json\r\nconnection: close\r\n\r\n${text}`)
    note(socket.remotePort, '- - -', 400, { method: '', target: '', text: '', headers: {} })
  }
  const serve: RequestListener = async (request, response) => {
    let text = ''
    try {
      for await (const part of request) text += part
    } catch {
      return
    }
    // The following bytes were not HTTP, and were rejected.
    if (!request.socket.writable) return
    const { method = '', url: target = '', headers } = request
    const received = { method, target, text, headers }
    const reply = respond?.(received) ?? defaultResponse(received)
    if (reply === 'nothing') return void request.socket.destroy()
    send(response, reply)
    const agent = headers['user-agent']?.replaceAll(/[^\w.-]/g, '_')
    note(
      request.socket.remotePort,
      `${method} ${target.replaceAll(/[^\x21-\x7e]|["\\]/g, '_')} HTTP/1.1`,
      reply.status,
      received,
      agent,
    )
  }
  const server = createServer({ requireHostHeader: false }, serve)
  server.on('checkExpectation', serve)
  // without a listener Node closes the connection
  if (tunnel !== 'closed')
    server.on('connect', (_, socket) => {
      if (tunnel === 'opened') socket.end('HTTP/1.1 200 Connection Established\r\n\r\n')
      else reject(socket as Socket)
    })
  server.on('clientError', (_, socket) => reject(socket as Socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lines: () => lines,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function send(response: ServerResponse, { status, body: content, type = 'application/json' }: FragileResponse): void {
  response.writeHead(status, { 'content-type': type })
  response.end(JSON.stringify(content))
}
