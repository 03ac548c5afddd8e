import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ChangeOrder, type Write } from './change-order.ts'

describe('the order of changes', () => {
  it('is that of the versions of each record, in whatever order they come back, and all are told', () => {
    const step = fc.record({ key: fc.integer({ min: 1, max: 2 }), isBegun: fc.boolean(), at: fc.nat() })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const order = new ChangeOrder()
        const versions = new Map<number, number>()
        const underWay: { write: Write; identity: number; version: number }[] = []
        const told = new Map<number, number[]>()
        const end = (at: number) => {
          const [one] = underWay.splice(at % underWay.length, 1)
          if (!one) return
          const { write, identity, version } = one
          const tell = () => told.set(identity, [...(told.get(identity) ?? []), version])
          order.end(write, { identity, version, tell })
        }
        for (const { key, isBegun, at } of steps) {
          if (!isBegun) {
            if (underWay.length > 0) end(at)
            continue
          }
          // The database commits it at once; when that is known here is another matter.
          const version = (versions.get(key) ?? 0) + 1
          versions.set(key, version)
          underWay.push({ write: order.begin(version === 1 ? undefined : key), identity: key, version })
        }
        while (underWay.length > 0) end(0)
        for (const [key, last] of versions) {
          expect(told.get(key)).toEqual(Array.from({ length: last }, (_, at) => at + 1))
        }
      }),
    )
  })

  it('holds nothing back for writes that were sent later, or change other records', () => {
    const order = new ChangeOrder()
    const told: number[] = []
    const first = order.begin(1)
    order.begin(2)
    order.end(first, { identity: 1, version: 2, tell: () => told.push(2) })
    expect(told).toEqual([2])
    const second = order.begin(1)
    const third = order.begin(1)
    order.end(third, { identity: 1, version: 4, tell: () => told.push(4) })
    expect(told).toEqual([2])
    order.begin(1)
    order.end(second)
    expect(told).toEqual([2, 4])
  })
})
