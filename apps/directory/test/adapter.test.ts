// The same requests to the same database through every adapter: node:http, Fastify and fetch.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { directoryService } from '../src/index.ts'
import { type Adapters, comparable, openAdapters, type ReceivedResponse } from './adapters.ts'

type Request = [method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', url: string, body?: string | undefined]

const json = { 'content-type': 'application/json' }
const headers = [{}, json, { ...json, 'if-match': '"stale"' }]
/** How a content type is read does not depend on the operation: one path gets them. */
const contentTypes = ['text/plain', 'json', '', 'application/json/more', 'a b', '; charset=utf-8']
const allHeaders = [...headers, ...contentTypes.map((type) => ({ 'content-type': type }))]
const tooLarge = `{"more":"${'x'.repeat(2 ** 20)}"}`

/** Requests to all operations that do not change data: reads, and invalid writes. */
function requests(): Request[] {
  const { operations } = directoryService({ users: 0 })
  return operations.flatMap(({ method, path }): Request[] => {
    const urls = ['1', '999999', 'x'].map((value) => path.replaceAll(/\{[^}]*\}/g, value))
    if (method === 'GET') {
      const targets = urls.flatMap((url) => [url, `${url}?pageSize=2&pageNumber=2`, `${url}?nothing=1`])
      return targets.flatMap((url): Request[] => [
        ['GET', url],
        ['HEAD', url],
        ['GET', url, '{}'],
        ['HEAD', url, '{}'],
      ])
    }
    // An unknown parameter or a missing record may be reported before or after an invalid body.
    urls.push(`${urls[0]}?nothing=1`)
    const bodies = ['', '{', '[]', '{"nothing":1}']
    // DELETE ignores the body, and would delete an existing record.
    const writeTargets = method === 'DELETE' ? urls.slice(1) : urls
    return [
      ...writeTargets.flatMap((url) => bodies.map((body): Request => [method, url, body])),
      [method, `${writeTargets[0]}`, tooLarge],
    ]
  })
}

/** Requests to paths and methods that are not operations. */
const otherRequests: Request[] = [
  ['GET', '/no-such-path-at-all'],
  ['GET', '/user/'],
  ['GET', '/user/1/nothing'],
  ['DELETE', '/user'],
  ['GET', '/docs'],
  ['GET', '/usage?since=banana'],
  ['GET', '/health/live'],
]

let adapters: Adapters
beforeAll(async () => {
  adapters = await openAdapters()
})
afterAll(() => adapters?.close())

/** A fetch request cannot have a body with GET or HEAD. */
function isPossible(name: string, [method, , body]: Request): boolean {
  return name !== 'fetch' || body === undefined || body === '' || (method !== 'GET' && method !== 'HEAD')
}

function headersFor([, url, body]: Request): Record<string, string>[] {
  if (body === undefined) return [{}, { 'accept-encoding': 'gzip' }]
  return url.startsWith('/user') && url.split('/').length < 4 ? allHeaders : headers
}

describe('a request', () => {
  const allRequests = [...requests(), ...otherRequests]
  it.each([...new Set(allRequests.map(([method]) => method))])(
    '%s has the same response through every adapter',
    async (method) => {
      let comparedCount = 0
      for (const request of allRequests.filter(([candidate]) => candidate === method)) {
        const [, url, body] = request
        for (const extraHeaders of headersFor(request)) {
          const responses = new Map<string, ReceivedResponse>()
          for (const [name, send] of adapters.senders) {
            if (!isPossible(name, request)) continue
            responses.set(name, comparable(await send(method, url, body, { ...extraHeaders, 'x-request-id': 'same' })))
          }
          const expected = responses.get('node')
          for (const [name, response] of responses) {
            expect(response, `${method} ${url} ${body?.slice(0, 20)} by ${name}`).toEqual(expected)
            comparedCount++
          }
        }
      }
      expect(comparedCount).toBeGreaterThan(20)
    },
  )
})
