import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { api, identity, noun, operation, resource, text } from '../index.ts'
import { type Client, client, ProblemError } from './index.ts'

const lock = operation({ method: 'PUT', on: 'record' })
const bell = operation({ method: 'POST', on: 'record' })
const user = noun('user', { id: identity(), name: text() })
const people = api('people', {
  versioning: 'per-noun',
  writes: 'flat',
  resources: [resource(user, { operations: { lock, bell } })],
})
type User = Client<typeof people>['user']

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const success = () => Response.json({ id: 1 })
const failureWith = (status: number, after?: string) => () =>
  Response.json({ hint: 'Wait.' }, { status, ...(after !== undefined && { headers: { 'retry-after': after } }) })
const connectionLoss = (code?: string) => (): Response => {
  throw new TypeError('fetch failed', { cause: Object.assign(new Error('gone'), { code }) })
}

interface Options {
  readonly retries?: number
  readonly headers?: () => Promise<Record<string, string>>
}

/** Calls with these responses in turn; the last one repeats. Timers run at once. */
async function callWith(responses: (() => Response)[], call: (user: User) => Promise<unknown>, options: Options = {}) {
  const sentHeaders: Headers[] = []
  const fetch = async (_: string, { headers }: RequestInit) => {
    const respond = responses[Math.min(sentHeaders.length, responses.length - 1)] as () => Response
    sentHeaders.push(new Headers(headers))
    return respond()
  }
  const startTime = Date.now()
  const result = call(client<typeof people>({ baseUrl: 'http://x', fetch, ...options }).user).catch((error) => error)
  await vi.runAllTimersAsync()
  return { result: await result, times: sentHeaders.length, sentHeaders, waitedMs: Date.now() - startTime }
}

const repeatableCalls: [string, (user: User) => Promise<unknown>][] = [
  ['a read', (user) => user.read(1)],
  ['a list', (user) => user.list()],
  ['a replacement', (user) => user.replace(1, { name: 'x' })],
  ['a deletion', (user) => user.delete(1)],
  ['an operation by PUT', (user) => user.of(1).lock.put()],
  ['a create with a key', (user) => user.create({ name: 'x' }, { idempotencyKey: 'k' })],
  [
    'a create with a key among its headers',
    (user) => user.create({ name: 'x' }, { headers: { 'Idempotency-Key': 'k' } }),
  ],
  ['an update with an ETag', (user) => user.update(1, { name: 'x' }, { etag: '"1-1-a"' })],
]
const unrepeatableCalls: [string, (user: User) => Promise<unknown>][] = [
  ['a create', (user) => user.create({ name: 'x' })],
  ['a create with an ETag', (user) => user.create({ name: 'x' }, { headers: { 'if-match': '"1-1-a"' } })],
  ['an update', (user) => user.update(1, { name: 'x' })],
  ['an update with a key', (user) => user.update(1, { name: 'x' }, { headers: { 'idempotency-key': 'k' } })],
  ['an update of any version', (user) => user.update(1, { name: 'x' }, { etag: '*' })],
  ['an operation by POST', (user) => user.of(1).bell.post()],
]

