import { expect, it } from 'vitest'
import type { Entry } from './consumer.ts'
import { DeliveryWindow } from './delivery-window.ts'

const progress = { position: 0, failures: 0, failingSince: 0, retryAt: 0, replayedAt: 0 }

/** A small deterministic source of random numbers below a limit. */
function randomFrom(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

function entryOf(id: number, random: (limit: number) => number): Entry {
  return { id, record: `note/${random(4)}`, linked: random(5) === 0 ? `tag/${random(2)}` : null } as Entry
}

it.each(Array.from({ length: 20 }, (_, seed) => seed))(
  'delivers all entries, and those of one record one after the other (seed %i)',
  (seed) => {
    const random = randomFrom(seed)
    const entries = Array.from({ length: 200 }, (_, index) => entryOf(index + 1, random))
    const window = new DeliveryWindow(progress)
    const running: Entry[] = []
    const deliveredIds = new Set<number>()
    for (let step = 0; window.position < entries.length && step < 100_000; step++) {
      if (window.canRead) {
        const after = window.readUpTo
        window.add({ entries: entries.slice(after, after + 10), next: Math.min(after + 10, entries.length) })
      }
      const entry = random(2) === 0 ? window.start() : undefined
      if (entry) {
        running.push(entry)
        const recordsInFlight = running
          .flatMap(({ record, linked }) => [record, linked])
          .filter((name) => name !== null)
        expect(recordsInFlight).toEqual([...new Set(recordsInFlight)])
      }
      const [ended] = random(3) === 0 ? running.splice(random(running.length), 1) : []
      if (ended) {
        const chance = random(10)
        if (chance === 0) window.release(ended)
        else window.end(ended, chance > 2)
        if (chance > 2) deliveredIds.add(ended.id)
      }
      if (window.hasFailed && random(20) === 0) window.retry()
      const undelivered = entries.find(({ id }) => !deliveredIds.has(id))
      expect(window.position).toBeLessThan(undelivered?.id ?? Number.POSITIVE_INFINITY)
    }
    expect(window.position).toBe(entries.length)
    expect([...deliveredIds].toSorted((a, b) => a - b)).toEqual(entries.map(({ id }) => id))
    for (const name of new Set(entries.flatMap(({ record, linked }) => [record, linked]))) {
      if (name === null) continue
      const ids = [...deliveredIds].filter((id) => [entries[id - 1]?.record, entries[id - 1]?.linked].includes(name))
      expect(ids, name).toEqual(ids.toSorted((a, b) => a - b))
    }
    expect(window.isRecovered).toBe(true)
  },
)

it('reads no more than the next 100 entries while the first one is not delivered', () => {
  const window = new DeliveryWindow(progress)
  let readCount = 0
  while (window.canRead) {
    const id = ++readCount
    window.add({ entries: [{ id, record: `note/${id}`, linked: null } as Entry], next: id })
    const entry = window.start()
    if (entry && entry.id > 1) window.end(entry, true)
  }
  expect([readCount, window.position]).toEqual([100, 0])
})

it('recovers from failures of another process when the entries of the first read are delivered', () => {
  const window = new DeliveryWindow({ ...progress, failures: 1 })
  const entries = [1, 2].map((id) => ({ id, record: `note/${id}`, linked: null }) as Entry)
  window.add({ entries, next: 2 })
  const isRecovered = entries.map(() => {
    const entry = window.start()
    if (entry) window.end(entry, true)
    return window.isRecovered
  })
  expect(isRecovered).toEqual([false, true])
})

it('recovers if a failed entry is no longer visible', () => {
  const window = new DeliveryWindow(progress)
  const entry = { id: 1, record: 'note/1', linked: null } as Entry
  window.add({ entries: [entry], next: 1 })
  window.start()
  window.end(entry, false)
  window.retry()
  expect(window.isRecovered).toBe(false)
  window.add({ entries: [], next: 1 })
  expect([window.position, window.isRecovered]).toEqual([1, true])
})
