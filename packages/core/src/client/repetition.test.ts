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

const fine = () => Response.json({ id: 1 })
const busy = (status: number, after?: string) => () =>
  Response.json({ hint: 'Wait.' }, { status, ...(after !== undefined && { headers: { 'retry-after': after } }) })
const lost = (code?: string) => (): Response => {
  throw new TypeError('fetch failed', { cause: Object.assign(new Error('gone'), { code }) })
}

interface Options {
  readonly retries?: number
  readonly headers?: () => Promise<Record<string, string>>
}

/** Calls where these are the answers in turn, the last one again and again; time passes as fast as it can. */
async function asked(answers: (() => Response)[], call: (user: User) => Promise<unknown>, options: Options = {}) {
  const sent: Headers[] = []
  const fetch = async (_: string, { headers }: RequestInit) => {
    const answer = answers[Math.min(sent.length, answers.length - 1)] as () => Response
    sent.push(new Headers(headers))
    return answer()
  }
  const begun = Date.now()
  const result = call(client<typeof people>({ baseUrl: 'http://x', fetch, ...options }).user).catch((error) => error)
  await vi.runAllTimersAsync()
  return { result: await result, times: sent.length, sent, waited: Date.now() - begun }
}

const calls: [string, (user: User) => Promise<unknown>][] = [
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
  ['an update with a tag', (user) => user.update(1, { name: 'x' }, { etag: '"1-1-a"' })],
]
const onceOnly: [string, (user: User) => Promise<unknown>][] = [
  ['a create', (user) => user.create({ name: 'x' })],
  ['a create with a tag', (user) => user.create({ name: 'x' }, { headers: { 'if-match': '"1-1-a"' } })],
  ['an update', (user) => user.update(1, { name: 'x' })],
  ['an update with a key', (user) => user.update(1, { name: 'x' }, { headers: { 'idempotency-key': 'k' } })],
  ['an update of whatever is there', (user) => user.update(1, { name: 'x' }, { etag: '*' })],
  ['an operation by POST', (user) => user.of(1).bell.post()],
]