describe('a request is retried', () => {
  const failures: [string, () => Response][] = [
    ['429', failureWith(429)],
    ['503', failureWith(503)],
    ['a lost connection', connectionLoss('ECONNRESET')],
    ['a lost connection without a code', connectionLoss()],
  ]
  it('as often as the client allows', async () => {
    const result = await callWith([failureWith(503)], (user) => user.read(1), { retries: 20 })
    expect(result.times).toBe(21)
  })

  describe.each(failures)('after %s', (_, failure) => {
    it.each(repeatableCalls)('if it can be repeated safely: %s', async (_, call) => {
      expect(await callWith([failure, failure, success], call)).toMatchObject({ times: 3, result: { id: 1 } })
      expect(await callWith([failure], call)).toMatchObject({ times: 3, result: expect.any(Error) })
    })

    it.each(unrepeatableCalls)('not if it could run twice: %s', async (_, call) => {
      expect(await callWith([failure, success], call)).toMatchObject({ times: 1, result: expect.any(Error) })
    })

    it('as often as the client option allows, or never', async () => {
      expect((await callWith([failure], (user) => user.read(1), { retries: 5 })).times).toBe(6)
      expect((await callWith([failure], (user) => user.read(1), { retries: 0 })).times).toBe(1)
    })
  })

  it('after a response that is cut off', async () => {
    const failingFetch = () => {
      const start = (stream: ReadableStreamDefaultController) => stream.error(new TypeError('terminated'))
      return new Response(new ReadableStream({ start }))
    }
    expect(await callWith([failingFetch, success], (user) => user.read(1))).toMatchObject({
      times: 2,
      result: { id: 1 },
    })
  })

  it.each([400, 404, 409, 412, 500, 502, 504])('not after %i', async (status) => {
    expect((await callWith([failureWith(status)], (user) => user.read(1))).times).toBe(1)
  })

  it('not after a list that takes too long', async () => {
    const expensive = () => Response.json({ status: 503, code: 'too-expensive' }, { status: 503 })
    expect((await callWith([expensive], (user) => user.list())).times).toBe(1)
  })

  it.each(['ERR_INVALID_URL', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'])(
    'not after %s, which would fail again',
    async (code) => {
      expect((await callWith([connectionLoss(code)], (user) => user.read(1))).times).toBe(1)
    },
  )

  it('not if fetch fails for a reason other than the network', async () => {
    const failingFetch = () => {
      throw new RangeError('no such tenant')
    }
    expect(await callWith([failingFetch], (user) => user.read(1))).toMatchObject({
      times: 1,
      result: expect.any(RangeError),
    })
  })

  it('with headers that are computed again', async () => {
    let token = 0
    const headers = async () => ({ authorization: `${++token}` })
    const { sentHeaders } = await callWith([failureWith(503), connectionLoss(), success], (user) => user.read(1), {
      headers,
    })
    expect(sentHeaders.map((request) => request.get('authorization'))).toEqual(['1', '2', '3'])
  })
})

describe('the delay before a retry', () => {
  const readUser = (user: User) => user.read(1)

  it.each([429, 503])('is the Retry-After of the response %i', async (status) => {
    expect((await callWith([failureWith(status, '7'), success], readUser)).waitedMs).toBe(7000)
    expect((await callWith([failureWith(status, '60'), success], readUser)).waitedMs).toBe(60_000)
    const date = new Date(Date.now() + 5000).toUTCString()
    const { waitedMs } = await callWith([failureWith(status, date), success], readUser)
    expect(waitedMs).toBeGreaterThan(3000)
    expect(waitedMs).toBeLessThanOrEqual(5000)
  })

  it('does not start if Retry-After is more than a minute', async () => {
    expect(await callWith([failureWith(429, '61'), success], readUser)).toMatchObject({
      times: 1,
      waitedMs: 0,
      result: { status: 429 },
    })
  })

  it.each<[string, () => Response]>([
    ['503', failureWith(503)],
    ['503 with a time in the past', failureWith(503, 'Thu, 01 Jan 1970 00:00:00 GMT')],
    ['503 with an invalid time', failureWith(503, 'soon')],
    ['a lost connection', connectionLoss()],
  ])('grows otherwise, with jitter: %s', async (_, failure) => {
    const random = vi.spyOn(Math, 'random')
    random.mockReturnValue(0)
    expect((await callWith([failure], readUser)).waitedMs).toBe(100 + 200)
    random.mockReturnValue(1)
    expect((await callWith([failure], readUser)).waitedMs).toBe(200 + 400)
    random.mockRestore()
  })

  it('ends as soon as the call is aborted', async () => {
    const reason = new Error('enough')
    const controller = new AbortController()
    const reading = callWith([failureWith(503, '60'), success], (user) => {
      setTimeout(() => controller.abort(reason), 20)
      return user.read(1, { signal: controller.signal })
    })
    expect(await reading).toMatchObject({ result: reason, times: 1, waitedMs: 20 })
  })

  it('ends without a request if the call is aborted while its headers are computed', async () => {
    const reason = new Error('enough')
    const controller = new AbortController()
    const headers = async () => {
      controller.abort(reason)
      return {}
    }
    const outcome = await callWith([success], (user) => user.read(1, { signal: controller.signal }), { headers })
    expect(outcome).toMatchObject({ result: reason, times: 0 })
  })
})

describe('the rejection of a retried change', () => {
  const doubtHint = /^An earlier attempt of this request failed, but the service may have run it/
  const [remove, update] = [
    (user: User) => user.delete(1),
    (user: User) => user.update(1, { name: 'x' }, { etag: '"1-1-a"' }),
  ]

  it.each<[string, () => Response]>([
    ['503', failureWith(503)],
    ['a lost connection', connectionLoss()],
  ])('has a hint that the first attempt may have caused it, after %s', async (_, failure) => {
    for (const [status, call] of [
      [404, remove],
      [412, update],
    ] as const) {
      const { result } = await callWith([failure, failureWith(429), failureWith(status)], call)
      expect(result).toBeInstanceOf(ProblemError)
      expect(result).toMatchObject({ status, hint: expect.stringMatching(doubtHint) })
    }
  })

  it('has no extra hint if the first attempt cannot have succeeded', async () => {
    const expectPlainHint = async (first: () => Response, status: number, call: (user: User) => Promise<unknown>) => {
      const { result } = await callWith([first, failureWith(status)], call)
      expect(result).toMatchObject({ status, hint: 'Wait.' })
    }
    await expectPlainHint(failureWith(429), 404, remove)
    await expectPlainHint(failureWith(429), 412, update)
    await expectPlainHint(connectionLoss(), 404, (user) => user.read(1))
    await expectPlainHint(connectionLoss(), 404, update)
    await expectPlainHint(connectionLoss(), 409, remove)
    await expectPlainHint(connectionLoss(), 412, (user) => user.read(1))
  })
})
