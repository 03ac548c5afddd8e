import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { problemAnswer } from '../answer/write-answer.ts'
import { anyone } from '../caller.ts'
import { ownLimiter } from '../rate/rate-limiter.ts'
import { type Gate, isRefused } from './gate.ts'
import { limitedGate, quotaOf } from './limited-gate.ts'

const limit = { number: 2, window: 60_000 }

/** A request of a user from an address. */
function request(user: string | undefined, address: string): IncomingMessage {
  return { headers: { user }, socket: { remoteAddress: address } } as unknown as IncomingMessage
}

function limited(gate: Gate) {
  let refused = 0
  const options = {
    limit,
    limiter: ownLimiter(limit),
    addressOf: ({ socket }: IncomingMessage) => `${socket.remoteAddress}`,
    onRefusal: () => {
      refused++
    },
  }
  const own = limitedGate(gate, options)
  return {
    enter: async (one: IncomingMessage) => {
      const admission = await own(one, undefined)
      return isRefused(admission) ? admission.status : 200
    },
    refused: () => refused,
  }
}

/** Knows everybody by a header, sooner or later. */
const byHeader: Gate = ({ headers }) => ({ ...anyone, user: headers.user as string | undefined })
const laterByHeader: Gate = async (one, scope) => byHeader(one, scope)

describe.each([
  ['at once', byHeader],
  ['later', laterByHeader],
])('a gate that knows its callers %s', (_, gate) => {
  it('counts a user, from wherever, and an address where nobody says who calls', async () => {
    const { enter, refused } = limited(gate)
    expect(await enter(request('ann', '10.0.0.1'))).toBe(200)
    expect(await enter(request('ann', '10.0.0.2'))).toBe(200)
    expect(await enter(request('ann', '10.0.0.3'))).toBe(429)
    expect(await enter(request('bob', '10.0.0.1'))).toBe(200)
    for (const status of [200, 200, 429]) expect(await enter(request(undefined, '10.0.0.1'))).toBe(status)
    expect(await enter(request(undefined, '10.0.0.2'))).toBe(200)
    // A user's name is never taken for an address.
    expect(await enter(request('10.0.0.1', '10.0.0.9'))).toBe(200)
    expect(refused()).toBe(2)
  })

  it('notes what is left for the answer', async () => {
    const { enter } = limited(gate)
    const one = request('ann', '10.0.0.1')
    await enter(one)
    expect(quotaOf(one)).toEqual({ 'ratelimit-policy': '"default";q=2;w=60', ratelimit: '"default";r=1;t=30' })
  })
})

it('counts those who are refused anyway by their address, so that nobody goes on guessing', async () => {
  const nobody: Gate = () => ({ ...problemAnswer({} as never), status: 401 })
  const { enter } = limited(nobody)
  const statuses = []
  for (let count = 0; count < 3; count++) statuses.push(await enter(request(undefined, '10.0.0.1')))
  expect(statuses).toEqual([401, 401, 429])
})
