/** The report of a run: tables for a person, and every figure for a program. */
import { availableParallelism, cpus, loadavg } from 'node:os'
import type { BesideWriters, ReadTurn } from './beside-writers.ts'
import { byHand, limit, otherCheckout, service } from './contender.ts'
import type { Measured, Turn } from './measure.ts'
import type { Settings } from './settings.ts'
import { ratio, type Spread, spread } from './statistic.ts'

export interface Results {
  readonly settings: Settings
  /** Kinds of requests, writes durable at every commit. */
  readonly measured: readonly Measured[]
  /** Writes that do not wait for the disk. */
  readonly measuredFast: readonly Measured[]
  /** Reads while others write. */
  readonly besideWriters: readonly BesideWriters[]
  /** Milliseconds to the first answer, by contender. */
  readonly starts: ReadonlyMap<string, readonly number[]>
}

/** The least share of the other contenders' requests per second that the service must reach. */
const bars = new Map([
  [limit.name, 0.8],
  [byHand.name, 1],
  [otherCheckout('').name, 0.98],
])

export function report({ settings, measured, measuredFast, besideWriters, starts }: Results): string {
  const { users, rounds, seconds, connections } = settings
  const all = [...measured, ...measuredFast.map((one) => ({ ...one, kind: `${one.kind}, synchronous=OFF` }))]
  return [
    `${machine()}`,
    `${users} users, ${connections} connections, ${rounds} rounds of ${seconds} s; medians, and ratios within rounds (least to most)`,
    '',
    ...all.flatMap((one) => [...kindTable(one), '']),
    ...durability(measured, measuredFast),
    ...readsBesideWriters(besideWriters, connections),
    ...table(
      ['', 'start-up ms', 'memory MiB'],
      [...starts].map(([name, times]) => [name, whole(spread(times).median), whole(mostMemory(measured, name))]),
    ),
    '',
    ...misses(all),
  ].join('\n')
}

/** Who ran it, for those who read the figures later. */
export function machine(): string {
  const load = loadavg()[0]?.toFixed(1)
  return `Node ${process.versions.node} on ${process.platform}, ${availableParallelism()} cores (${cpus()[0]?.model}), load average ${load}`
}

function kindTable({ kind, turns }: Measured): string[] {
  const names = [...bars.keys()].filter((name) => turns.has(name))
  const median = (list: readonly Turn[], column: keyof Turn) => spread(valuesOf(list, column)).median
  const rows = [...turns].map(([name, list]) => {
    const compared = names.map((other) => (other === name ? undefined : compare(turns, name, other)))
    return [
      name,
      whole(median(list, 'requestsPerSecond')),
      median(list, 'p50').toFixed(1),
      median(list, 'p99').toFixed(1),
      ...compared.map((one) => (one ? share(one.rate) : '')),
      whole(median(list, 'processor')),
      ...compared.map((one) => (one ? one.cost.median.toFixed(2) : '')),
      median(list, 'busy').toFixed(2),
    ]
  })
  const ofOthers = names.map((name) => `of ${name}`)
  return table([kind, 'requests/s', 'p50 ms', 'p99 ms', ...ofOthers, 'CPU µs', ...ofOthers, 'cores'], rows)
}

/** One contender as a share of another: by requests a second, and by requests for the same processor time. */
function compare(turns: Measured['turns'], name: string, other: string): { rate: Spread; cost: Spread } {
  const [own, others] = [turns.get(name), turns.get(other)]
  return {
    rate: ratio(valuesOf(own, 'requestsPerSecond'), valuesOf(others, 'requestsPerSecond')),
    cost: ratio(valuesOf(others, 'processor'), valuesOf(own, 'processor')),
  }
}

/** What waiting for the disk costs each contender. */
function durability(durable: readonly Measured[], fast: readonly Measured[]): string[] {
  return fast.flatMap(({ kind, turns }) => {
    const same = durable.find((one) => one.kind === kind)?.turns
    const shares = [...turns].map(([name, list]) => {
      const rates = [same?.get(name), list].map((one) => valuesOf(one, 'requestsPerSecond'))
      return `${name} ${share(ratio(rates[0] ?? [], rates[1] ?? []))}`
    })
    return [`Durable ${kind} as a share of the same with synchronous=OFF: ${shares.join(', ')}`, '']
  })
}

function readsBesideWriters(measured: readonly BesideWriters[], writers: number): string[] {
  if (measured.length === 0) return []
  const median = (turns: readonly ReadTurn[], column: keyof ReadTurn) =>
    spread(turns.map((turn) => turn[column])).median
  const rows = measured.map(({ name, turns }) => [
    name,
    median(turns, 'p50').toFixed(1),
    median(turns, 'p99').toFixed(1),
    whole(median(turns, 'readsPerSecond')),
    whole(median(turns, 'writesPerSecond')),
  ])
  return [...table([`GET one beside ${writers} writers`, 'p50 ms', 'p99 ms', 'reads/s', 'writes/s'], rows), '']
}

/** The bars that the service is below, one line each. A bar is held where both shares reach it. */
function misses(measured: readonly Measured[]): string[] {
  const found = measured.flatMap(({ kind, turns }) =>
    [...bars].flatMap(([other, bar]) => {
      if (!turns.has(other)) return []
      const { rate, cost } = compare(turns, service.name, other)
      if (!(rate.median < bar || cost.median < bar)) return []
      const shares = `${rate.median.toFixed(2)} of ${other} by requests/s, ${cost.median.toFixed(2)} by CPU`
      return [`below its bar of ${bar}: ${kind}, ${shares}`]
    }),
  )
  return found.length > 0 ? found : ['Every bar is held.']
}

/** Every turn, and nothing rounded. */
export function reportJson({ settings, measured, measuredFast, besideWriters, starts }: Results): string {
  const kinds = (list: readonly Measured[]) =>
    list.map(({ kind, turns }) => ({ kind, turns: Object.fromEntries(turns) }))
  const { kinds: _, json: __, ...conditions } = settings
  return JSON.stringify(
    {
      date: new Date().toISOString(),
      machine: machine(),
      ...conditions,
      durable: kinds(measured),
      fast: kinds(measuredFast),
      besideWriters,
      starts: Object.fromEntries(starts),
    },
    null,
    2,
  )
}

function mostMemory(measured: readonly Measured[], name: string): number {
  return spread(measured.flatMap(({ turns }) => valuesOf(turns.get(name), 'memory'))).most
}

function valuesOf(turns: readonly Turn[] | undefined, column: keyof Turn): number[] {
  return (turns ?? []).map((turn) => turn[column] ?? Number.NaN)
}

function share({ median, least, most }: Spread): string {
  return `${median.toFixed(2)} (${least.toFixed(2)} to ${most.toFixed(2)})`
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en')
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const lines = [head, ...rows]
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  return lines.map((line) =>
    line
      .map((text, column) => (column === 0 ? text.padEnd(widths[0] ?? 0) : text.padStart(widths[column] ?? 0)))
      .join('  '),
  )
}
