import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { MetricRegistry } from '../../observe/metrics/registry.ts'
import { LoadShedder } from './load-shedder.ts'

let now = 0
let turns: (() => void)[] = []

/** Time passes only while someone works, and a turn of the event loop ends when the test says so. */
beforeEach(() => {
  now = 1000
  turns = []
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  vi.spyOn(globalThis, 'setImmediate').mockImplementation(((end: () => void) => turns.push(end)) as never)
})
afterEach(() => vi.restoreAllMocks())

function endTurn(): void {
  for (const end of turns.splice(0)) end()
}

function idle() {
  return { waitMs: (_isWrite: boolean) => 0, backlogMs: 0 }
}

function shedderOf({ limit = 100, store = idle() } = {}) {
  const shedder = new LoadShedder(limit, store, new MetricRegistry(), () => {})
  const done: string[] = []
  const enter = (names: string, time = 8) =>
    [...names].map((name) =>
      shedder.schedule(() => {
        done.push(name)
        now += time
      }),
    )
  const processed = () => done.splice(0).join('')
  return { shedder, enter, processed, isRejected: () => shedder.rejection('GET') !== undefined }
}

describe('a load shedder', () => {
  it('admits all requests at once while a turn of the event loop is short', () => {
    const { enter, processed } = shedderOf()
    expect(enter('abc')).toEqual([true, true, true])
    expect(processed()).toBe('abc')
    endTurn()
    expect(enter('d')).toEqual([true])
  })

  it('serves the others in order in the next turns, and reads connections in between', () => {
    const { enter, processed } = shedderOf()
    expect(enter('abcdefgh')).toEqual([true, true, true, false, false, false, false, false])
    expect(processed()).toBe('abc')
    endTurn()
    expect(processed()).toBe('def')
    // A new request waits behind the earlier ones.
    expect(enter('i')).toEqual([false])
    endTurn()
    expect(processed()).toBe('ghi')
    endTurn()
    expect(enter('j')).toEqual([true])
  })

  it('serves at least one request per turn, however long each takes', () => {
    const { enter, processed } = shedderOf()
    enter('abc', 500)
    expect(processed()).toBe('a')
    endTurn()
    expect(processed()).toBe('b')
    endTurn()
    expect(processed()).toBe('c')
  })

  it('counts writes that run at the end of a turn', () => {
    const store = idle()
    const { enter, processed } = shedderOf({ store })
    expect(enter('a', 0)).toEqual([true])
    store.backlogMs = 130
    expect(enter('b', 0)).toEqual([false])
    store.backlogMs = 0
    endTurn()
    expect(processed()).toBe('ab')
  })

  it('rejects requests whose expected wait is too long, and admits requests again when the queue is served', () => {
    const { enter, isRejected, processed } = shedderOf({ limit: 100 })
    enter('a', 80)
    enter('bcdef', 22)
    // Requests that did not queue are not measured.
    expect(isRejected()).toBe(false)
    endTurn()
    expect([processed(), isRejected()]).toEqual(['ab', false])
    enter('g', 22)
    endTurn()
    // Four wait, and each takes 22 ms.
    expect([processed(), isRejected()]).toEqual(['c', false])
    enter('h', 22)
    expect(isRejected()).toBe(true)
    for (let turn = 0; turn < 6; turn++) endTurn()
    expect([processed(), isRejected()]).toEqual(['defgh', false])
  })

  it('rejects requests while others have waited too long, whatever the estimate', () => {
    const { enter, isRejected } = shedderOf({ limit: 100 })
    enter('abcd')
    expect(isRejected()).toBe(false)
    now += 101
    expect(isRejected()).toBe(true)
  })

  it('rejects requests while others have waited too long for the database, to read or to write', () => {
    const waits = { read: 0, write: 101 }
    const store = { waitMs: (isWrite: boolean) => (isWrite ? waits.write : waits.read), backlogMs: 0 }
    const { shedder } = shedderOf({ limit: 100, store })
    const { status, headers, body } = shedder.rejection('PATCH') ?? {}
    expect([status, headers, JSON.parse(`${body}`).code]).toEqual([503, { 'retry-after': '1' }, 'overloaded'])
    const isRejected = () => ['GET', 'HEAD', 'POST', 'DELETE'].map((method) => shedder.rejection(method) !== undefined)
    expect(isRejected()).toEqual([false, false, true, true])
    waits.read = 101
    waits.write = 100
    expect(isRejected()).toEqual([true, true, false, false])
  })

  it('rejects no request if the limit is 0', () => {
    const { enter, isRejected } = shedderOf({ limit: 0, store: { waitMs: () => 1e9, backlogMs: 0 } })
    enter('abc', 1e6)
    expect(isRejected()).toBe(false)
  })

  it('keeps the order of many thousands of requests', () => {
    const { shedder } = shedderOf()
    const done: number[] = []
    for (let count = 0; count < 5000; count++)
      shedder.schedule(() => {
        done.push(count)
        now += 0.1
      })
    while (done.length < 5000) endTurn()
    expect(done).toEqual(Array.from({ length: 5000 }, (_, count) => count))
  })
})
