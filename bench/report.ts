/** The report of a run: tables for people, and JSON with every figure. */
import { availableParallelism, cpus, loadavg } from 'node:os'
import type { BesideWriters, ReadTurn } from './beside-writers.ts'
import { byHand, limit, oneProcess, otherCheckout, service } from './contender.ts'
import { type KindResult, latencyText } from './latency.ts'
import type { Turn } from './measure.ts'
import type { Settings } from './settings.ts'
import { ratio, type Spread, spread } from './statistic.ts'

export interface Results {
  readonly settings: Settings
  /** Kinds of requests, with durable commits. */
  readonly results: readonly KindResult[]
  /** Writes without disk syncs. */
  readonly measuredFast: readonly KindResult[]
  /** Reads during writes. */
  readonly besideWriters: readonly BesideWriters[]
  /** Milliseconds to the first response, by contender. */
  readonly starts: ReadonlyMap<string, readonly number[]>
}

/** The targets of the service, as a share of the other contenders' requests per second. */
const targets = new Map([
  [limit.name, 0.85],
  [byHand.name, 1],
  [otherCheckout('').name, 0.98],
  // By CPU time, so that two processes serve 1.8 times as much on enough cores.
  [oneProcess.name, 0.9],
])

export function report({ settings, results, measuredFast, besideWriters, starts }: Results): string {
  const { users, rounds, seconds, connections } = settings
  const allResults = [
    ...results,
    ...measuredFast.map((measurement) => ({ ...measurement, kind: `${measurement.kind}, synchronous=OFF` })),
  ]
  return [
    `${machine()}`,
    `${users} users, ${connections} connections, ${rounds} rounds of ${seconds} s; medians, and ratios within rounds (minimum to maximum)`,
    '',
    ...allResults.flatMap((measurement) => [...kindTable(measurement), '']),
    ...durability(results, measuredFast),
    ...readsBesideWriters(besideWriters, connections),
    ...table(
      ['', 'start-up ms', 'memory MiB', 'of which mapped files'],
      [...starts].map(([name, times]) => [
        name,
        wholeNumber(spread(times).median),
        wholeNumber(most(results, name, 'memory')),
        wholeNumber(most(results, name, 'mappedMemory')),
      ]),
    ),
    '',
    ...misses(allResults),
  ].join('\n')
}

/** The machine and its load, for readers of the figures. */
export function machine(): string {
  const load = loadavg()[0]?.toFixed(1)
  return `Node ${process.versions.node} on ${process.platform}, ${availableParallelism()} cores (${cpus()[0]?.model}), load average ${load}`
}

function kindTable({ kind, turns, latencies }: KindResult): string[] {
  const names = [...targets.keys()].filter((name) => turns.has(name))
  const median = (list: readonly Turn[], column: keyof Turn) => spread(valuesOf(list, column)).median
  const rows = [...turns].map(([name, list]) => {
    const compared = names.map((otherName) => (otherName === name ? undefined : compare(turns, name, otherName)))
    const latency = latencies?.get(name)
    return [
      name,
      wholeNumber(median(list, 'requestsPerSecond')),
      ...compared.map((comparison) => (comparison ? share(comparison.rate) : '')),
      wholeNumber(median(list, 'processor')),
      ...compared.map((comparison) => (comparison ? comparison.cost.median.toFixed(2) : '')),
      median(list, 'busyCores').toFixed(2),
      ...(latency ? [latencyText(latency)] : []),
    ]
  })
  const ofOthers = names.map((name) => `of ${name}`)
  const rate = [...(latencies?.values() ?? [])][0]?.rate
  const latencyHead = rate === undefined ? [] : [`p50 / p99 / p99.9 ms at ${wholeNumber(rate)}/s`]
  return table([kind, 'requests/s', ...ofOthers, 'CPU µs', ...ofOthers, 'cores', ...latencyHead], rows)
}

