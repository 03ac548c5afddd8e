/** Measures latencies at a fixed rate of requests. Contenders take turns, as in `measure.ts`. */
import type { ChildProcess } from 'node:child_process'
import { short } from './chart/number.ts'
import { waitUntilIdle } from './child.ts'
import type { RunningContender } from './contender.ts'
import { runLoad } from './load.ts'
import { type Conditions, type Listener, ordersFor, type Turn, type Turns } from './measure.ts'
import type { RequestKind } from './request-kind.ts'
import { spread } from './statistic.ts'

/** The latencies of one contender in one round, in milliseconds. */
export interface LatencyTurn {
  readonly number: number
  readonly p50: number
  readonly p99: number
  readonly p999: number
}

/** The latencies of one contender, round by round. */
export interface Latencies {
  /** Requests per second. */
  readonly rate: number
  readonly turns: readonly LatencyTurn[]
}

/** The results of one kind of request. */
export interface KindResult {
  readonly kind: string
  readonly turns: Turns
  readonly latencies?: ReadonlyMap<string, Latencies> | undefined
}

/** Half of what a contender can serve: it has to respond at once, and has time for it. */
const shareOfThroughput = 0.5

/** For each contender, half of its own throughput. */
export function halfOfOwn(turns: Turns): Map<string, number> {
  return new Map([...turns].map(([name, list]) => [name, throughput(list) * shareOfThroughput]))
}

/** For all contenders, half of the throughput of the slowest one. */
export function halfOfSlowest(turns: Turns): Map<string, number> {
  const rate = Math.min(...halfOfOwn(turns).values())
  return new Map([...turns.keys()].map((name) => [name, rate]))
}

function throughput(turns: readonly Turn[]): number {
  return spread(turns.map(({ requestsPerSecond }) => requestsPerSecond)).median
}

/** Contenders without a rate are left out. */
export async function measureLatencies(
  load: ChildProcess,
  contenders: readonly RunningContender[],
  kind: RequestKind,
  conditions: Conditions,
  rates: ReadonlyMap<string, number>,
  { onTurn, onFailure }: Listener,
): Promise<ReadonlyMap<string, Latencies>> {
  const orderFor = ordersFor(kind, conditions)
  const results = new Map<string, { rate: number; turns: LatencyTurn[] }>(
    [...rates].map(([name, rate]) => [name, { rate, turns: [] }]),
  )
  for (let round = 0; round < conditions.rounds; round++) {
    for (const contender of contenders) {
      const { name, child } = contender
      const result = results.get(name)
      if (!result) continue
      onTurn(`${name} at ${Math.round(result.rate)} requests/s, round ${round + 1} of ${conditions.rounds}`)
      try {
        result.turns.push(await runLoad(load, { ...orderFor(contender), rate: result.rate }))
      } catch (error) {
        if (!onFailure || !(error instanceof Error)) throw error
        results.delete(name)
        onFailure(name, error.message)
      } finally {
        await waitUntilIdle(child)
      }
    }
  }
  return results
}

/** The medians as text: `0.4 / 1.2 / 3.0`. A percentile that fewer than ten requests exceed is not shown. */
export function latencyText({ turns }: Latencies): string {
  const column = (name: 'p50' | 'p99' | 'p999', least: number) =>
    turns.every(({ number }) => number >= least) ? short(spread(turns.map((turn) => turn[name])).median) : '–'
  return [column('p50', 20), column('p99', 1000), column('p999', 10_000)].join(' / ')
}
