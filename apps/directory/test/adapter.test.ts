// The same requests to the same database through every adapter: node:http, Fastify and fetch.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { headersFor, isFetchable, requests } from './adapter-request.ts'
import { type Adapters, comparable, openAdapters, type ReceivedResponse } from './adapters.ts'

let adapters: Adapters
beforeAll(async () => {
  adapters = await openAdapters()
})
afterAll(() => adapters?.close())

describe('a request', () => {
  it.each([...new Set(requests.map(([method]) => method))])(
    '%s has the same response through every adapter',
    async (method) => {
      let comparedCount = 0
      for (const request of requests.filter(([candidate]) => candidate === method)) {
        const [, url, body] = request
        for (const extraHeaders of headersFor(request)) {
          const responses = new Map<string, ReceivedResponse>()
          for (const [name, send] of adapters.senders) {
            if (name === 'fetch' && !isFetchable(request)) continue
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
