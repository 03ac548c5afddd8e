// The same requests to the same database through every adapter: node:http, Fastify and fetch.
import { open } from '@nomen/server'
import { plugin } from '@nomen/server/fastify'
import { inject } from '@nomen/testing/inject'
import { testDatabase } from '@nomen/testing/test-database'
import fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { directoryService } from '../src/index.ts'

type Request = [method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', url: string, body?: string | undefined]

const json = { 'content-type': 'application/json' }
const headers = [
  ...[{}, json, { 'content-type': 'text/plain' }, { ...json, 'if-match': '"stale"' }],
  ...['json', '', 'application/json/more', 'a b', '; charset=utf-8'].map((type) => ({ 'content-type': type })),
]

/** Requests to all operations that change nothing: reads, and writes that are refused in many ways. */
function requests(): Request[] {
  const { operations } = directoryService({ users: 0 })
  return operations.flatMap(({ method, path }): Request[] => {
    const urls = ['1', '999999', 'x'].map((value) => path.replaceAll(/\{[^}]*\}/g, value))
    if (method === 'GET') {
      const asked = urls.flatMap((url) => [url, `${url}?pageSize=2&pageNumber=2`, `${url}?nothing=1`])
      return asked.flatMap((url): Request[] => [
        ['GET', url],
        ['HEAD', url],
        ['GET', url, '{}'],
        ['HEAD', url, '{}'],
      ])
    }
    // An unknown parameter, and a record that does not exist, are found before or after the body.
    urls.push(`${urls[0]}?nothing=1`)
    const refused = ['', '{', '[]', '{"nothing":1}', `{"more":"${'x'.repeat(2 ** 20)}"}`]
    // An existing record would be deleted, whatever the body.
    const given = method === 'DELETE' ? urls.slice(1) : urls
    return given.flatMap((url) => refused.map((body): Request => [method, url, body]))
  })
}

/** Requests to paths and methods that are not operations. */
const others: Request[] = [
  ['GET', '/nothing'],
  ['GET', '/user/'],
  ['GET', '/user/1/nothing'],
  ['DELETE', '/user'],
  ['GET', '/docs'],
  ['GET', '/usage?since=banana'],
  ['GET', '/health/live'],
]

interface Response {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
}

type Send = (
  method: string,
  url: string,
  body: string | undefined,
  headers: Record<string, string>,
) => Promise<Response>

const prefix = '/mounted'
const adapters = new Map<string, Send>()
const closing: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  const service = directoryService({ users: 20 })
  const database = await testDatabase()
  // No request is refused because the machine is busy with other tests.
  const settings = { database: database.address, waitLimit: 0 }
  const directory = await open(service, settings)
  const app = fastify()
  await app.register(plugin(service, settings), { prefix })
  closing.push(
    () => directory.close(),
    () => app.close(),
    () => database.remove(),
  )
  adapters.set('node', async (method, url, payload, headers) => {
    const answer = await inject(directory, { method: method as 'GET', url, headers, ...(payload && { payload }) })
    return { status: answer.statusCode, headers: answer.headers, text: answer.body }
  })
  adapters.set('fetch', async (method, url, body, headers) => {
    const answer = await directory.fetch(`http://localhost${url}`, {
      method,
      headers: { ...headers, ...(body && { 'content-length': `${Buffer.byteLength(body)}` }) },
      redirect: 'manual',
      // Of text, a Request would set the Content-Type.
      ...(body && { body: Buffer.from(body) }),
    })
    return { status: answer.status, headers: Object.fromEntries(answer.headers), text: await answer.text() }
  })
  adapters.set('Fastify', async (method, url, payload, headers) => {
    const answer = await app.inject({
      method: method as 'GET',
      url: prefix + url,
      headers,
      ...(payload && { payload }),
    })
    return { status: answer.statusCode, headers: answer.headers, text: answer.body }
  })
})

afterAll(async () => {
  for (const close of closing) await close()
})

/** The parts of a response that an adapter must not change. The prefix of a mounted service is in paths that it names. */
function comparable({ status, headers, text }: Response): Response {
  const { date: _date, connection: _connection, 'content-length': length, ...rest } = headers
  return {
    status,
    headers: { ...rest, hasLength: length !== undefined, location: headers.location && unmounted(headers.location) },
    text: unmounted(text),
  }
}

function unmounted(text: unknown): string {
  return `${text}`.replaceAll(prefix, '')
}

/** A fetch request cannot have a body with GET or HEAD. */
function isPossible(name: string, [method, , body]: Request): boolean {
  return name !== 'fetch' || body === undefined || body === '' || (method !== 'GET' && method !== 'HEAD')
}

describe('a request', () => {
  const all = [...requests(), ...others]
  it.each([...new Set(all.map(([method]) => method))])(
    '%s has the same response through every adapter',
    async (method) => {
      let compared = 0
      for (const request of all.filter(([other]) => other === method)) {
        const [, url, body] = request
        for (const more of body === undefined ? [{}, { 'accept-encoding': 'gzip' }] : headers) {
          const responses = new Map<string, Response>()
          for (const [name, send] of adapters) {
            if (!isPossible(name, request)) continue
            responses.set(name, comparable(await send(method, url, body, { ...more, 'x-request-id': 'same' })))
          }
          const expected = responses.get('node')
          for (const [name, response] of responses) {
            expect(response, `${method} ${url} ${body?.slice(0, 20)} by ${name}`).toEqual(expected)
            compared++
          }
        }
      }
      expect(compared).toBeGreaterThan(20)
    },
  )
})
