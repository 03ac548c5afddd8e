/** A service of one list that takes any request calmly, unless it is told to be fragile in some way. */
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

export interface Asked {
  readonly method: string
  readonly target: string
  readonly text: string
  readonly headers: IncomingMessage['headers']
}

export interface Fragility {
  /** Answers in another way than it should; undefined where it answers as usual. */
  readonly answer?: (asked: Asked) => Given | 'nothing' | undefined
  /** What becomes of CONNECT; it is refused unless said otherwise. */
  readonly tunnel?: 'closed' | 'opened'
  /** Writes another line than it should, or none. */
  readonly log?: (line: string, asked: Asked) => string | undefined
}

interface Given {
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
const given = (schema: object) => ({ description: 'as asked', content: { 'application/json': { schema } } })
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
          200: given({ type: 'object', properties: { pageInfo: {}, results: { type: 'array', items: record } } }),
          '4XX': problem,
        },
      },
      post: { requestBody: body, responses: { 201: given(record), '4XX': problem } },
    },
    '/thing/{id}': { get: { parameters: [path], responses: { 200: given(record), '4XX': problem } } },
  },
}

const refused = (status: number): Given => ({
  status,
  body: { type: 'about:blank', title: 'Refused', status },
  type: 'application/problem+json',
})

function answerTo({ method, target, text }: Asked): Given {
  const [place = '', query = ''] = target.split('?')
  if (place === '/openapi.json') return { status: 200, body: document }
  if (place === '/thing' && method === 'POST') {
    try {
      const { name } = JSON.parse(text)
      return typeof name === 'string' ? { status: 201, body: { id: 2, name } } : refused(400)
    } catch {
      return refused(400)
    }
  }
  if (method !== 'GET' && method !== 'HEAD') return refused(405)
  if (place === '/thing/1') return { status: 200, body: { id: 1, name: 'One' } }
  if (place !== '/thing') return refused(404)
  const isAll = query === '' || query.startsWith('pageSize=') || query.startsWith('pageNumber=')
  const results = isAll ? [{ id: 1, name: 'One' }] : []
  return {
    status: 200,
    body: { pageInfo: { pageSize: 10, pageNumber: 1, numberOfPages: 1, numberOfRecords: results.length }, results },
  }
}

/** Serves it on a free port. */
export async function fragile({ answer, tunnel, log = (line) => line }: Fragility = {}): Promise<Fragile> {
  let lines = ''
  const note = (port: number | undefined, line: string, status: number, asked: Asked, agent = '-') => {
    const one = log(`127.0.0.1:${port} - - [15/11/2026:03:29:00 +0000] "${line}" ${status} 0 "-" "${agent}"`, asked)
    if (one !== undefined) lines += `${one}\n`
  }
  const refuse = (socket: Socket) => {
    if (!socket.writable) return
    const text = JSON.stringify(refused(400).body)
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
    // what followed was no HTTP, and has been refused
    if (!request.socket.writable) return
    const { method = '', url: target = '', headers } = request
    const asked = { method, target, text, headers }
    const found = answer?.(asked) ?? answerTo(asked)
    if (found === 'nothing') return void request.socket.destroy()
    send(response, found)
    const agent = headers['user-agent']?.replaceAll(/[^\w.-]/g, '_')
    note(
      request.socket.remotePort,
      `${method} ${target.replaceAll(/[^\x21-\x7e]|["\\]/g, '_')} HTTP/1.1`,
      found.status,
      asked,
      agent,
    )
  }
  const server = createServer({ requireHostHeader: false }, serve)
  server.on('checkExpectation', serve)
  // without a listener Node closes the connection
  if (tunnel !== 'closed')
    server.on('connect', (_, socket) => {
      if (tunnel === 'opened') socket.end('HTTP/1.1 200 Connection Established\r\n\r\n')
      else refuse(socket as Socket)
    })
  server.on('clientError', (_, socket) => refuse(socket as Socket))
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

function send(response: ServerResponse, { status, body: content, type = 'application/json' }: Given): void {
  response.writeHead(status, { 'content-type': type })
  response.end(JSON.stringify(content))
}