describe('a request is sent again', () => {
  const failures: [string, () => Response][] = [
    ['429', busy(429)],
    ['503', busy(503)],
    ['a lost connection', lost('ECONNRESET')],
    ['a lost connection of which nothing is known', lost()],
  ]
  describe.each(failures)('after %s', (_, failure) => {
    it.each(calls)('where it does no harm: %s', async (_, call) => {
      expect(await asked([failure, failure, fine], call)).toMatchObject({ times: 3, result: { id: 1 } })
      expect(await asked([failure], call)).toMatchObject({ times: 3, result: expect.any(Error) })
    })

    it.each(onceOnly)('not where it might be done twice: %s', async (_, call) => {
      expect(await asked([failure, fine], call)).toMatchObject({ times: 1, result: expect.any(Error) })
    })

    it('as often as the client is told, or never', async () => {
      expect((await asked([failure], (user) => user.read(1), { retries: 5 })).times).toBe(6)
      expect((await asked([failure], (user) => user.read(1), { retries: 0 })).times).toBe(1)
    })
  })

  it('after an answer that breaks off', async () => {
    const broken = () => {
      const start = (stream: ReadableStreamDefaultController) => stream.error(new TypeError('terminated'))
      return new Response(new ReadableStream({ start }))
    }
    expect(await asked([broken, fine], (user) => user.read(1))).toMatchObject({ times: 2, result: { id: 1 } })
  })

  it.each([400, 404, 409, 412, 500, 502, 504])('not after %i', async (status) => {
    expect((await asked([busy(status)], (user) => user.read(1))).times).toBe(1)
  })

  it('not after a list that takes too long', async () => {
    const expensive = () => Response.json({ status: 503, code: 'too-expensive' }, { status: 503 })
    expect((await asked([expensive], (user) => user.list())).times).toBe(1)
  })

  it.each(['ERR_INVALID_URL', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'])(
    'not after %s, which would only be the same again',
    async (code) => {
      expect((await asked([lost(code)], (user) => user.read(1))).times).toBe(1)
    },
  )

  it('not where a fetch fails for a reason of its own', async () => {
    const broken = () => {
      throw new RangeError('no such tenant')
    }
    expect(await asked([broken], (user) => user.read(1))).toMatchObject({ times: 1, result: expect.any(RangeError) })
  })

  it('with the headers of that moment', async () => {
    let token = 0
    const headers = async () => ({ authorization: `${++token}` })
    const { sent } = await asked([busy(503), lost(), fine], (user) => user.read(1), { headers })
    expect(sent.map((one) => one.get('authorization'))).toEqual(['1', '2', '3'])
  })
})

describe('the wait before it', () => {
  const read = (user: User) => user.read(1)

  it.each([429, 503])('is what the answer %i asks for', async (status) => {
    expect((await asked([busy(status, '7'), fine], read)).waited).toBe(7000)
    expect((await asked([busy(status, '60'), fine], read)).waited).toBe(60_000)
    const date = new Date(Date.now() + 5000).toUTCString()
    const { waited } = await asked([busy(status, date), fine], read)
    expect(waited).toBeGreaterThan(3000)
    expect(waited).toBeLessThanOrEqual(5000)
  })

  it('is not begun where the answer asks for more than a minute', async () => {
    expect(await asked([busy(429, '61'), fine], read)).toMatchObject({ times: 1, waited: 0, result: { status: 429 } })
  })

  it.each<[string, () => Response]>([
    ['503', busy(503)],
    ['503 with a time that is past', busy(503, 'Thu, 01 Jan 1970 00:00:00 GMT')],
    ['503 with a time that is none', busy(503, 'soon')],
    ['a lost connection', lost()],
  ])('else grows, and is not the same for all: %s', async (_, failure) => {
    const random = vi.spyOn(Math, 'random')
    random.mockReturnValue(0)
    expect((await asked([failure], read)).waited).toBe(100 + 200)
    random.mockReturnValue(1)
    expect((await asked([failure], read)).waited).toBe(200 + 400)
    random.mockRestore()
  })

  it('ends as soon as nobody wants the answer any more', async () => {
    const reason = new Error('enough')
    const stop = new AbortController()
    const reading = asked([busy(503, '60'), fine], (user) => {
      setTimeout(() => stop.abort(reason), 20)
      return user.read(1, { signal: stop.signal })
    })
    expect(await reading).toMatchObject({ result: reason, times: 1, waited: 20 })
  })

  it('is followed by nothing where the call was given up while its headers were found', async () => {
    const reason = new Error('enough')
    const stop = new AbortController()
    const headers = async () => {
      stop.abort(reason)
      return {}
    }
    const given = await asked([fine], (user) => user.read(1, { signal: stop.signal }), { headers })
    expect(given).toMatchObject({ result: reason, times: 0 })
  })
})

describe('what a repeated change is refused for', () => {
  const doubt = /^An earlier try of this request failed, and may have been done/
  const [remove, update] = [
    (user: User) => user.delete(1),
    (user: User) => user.update(1, { name: 'x' }, { etag: '"1-1-a"' }),
  ]

  it.each<[string, () => Response]>([
    ['503', busy(503)],
    ['a lost connection', lost()],
  ])('may be its own doing after %s, and the hint says so', async (_, failure) => {
    for (const [status, call] of [
      [404, remove],
      [412, update],
    ] as const) {
      const { result } = await asked([failure, busy(429), busy(status)], call)
      expect(result).toBeInstanceOf(ProblemError)
      expect(result).toMatchObject({ status, hint: expect.stringMatching(doubt) })
    }
  })

  it('is said as it is where nothing can have been done before', async () => {
    const refused = async (first: () => Response, status: number, call: (user: User) => Promise<unknown>) => {
      const { result } = await asked([first, busy(status)], call)
      expect(result).toMatchObject({ status, hint: 'Wait.' })
    }
    await refused(busy(429), 404, remove)
    await refused(busy(429), 412, update)
    await refused(lost(), 404, (user) => user.read(1))
    await refused(lost(), 404, update)
    await refused(lost(), 409, remove)
    await refused(lost(), 412, (user) => user.read(1))
  })
})
