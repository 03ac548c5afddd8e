/** What a run measured, as it is kept in a file: enough to draw table and chart again. */
import type { DatabaseKind } from '../contender.ts'
import type { Measured, Turn } from '../measure.ts'
import { machine } from '../report.ts'
import { ratio, spread } from '../statistic.ts'
import type { PeerSettings } from './settings.ts'

export interface PeerFigures {
  readonly date: string
  readonly machine: string
  readonly database: DatabaseKind
  readonly users: number
  readonly connections: number
  readonly rounds: number
  readonly seconds: number
  readonly kinds: readonly string[]
  /** The service is the first. */
  readonly contenders: readonly ContenderFigures[]
}

/** What is known of a contender before anything is measured. */
export interface Described {
  readonly name: string
  readonly version: string
  readonly node: string
  readonly durability: string
  readonly notes: readonly string[]
  /** MiB of its production dependencies. */
  readonly size: number
}

export interface ContenderFigures extends Described {
  /** Milliseconds to the first answer. */
  readonly start: number
  /** MiB, at its most after a turn; of the whole tree of processes. */
  readonly memory: number
  readonly byKind: Readonly<Record<string, KindFigures>>
}

export interface KindFigures {
  readonly requestsPerSecond: number
  readonly p50: number
  readonly p99: number
  /** Requests a second as a share of the service's, within rounds. */
  readonly share: number
}

export function figuresOf(
  { database, users, connections, rounds, seconds, kinds }: PeerSettings,
  described: readonly Described[],
  measured: readonly Measured[],
  starts: ReadonlyMap<string, readonly number[]>,
): PeerFigures {
  const service = described[0]?.name ?? ''
  const contenders = described.map((one) => ({
    ...one,
    start: spread(starts.get(one.name) ?? []).median,
    memory: spread(measured.flatMap(({ turns }) => valuesOf(turns.get(one.name), 'memory'))).most,
    byKind: Object.fromEntries(
      measured.map(({ kind, turns }) => [kind, kindFigures(turns.get(one.name) ?? [], turns.get(service) ?? [])]),
    ),
  }))
  return {
    date: new Date().toISOString().slice(0, 10),
    machine: machine(),
    ...{ database, users, connections, rounds, seconds },
    kinds: kinds.map(({ name }) => name),
    contenders,
  }
}

function kindFigures(turns: readonly Turn[], ofService: readonly Turn[]): KindFigures {
  const median = (column: 'requestsPerSecond' | 'p50' | 'p99') => spread(valuesOf(turns, column)).median
  return {
    requestsPerSecond: median('requestsPerSecond'),
    p50: median('p50'),
    p99: median('p99'),
    share: ratio(valuesOf(turns, 'requestsPerSecond'), valuesOf(ofService, 'requestsPerSecond')).median,
  }
}

function valuesOf(turns: readonly Turn[] | undefined, column: keyof Turn): number[] {
  return (turns ?? []).map((turn) => turn[column] ?? Number.NaN)
}
