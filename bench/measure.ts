/** Measures contenders against each other: they take turns, round by round, because no machine is quiet for long. */
import type { ChildProcess } from 'node:child_process'
import { untilIdle, usageOf } from './child.ts'
import type { Served } from './contender.ts'
import type { LoadOrder } from './load/load-process.ts'
import { runLoad } from './load.ts'
import { asksOf, type RequestKind } from './request-kind.ts'

/** What one contender did in one round. */
export interface Turn {
  readonly requestsPerSecond: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  /** Microseconds of processor time for each request; undefined where the system does not tell. */
  readonly processor: number | undefined
  /** How many cores the contender kept busy: well below 1, something else was what it waited for. */
  readonly busy: number | undefined
  /** Resident memory in MiB after the round. */
  readonly memory: number | undefined
}

/** The turns of each contender, in the order of the rounds. */
export type Turns = ReadonlyMap<string, readonly Turn[]>

/** What was measured of one kind of request. */
export interface Measured {
  readonly kind: string
  readonly turns: Turns
}

/** How many different requests each connection goes round in. */
const requestsPerConnection = 40

/** How the turns are taken. */
export interface Conditions {
  readonly users: number
  readonly connections: number
  readonly rounds: number
  /** Length of one turn. */
  readonly seconds: number
}

/** Gives the turns of each group. The names of contenders are unique within a group; all groups share the rounds. */
export async function measure(
  load: ChildProcess,
  groups: readonly (readonly Served[])[],
  kind: RequestKind,
  { users, connections, rounds, seconds }: Conditions,
  onTurn: (name: string) => void,
): Promise<readonly Turns[]> {
  const asks = asksOf(kind, connections * requestsPerConnection, users)
  const orderFor = ({ url, dialect }: Served): LoadOrder => {
    return { url, connections, seconds, requests: asks.map((ask) => dialect.request(ask)) }
  }
  for (const contender of groups.flat()) {
    onTurn(`${contender.name}, warming up`)
    await takeTurn(load, contender, { ...orderFor(contender), seconds: Math.min(seconds, 1) })
  }
  const measured = groups.map((group) => new Map<string, Turn[]>(group.map(({ name }) => [name, []])))
  for (let round = 0; round < rounds; round++) {
    for (const [index, group] of groups.entries()) {
      for (const contender of group) {
        onTurn(`${contender.name}, round ${round + 1} of ${rounds}`)
        const turn = await takeTurn(load, contender, orderFor(contender))
        measured[index]?.get(contender.name)?.push(turn)
      }
    }
  }
  return measured
}

async function takeTurn(load: ChildProcess, { child }: Served, order: LoadOrder): Promise<Turn> {
  const before = usageOf(child)
  const { number, seconds, p50, p99 } = await runLoad(load, order)
  const after = usageOf(child)
  const used = before && after && after.processor - before.processor
  // Whoever is slow is still at the requests that were under way when the time was up.
  await untilIdle(child)
  return {
    requestsPerSecond: number / seconds,
    p50,
    p99,
    processor: used && (used / number) * 1e6,
    busy: used && used / seconds,
    memory: after?.memory,
  }
}
