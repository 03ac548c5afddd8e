import { describe, expect, it } from 'vitest'
import { unrestrictedCaller } from '../../define/caller/caller.ts'
import { problemResponse } from '../../message/text-response.ts'
import { HttpMeter } from '../../observe/metrics/http.ts'
import { MetricRegistry } from '../../observe/metrics/registry.ts'
import { Exchange } from '../exchange.ts'
import type { Admit } from './gate.ts'
import { rateLimitGate } from './rate-limit-gate.ts'

const limit = { number: 2, windowMs: 60_000 }

/** A request of a user from an address. */
function request(user: string | undefined, address: string): Exchange {
  const head = { method: 'GET', url: '/', headers: { user }, rawHeaders: [], httpVersion: '1.1' }
  return new Exchange(head, {} as never, { address, port: 1 }, new HttpMeter([], new MetricRegistry()).otherRequests)
}

function limited(gate: Admit) {
  const registry = new MetricRegistry()
  const admit = rateLimitGate({ rateLimit: limit }, {}, registry, () => {})(gate)
  return {
    enter: async (exchange: Exchange) => (await admit(exchange, undefined))?.status ?? 200,
    rejected: async () => (await registry.families())[0]?.samples[0]?.value,
  }
}

/** Knows everybody by a header, sooner or later. */
const byHeader: Admit = (exchange) => {
  exchange.caller = { ...unrestrictedCaller, user: exchange.request.headers.user as string | undefined }
  return undefined
}
const laterByHeader: Admit = async (exchange, scope) => byHeader(exchange, scope)

describe.each([
  ['at once', byHeader],
  ['later', laterByHeader],
])('a gate that knows its callers %s', (_, gate) => {
  it('counts a user on any address, and an address if there is no user', async () => {
    const { enter, rejected } = limited(gate)
    expect(await enter(request('ann', '10.0.0.1'))).toBe(200)
    expect(await enter(request('ann', '10.0.0.2'))).toBe(200)
    expect(await enter(request('ann', '10.0.0.3'))).toBe(429)
    expect(await enter(request('bob', '10.0.0.1'))).toBe(200)
    for (const status of [200, 200, 429]) expect(await enter(request(undefined, '10.0.0.1'))).toBe(status)
    expect(await enter(request(undefined, '10.0.0.2'))).toBe(200)
    // A user's name is never taken for an address.
    expect(await enter(request('10.0.0.1', '10.0.0.9'))).toBe(200)
    expect(await rejected()).toBe(2)
  })

  it('stores the remaining number for the response', async () => {
    const { enter } = limited(gate)
    const exchange = request('ann', '10.0.0.1')
    await enter(exchange)
    expect(exchange.quota).toEqual({ 'ratelimit-policy': '"default";q=2;w=60', ratelimit: '"default";r=1;t=30' })
  })
})

it('counts rejected requests by their address, so that tokens cannot be guessed', async () => {
  const nobody: Admit = () => ({ ...problemResponse({} as never), status: 401 })
  const { enter } = limited(nobody)
  const statuses = []
  for (let count = 0; count < 3; count++) statuses.push(await enter(request(undefined, '10.0.0.1')))
  expect(statuses).toEqual([401, 401, 429])
})
