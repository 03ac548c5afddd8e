import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { TtlCache } from './ttl-cache.ts'

beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], now: 0 }))
afterEach(() => vi.useRealTimers())

describe('a cache whose entries expire', () => {
  it('keeps an entry until it expires, and no longer than the lifetime', () => {
    const cache = new TtlCache<number>(10, 1000)
    cache.set('short', 1, 0, 500)
    cache.set('long', 2, 0, 5000)
    cache.set('open', 3)
    const there = () => ['short', 'long', 'open'].filter((text) => cache.get(text) !== undefined)
    expect(there()).toEqual(['short', 'long', 'open'])
    vi.setSystemTime(500)
    expect(there()).toEqual(['long', 'open'])
    vi.setSystemTime(1000)
    expect(there()).toEqual([])
  })

  it('keeps null', () => {
    const cache = new TtlCache<null>(10, 1000)
    cache.set('x', null)
    expect(cache.get('x')).toBeNull()
    expect(cache.get('y')).toBeUndefined()
  })

  it('keeps at least the maximum of latest entries, and at most twice as many', () => {
    const cache = new TtlCache<number>(100, 1000)
    for (let count = 0; count < 1000; count++) {
      cache.set(`${count}`, count)
      // An entry that is read often stays.
      expect(cache.get('0')).toBe(0)
    }
    const remaining = Array.from({ length: 1000 }, (_, count) => cache.get(`${count}`)).filter(
      (value) => value !== undefined,
    )
    expect(remaining.length).toBeLessThanOrEqual(200)
    for (let count = 0; count < 150; count++) cache.set(`new ${count}`, count)
    for (let count = 60; count < 150; count++) expect(cache.get(`new ${count}`)).toBe(count)
  })

  it('is empty after clear', () => {
    const cache = new TtlCache<number>(1, 1000)
    for (const text of ['a', 'b']) cache.set(text, 1)
    cache.clear()
    expect([cache.get('a'), cache.get('b')]).toEqual([undefined, undefined])
  })

  it('keeps each entry for its lifetime', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer({ min: 0, max: 40 }), fc.constantFrom('a', 'b', 'c'))), (steps) => {
        const cache = new TtlCache<number>(1000, 100)
        const setAt = new Map<string, number>()
        let now = 1
        for (const [after, key] of steps) {
          now += after
          for (const [known, at] of setAt) if (now - at < 100) expect(cache.get(known, now)).toBe(at)
          cache.set(key, now, now)
          setAt.set(key, now)
        }
      }),
    )
  })

  it('drops expired entries, and the oldest ones if there are too many', () => {
    const cache = new TtlCache<number>(1000, 100)
    cache.set('a', 1, 1)
    expect(cache.get('a', 300)).toBeUndefined()
    for (let count = 0; count < 10_000; count++) cache.set(`${count}`, count, 301)
    const known = Array.from({ length: 10_000 }, (_, count) => cache.get(`${count}`, 301)).filter(
      (value) => value !== undefined,
    )
    expect(known.length).toBeLessThanOrEqual(2000)
    expect(known.at(-1)).toBe(9999)
  })
})
