import { describe, expect, it } from 'vitest'
import { type Cell, Counters } from './counters.ts'

const entry = {
  time: Date.parse('2026-11-15T03:29:00.500Z'),
  status: 200,
  size: 7,
  referrer: undefined,
  user: undefined,
}
const day = 86_400_000

function all(counters: Counters): readonly Cell[] {
  const cells: Cell[] = []
  while (counters.unsavedCount > 0) cells.push(...counters.take(1000))
  return cells
}

const total = (cells: readonly Cell[]) => cells.reduce((sum, { requests }) => sum + requests, 0)

describe('counters', () => {
  it('start at zero again when they are taken', () => {
    const counters = new Counters()
    const count = (status: number) => counters.add({ ...entry, status, userAgent: 'shop/1' }, 3)
    count(200)
    count(201)
    count(404)
    expect(counters.take(1)).toMatchObject([{ operation: 3, status: 2, requests: 2, bytes: 14 }])
    count(200)
    expect(all(counters)).toMatchObject([
      { status: 4, requests: 1, first: entry.time - 500, last: entry.time - 500 },
      { status: 2, requests: 1, bytes: 7, caller: { kind: 'agent', name: 'shop' } },
    ])
    expect(counters.take(1)).toEqual([])
  })

  it('lose no request if there are too many pairs of a name and an operation', () => {
    const counters = new Counters()
    for (let name = 0; name < 600; name++) {
      for (let operation = -1; operation < 20; operation++)
        counters.add({ ...entry, userAgent: `a${name}/1` }, operation)
    }
    const cells = all(counters)
    expect(total(cells)).toBe(600 * 21)
    expect(cells.length).toBe(10_000 + 21)
    expect(total(cells.filter(({ caller }) => caller.kind === 'others'))).toBe(600 * 21 - 10_000)
  })

  it('count a known name separately, however many come after it', () => {
    const counters = new Counters()
    for (let name = 0; name < 3000; name++) counters.add({ ...entry, userAgent: `a${name}/1` }, 0)
    counters.add({ ...entry, userAgent: 'a7/2' }, 0)
    counters.add({ ...entry, userAgent: undefined }, 0)
    const counts = new Map(all(counters).map(({ caller, requests }) => [`${caller.kind} ${caller.name}`, requests]))
    expect([counts.get('agent a7'), counts.get('others '), counts.get('unattributed ')]).toEqual([2, 2000, 1])
  })

  it('count the console separately, including its rejected requests', () => {
    const counters = new Counters({ requiresToken: true })
    const own = { ...entry, userAgent: 'Mozilla/5.0', referrer: 'https://a.example/console/?nomen-console' }
    counters.add({ ...own, status: 401 }, 0)
    counters.add({ ...own, user: 'eve' }, 0)
    expect(all(counters).map(({ caller, status }) => [caller.kind, caller.name, status])).toEqual([
      ['console', 'console', 4],
      ['console', 'console', 2],
    ])
  })

  it('count a name of an earlier day separately, however many come before it', () => {
    const counters = new Counters()
    const count = (userAgent: string, at: number) =>
      counters.add({ ...entry, time: entry.time + at * day, userAgent: `${userAgent}/1` }, 0)
    count('payroll', 0)
    for (let name = 0; name < 1500; name++) count(`one-${name}`, 1)
    count('payroll', 1)
    for (let name = 0; name < 3000; name++) count(`two-${name}`, 2)
    count('weekly', 2)
    count('payroll', 9)
    const days = new Map<string, number>()
    for (const cell of all(counters)) days.set(cell.caller.name, (days.get(cell.caller.name) ?? 0) + cell.requests)
    expect([days.get('payroll'), days.get('weekly'), days.get('')]).toEqual([3, undefined, 500 + 2001])
  })

  it('count pairs of a known name and an operation separately, however many new names there are', () => {
    const counters = new Counters()
    counters.add({ ...entry, userAgent: 'payroll/1' }, 0)
    const next = { ...entry, time: entry.time + day }
    for (let name = 0; name < 600; name++)
      for (let operation = 0; operation < 20; operation++) counters.add({ ...next, userAgent: `a${name}/1` }, operation)
    for (let operation = 0; operation < 20; operation++) counters.add({ ...next, userAgent: 'payroll/1' }, operation)
    expect(total(all(counters).filter(({ caller }) => caller.name === 'payroll'))).toBe(21)
  })

  it('drop the oldest, and report it, if they are not read for days', () => {
    const counters = new Counters()
    for (let at = 0; at < 8; at++) {
      for (let name = 0; name < 1000; name++)
        for (let operation = 0; operation < 10; operation++)
          counters.add({ ...entry, time: entry.time + at * day, userAgent: `a${name}/1` }, operation)
    }
    const lost = counters.takeLost()
    const cells = all(counters)
    expect(lost).toBeGreaterThan(0)
    expect(total(cells) + lost).toBe(80_000)
    expect(cells.at(-1)?.day).toBe(Math.floor(entry.time / day) + 7)
    expect(counters.takeLost()).toBe(0)
  })
})
