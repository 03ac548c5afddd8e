/** Measures contenders against each other: they take turns, round by round, because no machine is quiet for long. */
import type { ChildProcess } from 'node:child_process'
import { untilIdle, usageOf } from './child.ts'
import { causeOfEnd, type Served } from './contender.ts'
import type { LoadOrder } from './load/order.ts'
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

export interface Listener {
  /** Whose turn it is. */
  onTurn(name: string): void
  /** Takes note of a contender that failed and is out for this kind. Unless given, a failure ends the run. */
  onFailure?(name: string, reason: string): void
}

/** Gives the turns of each group. The names of contenders are unique within a group; all groups share the rounds. */
export async function measure(
  load: ChildProcess,
  groups: readonly (readonly Served[])[],
  kind: RequestKind,
  { users, connections, rounds, seconds }: Conditions,
  { onTurn, onFailure }: Listener,
): Promise<readonly Turns[]> {
  const asks = asksOf(kind, connections * requestsPerConnection, users)
  const orderFor = ({ url, dialect }: Served): LoadOrder => {
    // Each connection once at least: of whoever is slow, the first answer alone would tell nothing.
    const requests = asks.map((ask) => dialect.request(ask))
    return { url, connections, seconds, requests, atLeast: connections }
  }
  const measured = groups.map((group) => new Map<string, Turn[]>(group.map(({ name }) => [name, []])))
  const attempt = async (contender: Served, index: number, order: LoadOrder) => {
    try {
      return await takeTurn(load, contender, order)
    } catch (error) {
      if (!onFailure || !(error instanceof Error)) throw error
      measured[index]?.delete(contender.name)
      onFailure(contender.name, error.message)
    }
  }
  for (const [index, group] of groups.entries()) {
    for (const contender of group) {
      onTurn(`${contender.name}, warming up`)
      await attempt(contender, index, { ...orderFor(contender), seconds: Math.min(seconds, 1), atLeast: 1 })
    }
  }
  for (let round = 0; round < rounds; round++) {
    for (const [index, group] of groups.entries()) {
      for (const contender of group) {
        const turns = measured[index]?.get(contender.name)
        if (!turns) continue
        onTurn(`${contender.name}, round ${round + 1} of ${rounds}`)
        const turn = await attempt(contender, index, orderFor(contender))
        if (turn) turns.push(turn)
      }
    }
  }
  return measured
}

async function takeTurn(load: ChildProcess, contender: Served, order: LoadOrder): Promise<Turn> {
  const { child, name } = contender
  const before = usageOf(child)
  try {
    const { number, seconds, p50, p99 } = await runLoad(load, order)
    const after = usageOf(child)
    const used = before && after && after.processor - before.processor
    return {
      requestsPerSecond: number / seconds,
      p50,
      p99,
      processor: used && (used / number) * 1e6,
      busy: used && used / seconds,
      memory: after?.memory,
    }
  } catch (error) {
    throw new Error(causeOfEnd(contender) ?? `${name}: ${error instanceof Error ? error.message : error}`)
  } finally {
    // Whoever is slow is still at the requests that were under way when the time was up.
    await untilIdle(child)
  }
}
