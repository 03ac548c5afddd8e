import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ChangeOrder, type Write } from './change-order.ts'

describe('the order of changes', () => {
  it('is the order of versions of each record, in whatever order outcomes arrive, and no change is lost', () => {
    const step = fc.record({ key: fc.integer({ min: 1, max: 2 }), isBegun: fc.boolean(), at: fc.nat() })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const order = new ChangeOrder()
        const versions = new Map<number, number>()
        const running: { write: Write; identity: number; version: number }[] = []
        const notified = new Map<number, number[]>()
        const end = (at: number) => {
          const [ended] = running.splice(at % running.length, 1)
          if (!ended) return
          const { write, identity, version } = ended
          const notify = () => notified.set(identity, [...(notified.get(identity) ?? []), version])
          order.end(write, { identity, version, notify })
        }
        for (const { key, isBegun, at } of steps) {
          if (!isBegun) {
            if (running.length > 0) end(at)
            continue
          }
          // The database commits at once; the outcome arrives later.
          const version = (versions.get(key) ?? 0) + 1
          versions.set(key, version)
          running.push({ write: order.begin(version === 1 ? undefined : key), identity: key, version })
        }
        while (running.length > 0) end(0)
        for (const [key, last] of versions) {
          expect(notified.get(key)).toEqual(Array.from({ length: last }, (_, at) => at + 1))
        }
      }),
    )
  })

  it('does not wait for writes that start later or change other records', () => {
    const order = new ChangeOrder()
    const notified: number[] = []
    const first = order.begin(1)
    order.begin(2)
    order.end(first, { identity: 1, version: 2, notify: () => notified.push(2) })
    expect(notified).toEqual([2])
    const second = order.begin(1)
    const third = order.begin(1)
    order.end(third, { identity: 1, version: 4, notify: () => notified.push(4) })
    expect(notified).toEqual([2])
    order.begin(1)
    order.end(second)
    expect(notified).toEqual([2, 4])
  })
})
