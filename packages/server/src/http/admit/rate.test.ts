import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type BucketStore, readRateLimit } from '../../store/rate-limit.ts'
import { Buckets } from './buckets.ts'
import { localLimiter, SharedLimiter } from './rate-limiter.ts'

describe('a rate limit', () => {
  it.each([
    ['100/s', { number: 100, windowMs: 1000 }],
    ['6000/m', { number: 6000, windowMs: 60_000 }],
    ['1/h', { number: 1, windowMs: 3_600_000 }],
  ])('is read from %s', (text, limit) => {
    expect(readRateLimit(text)).toEqual(limit)
  })

  it.each(['', '100', '0/s', '1.5/s', '-1/s', '100/d', '100 / s', '1e3/s', '9999999999/s'])('is not %j', (text) => {
    expect(readRateLimit(text)).toBeUndefined()
  })
})

const limit = { number: 10, windowMs: 1000 }

describe('a bucket', () => {
  it('grants as many tokens as it holds, and then one as soon as one is added', () => {
    const buckets = new Buckets(limit)
    const take = (now: number) => buckets.takeNow({ key: 'a', number: 1 }, now)
    for (let remaining = 9; remaining >= 0; remaining--) expect(take(5000)).toMatchObject({ granted: 1, remaining })
    expect(take(5000)).toEqual({ granted: 0, remaining: 0, waitMs: 100 })
    expect(take(5060)).toEqual({ granted: 0, remaining: 0, waitMs: 40 })
    expect(take(5100)).toEqual({ granted: 1, remaining: 0, waitMs: 100 })
    expect(take(5400)).toMatchObject({ granted: 1, remaining: 2 })
    expect(take(9000)).toMatchObject({ granted: 1, remaining: 9 })
  })

  it('is separate for each key', () => {
    const buckets = new Buckets({ number: 1, windowMs: 1000 })
    const keys = ['a', 'b', 'a', 'b']
    expect(keys.map((key) => buckets.takeNow({ key, number: 1 }, 0).granted)).toEqual([1, 1, 0, 0])
  })

  it('never grants more tokens than it holds and those added since', () => {
    const step = fc.record({ after: fc.integer({ min: 0, max: 300 }), number: fc.integer({ min: 1, max: 12 }) })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const buckets = new Buckets(limit)
        let now = 0
        const grants: { readonly at: number; readonly number: number }[] = []
        for (const { after, number } of steps) {
          now += after
          const { granted, remaining, waitMs } = buckets.takeNow({ key: 'a', number }, now)
          expect(granted).toBeLessThanOrEqual(number)
          expect(waitMs === 0).toBe(remaining > 0)
          grants.push({ at: now, number: granted })
          for (const { at } of grants) {
            const since = grants.filter((grant) => grant.at >= at).reduce((sum, grant) => sum + grant.number, 0)
            expect(since).toBeLessThanOrEqual(10 + (now - at) / 100 + 1e-3)
          }
        }
      }),
    )
  })
})

describe('processes that share a store', () => {
  const hourly = { number: 400, windowMs: 3_600_000 }
  const shared = (bank: BucketStore, onFault: (error: unknown) => void = () => {}) =>
    new SharedLimiter(bank, hourly, onFault)

  it('together allow as many requests as one process, and leave less than a twentieth unused per process', async () => {
    const bank = new Buckets(hourly)
    const processes = [shared(bank), shared(bank), shared(bank)]
    let allowed = 0
    for (let count = 0; count < 1500; count++) {
      const { isAllowed, remaining, waitMs } = (await processes[count % 3]?.take('a')) ?? {
        isAllowed: false,
        remaining: 0,
        waitMs: 0,
      }
      if (isAllowed) allowed++
      expect(remaining).toBeLessThan(400)
      expect(isAllowed || waitMs > 0).toBe(true)
    }
    expect(allowed).toBeLessThanOrEqual(400)
    expect(allowed).toBeGreaterThan(400 - 3 * 20)
  })

  it('call the store once for many requests', async () => {
    let calls = 0
    const buckets = new Buckets(hourly)
    const bank: BucketStore = {
      take: (requests) => {
        calls++
        return buckets.take(requests)
      },
    }
    const limiter = shared(bank)
    for (let count = 0; count < 200; count++) await limiter.take('a')
    expect(calls).toBe(10)
    await Promise.all(Array.from({ length: 100 }, (_, count) => limiter.take(`caller ${count}`)))
    expect(calls).toBe(11)
  })

  it('allow the first requests of a burst', async () => {
    const limiter = shared(new Buckets(hourly))
    const verdicts = await Promise.all(Array.from({ length: 500 }, () => limiter.take('a')))
    expect(verdicts.map(({ isAllowed }) => isAllowed)).toEqual(Array.from({ length: 500 }, (_, at) => at < 400))
  })

  it('apply the limit by themselves while the shared store is unavailable, and report it once', async () => {
    const faults: unknown[] = []
    const limiter = shared({ take: () => Promise.reject(new Error('away')) }, (error) => faults.push(error))
    let allowed = 0
    for (let count = 0; count < 500; count++) if ((await limiter.take('a')).isAllowed) allowed++
    expect([allowed, faults]).toEqual([400, [new Error('away')]])
  })
})

describe('a process alone', () => {
  it('decides at once', () => {
    const limiter = localLimiter({ number: 2, windowMs: 60_000 })
    expect([1, 2, 3].map(() => limiter('a'))).toMatchObject([
      { isAllowed: true, remaining: 1 },
      { isAllowed: true, remaining: 0 },
      { isAllowed: false, remaining: 0 },
    ])
  })
})
