/** A small service that follows the conventions, written by hand and in memory: books, authors, awards, reviews, tags. */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Behavior, correctBehavior, type LibraryRequest } from './library-behavior.ts'
import { type Store, sampleStore } from './library-data.ts'
import { responseTo } from './library-response.ts'

export interface Library {
  readonly base: string
  readonly store: Store
  readonly lines: () => string
  close(): Promise<void>
}

/** Serves the library on a free port; the members of `changes` replace the correct behavior. */
export async function library(changes: Partial<Behavior> = {}): Promise<Library> {
  const { store, lines, respond } = libraryInMemory(changes)
  const server = createServer(async (request, response) => {
    const { status, headers, text } = respond(await readRequest(request), `127.0.0.1:${request.socket.remotePort}`)
    response.writeHead(status, headers).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    store,
    lines,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The library without a port: a function to use as the global `fetch`. */
export function libraryFetch(changes: Partial<Behavior>, store?: Store): typeof fetch {
  const { respond } = libraryInMemory(changes, store)
  return async (url, { method = 'GET', headers, body } = {}) => {
    const response = respond({ method, url: new URL(`${url}`), headers: new Headers(headers), text: `${body ?? ''}` })
    const isEmpty = response.status === 204 || method === 'HEAD'
    return new Response(isEmpty ? null : response.text, { status: response.status, headers: response.headers })
  }
}

interface Received {
  readonly method: string
  readonly url: URL
  readonly headers: Headers
  readonly text: string
}

function libraryInMemory(changes: Partial<Behavior>, store = sampleStore()) {
  const behavior = { ...correctBehavior, ...changes }
  let lines = ''
  const respond = (received: Received, peer = '127.0.0.1:1') => {
    const request = behavior.onRequest(libraryRequest(received))
    const { status, headers, body } = behavior.onResponse(responseTo(request, store, behavior), request, store)
    const text = body === undefined ? '' : JSON.stringify(body)
    const requestLine = `${received.method} ${received.url.pathname}${received.url.search} HTTP/1.1`
    const line = behavior.log(
      `${peer} - - [15/11/2026:03:29:00 +0000] "${requestLine}" ${status} ${Buffer.byteLength(text)} "-" "${received.headers.get('user-agent')}"`,
    )
    if (line !== undefined) lines += `${line}\n`
    return { status, headers: { 'content-type': 'application/json', ...headers }, text }
  }
  return { store, lines: () => lines, respond }
}

async function readRequest(request: IncomingMessage): Promise<Received> {
  let text = ''
  for await (const part of request) text += part
  const headers = new Headers(Object.entries(request.headers).map(([name, value]) => [name, `${value}`]))
  return { method: `${request.method}`, url: new URL(`${request.url}`, 'http://library'), headers, text }
}

function libraryRequest({ method, url, headers, text }: Received): LibraryRequest {
  return {
    method,
    parts: url.pathname.split('/').slice(1).map(decodeURIComponent),
    query: [...url.searchParams],
    type: headers.get('content-type') ?? '',
    authorization: headers.get('authorization') ?? undefined,
    text,
    target: `${url.pathname}${url.search}`,
  }
}
