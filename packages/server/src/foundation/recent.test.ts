import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Recent } from './recent.ts'

beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], now: 0 }))
afterEach(() => vi.useRealTimers())

describe('what was found a moment ago', () => {
  it('is kept until its own end, and no longer than anything is', () => {
    const recent = new Recent<number>(10, 1000)
    recent.set('short', 1, 500)
    recent.set('long', 2, 5000)
    recent.set('open', 3)
    const there = () => ['short', 'long', 'open'].filter((text) => recent.get(text) !== undefined)
    expect(there()).toEqual(['short', 'long', 'open'])
    vi.setSystemTime(500)
    expect(there()).toEqual(['long', 'open'])
    vi.setSystemTime(1000)
    expect(there()).toEqual([])
  })

  it('may be that there is nothing', () => {
    const recent = new Recent<null>(10, 1000)
    recent.set('x', null)
    expect(recent.get('x')).toBeNull()
    expect(recent.get('y')).toBeUndefined()
  })

  it('is at least so many of the latest, and at most twice as many', () => {
    const recent = new Recent<number>(100, 1000)
    for (let count = 0; count < 1000; count++) {
      recent.set(`${count}`, count)
      // What is asked for again stays.
      expect(recent.get('0')).toBe(0)
    }
    const kept = Array.from({ length: 1000 }, (_, count) => recent.get(`${count}`)).filter((one) => one !== undefined)
    expect(kept.length).toBeLessThanOrEqual(200)
    for (let count = 0; count < 150; count++) recent.set(`new ${count}`, count)
    for (let count = 60; count < 150; count++) expect(recent.get(`new ${count}`)).toBe(count)
  })

  it('is gone when it does not count any more', () => {
    const recent = new Recent<number>(1, 1000)
    for (const text of ['a', 'b']) recent.set(text, 1)
    recent.clear()
    expect([recent.get('a'), recent.get('b')]).toEqual([undefined, undefined])
  })
})
