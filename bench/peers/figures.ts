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
  /** Nothing for a kind at which it failed. */
  readonly byKind: Readonly<Record<string, KindFigures | undefined>>
}

export interface KindFigures {
  readonly requestsPerSecond: number
  readonly p50: number
  readonly p99: number
  /** Requests a second as a share of the service's, within rounds. */
  readonly share: number
}

export interface Failure {
  readonly name: string
  readonly kind: string
  readonly reason: string
}

interface Results {
  readonly measured: readonly Measured[]
  readonly failures: readonly Failure[]
  readonly starts: ReadonlyMap<string, readonly number[]>
}

export function figuresOf(
  { database, users, connections, rounds, seconds, kinds }: PeerSettings,
  described: readonly Described[],
  { measured, failures, starts }: Results,
): PeerFigures {
  const service = described[0]?.name ?? ''
  const contenders = described.map((one) => ({
    ...one,
    notes: [...one.notes, ...failures.filter(({ name }) => name === one.name).map(failureNote)],
    start: spread(starts.get(one.name) ?? []).median,
    memory: spread(measured.flatMap(({ turns }) => valuesOf(turns.get(one.name), 'memory'))).most,
    byKind: Object.fromEntries(
      measured.map(({ kind, turns }) => [kind, kindFigures(turns.get(one.name), turns.get(service) ?? [])]),
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

/** The first line of a reason, and the error that is told further down. */
function failureNote({ kind, reason }: Failure): string {
  const [first = ''] = reason.split('\n')
  const error = /^(?:FATAL )?\w*Error: .+$/im.exec(reason)?.[0]
  return [
    `At ${kind} it failed under this load: ${first.replace(/ It printed:$/, '')}`,
    ...(error ? [`${error}.`] : []),
  ].join(' ')
}

function kindFigures(turns: readonly Turn[] | undefined, ofService: readonly Turn[]): KindFigures | undefined {
  if (!turns) return undefined
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