/** One contender as a share of another: by requests per second, and by requests per CPU time. */
function compare(turns: KindResult['turns'], name: string, otherName: string): { rate: Spread; cost: Spread } {
  const [ownTurns, otherTurns] = [turns.get(name), turns.get(otherName)]
  return {
    rate: ratio(valuesOf(ownTurns, 'requestsPerSecond'), valuesOf(otherTurns, 'requestsPerSecond')),
    cost: ratio(valuesOf(otherTurns, 'processor'), valuesOf(ownTurns, 'processor')),
  }
}

/** The cost of disk syncs for each contender. */
function durability(durable: readonly KindResult[], fast: readonly KindResult[]): string[] {
  return fast.flatMap(({ kind, turns }) => {
    const durableTurns = durable.find((measurement) => measurement.kind === kind)?.turns
    const shares = [...turns].map(([name, list]) => {
      const rates = [durableTurns?.get(name), list].map((turnList) => valuesOf(turnList, 'requestsPerSecond'))
      return `${name} ${share(ratio(rates[0] ?? [], rates[1] ?? []))}`
    })
    return [`Durable ${kind} as a share of the same with synchronous=OFF: ${shares.join(', ')}`, '']
  })
}

function readsBesideWriters(results: readonly BesideWriters[], writers: number): string[] {
  if (results.length === 0) return []
  const median = (turns: readonly ReadTurn[], column: keyof ReadTurn) =>
    spread(turns.map((turn) => turn[column])).median
  const rows = results.map(({ name, turns }) => [
    name,
    median(turns, 'p50').toFixed(1),
    median(turns, 'p99').toFixed(1),
    wholeNumber(median(turns, 'readsPerSecond')),
    wholeNumber(median(turns, 'writesPerSecond')),
  ])
  return [
    ...table([`GET one during writes of ${writers} clients`, 'p50 ms', 'p99 ms', 'reads/s', 'writes/s'], rows),
    '',
  ]
}

/** The missed targets, one line each. A target is met if both shares reach it. */
function misses(results: readonly KindResult[]): string[] {
  const missed = results.flatMap(({ kind, turns }) =>
    [...targets].flatMap(([otherName, target]) => {
      if (!turns.has(otherName)) return []
      const { rate, cost } = compare(turns, service.name, otherName)
      if (!(rate.median < target || cost.median < target)) return []
      const shares = `${rate.median.toFixed(2)} of ${otherName} by requests/s, ${cost.median.toFixed(2)} by CPU`
      return [`below the target of ${target}: ${kind}, ${shares}`]
    }),
  )
  return missed.length > 0 ? missed : ['All targets are met.']
}

/** Every turn, without rounding. */
export function reportJson({ settings, results, measuredFast, besideWriters, starts }: Results): string {
  const kinds = (list: readonly KindResult[]) =>
    list.map(({ kind, turns, latencies }) => ({
      kind,
      turns: Object.fromEntries(turns),
      ...(latencies && { latencies: Object.fromEntries(latencies) }),
    }))
  const { kinds: _, json: __, ...conditions } = settings
  return JSON.stringify(
    {
      date: new Date().toISOString(),
      machine: machine(),
      ...conditions,
      durable: kinds(results),
      fast: kinds(measuredFast),
      besideWriters,
      starts: Object.fromEntries(starts),
    },
    null,
    2,
  )
}

function most(results: readonly KindResult[], name: string, column: keyof Turn): number {
  return spread(results.flatMap(({ turns }) => valuesOf(turns.get(name), column))).most
}

function valuesOf(turns: readonly Turn[] | undefined, column: keyof Turn): number[] {
  return (turns ?? []).map((turn) => turn[column] ?? Number.NaN)
}

function share({ median, least, most }: Spread): string {
  return `${median.toFixed(2)} (${least.toFixed(2)} to ${most.toFixed(2)})`
}

function wholeNumber(value: number): string {
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
