/** The stored figures of a run, from which table and chart can be drawn again. */
import type { DatabaseKind } from '../contender.ts'
import { type KindResult, type Latencies, latencyText } from '../latency.ts'
import type { Turn } from '../measure.ts'
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

/** The properties of a contender that are known before the measurement. */
export interface ContenderDescription {
  readonly name: string
  readonly version: string
  readonly node: string
  readonly durability: string
  readonly notes: readonly string[]
  /** MiB of its production dependencies; undefined for a program that is not from npm. */
  readonly size: number | undefined
}

export interface ContenderFigures extends ContenderDescription {
  /** Milliseconds to the first response. */
  readonly start: number
  /** The maximum in MiB after a turn, of the whole process tree. */
  readonly memory: number
  /** Undefined for a kind that failed. */
  readonly byKind: Readonly<Record<string, KindFigures | undefined>>
}

export interface KindFigures {
  readonly requestsPerSecond: number
  /** The latencies at half of these requests per second; undefined if this load failed. */
  readonly latency: string | undefined
  /** Requests per second as a share of the service's, within rounds. */
  readonly share: number
}

export interface Failure {
  readonly name: string
  readonly kind: string
  readonly reason: string
}

interface Results {
  readonly kindResults: readonly KindResult[]
  readonly failures: readonly Failure[]
  readonly starts: ReadonlyMap<string, readonly number[]>
}

export function figuresOf(
  { database, users, connections, rounds, seconds, kinds }: PeerSettings,
  descriptions: readonly ContenderDescription[],
  { kindResults, failures, starts }: Results,
): PeerFigures {
  const service = descriptions[0]?.name ?? ''
  const contenders = descriptions.map((description) => ({
    ...description,
    notes: [...description.notes, ...failures.filter(({ name }) => name === description.name).map(failureNote)],
    start: spread(starts.get(description.name) ?? []).median,
    memory: spread(kindResults.flatMap(({ turns }) => valuesOf(turns.get(description.name), 'memory'))).most,
    byKind: Object.fromEntries(
      kindResults.map(({ kind, turns, latencies }) => [
        kind,
        kindFigures(turns.get(description.name), turns.get(service) ?? [], latencies?.get(description.name)),
      ]),
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

/** The first line of a reason, and the error in its output. */
function failureNote({ kind, reason }: Failure): string {
  const [first = ''] = reason.split('\n')
  const error = /^(?:FATAL )?\w*Error: .+$/im.exec(reason)?.[0]
  return [
    `${kind} failed under this load: ${first.replace(/ Its output:$/, '')}`,
    ...(error ? [`${error}.`] : []),
  ].join(' ')
}

function kindFigures(
  turns: readonly Turn[] | undefined,
  serviceTurns: readonly Turn[],
  latencies: Latencies | undefined,
): KindFigures | undefined {
  if (!turns) return undefined
  return {
    requestsPerSecond: spread(valuesOf(turns, 'requestsPerSecond')).median,
    latency: latencies && latencyText(latencies),
    share: ratio(valuesOf(turns, 'requestsPerSecond'), valuesOf(serviceTurns, 'requestsPerSecond')).median,
  }
}

function valuesOf(turns: readonly Turn[] | undefined, column: keyof Turn): number[] {
  return (turns ?? []).map((turn) => turn[column] ?? Number.NaN)
}
