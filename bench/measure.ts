/** Compares contenders: they take turns, round by round, because no machine is idle for long. */
import type { ChildProcess } from 'node:child_process'
import { usageOf, waitUntilIdle } from './child.ts'
import { causeOfEnd, type RunningContender } from './contender.ts'
import type { LoadOrder } from './load/order.ts'
import { runLoad } from './load.ts'
import { type RequestKind, requestSpecsOf } from './request-kind.ts'

/** The result of one contender in one round. */
export interface Turn {
  readonly requestsPerSecond: number
  /** Microseconds of CPU time per request; undefined if the system does not report it. */
  readonly processor: number | undefined
  /** The number of busy cores: well below 1 means that the contender waited for something else. */
  readonly busyCores: number | undefined
  /** Resident memory in MiB after the round. */
  readonly memory: number | undefined
  /** The part of it that is mapped files. */
  readonly mappedMemory: number | undefined
}

/** The turns of each contender, in the order of the rounds. */
export type Turns = ReadonlyMap<string, readonly Turn[]>

/** How many different requests each connection repeats. */
const requestsPerConnection = 40

/** The conditions of a measurement. */
export interface Conditions {
  readonly users: number
  readonly connections: number
  readonly rounds: number
  /** Length of one turn. */
  readonly seconds: number
}

export interface Listener {
  /** Called with the current contender. */
  onTurn(name: string): void
  /** Called with a contender that failed, which is skipped for this kind (default: a failure ends the run). */
  onFailure?(name: string, reason: string): void
}

/** Returns the turns of each group. Names are unique within a group; all groups share the rounds. */
export async function measure(
  load: ChildProcess,
  groups: readonly (readonly RunningContender[])[],
  kind: RequestKind,
  conditions: Conditions,
  { onTurn, onFailure }: Listener,
): Promise<readonly Turns[]> {
  const { rounds, seconds } = conditions
  const orderFor = ordersFor(kind, conditions)
  const results = groups.map((group) => new Map<string, Turn[]>(group.map(({ name }) => [name, []])))
  const attempt = async (contender: RunningContender, index: number, order: LoadOrder) => {
    try {
      return await takeTurn(load, contender, order)
    } catch (error) {
      if (!onFailure || !(error instanceof Error)) throw error
      results[index]?.delete(contender.name)
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
        const turns = results[index]?.get(contender.name)
        if (!turns) continue
        onTurn(`${contender.name}, round ${round + 1} of ${rounds}`)
        const turn = await attempt(contender, index, orderFor(contender))
        if (turn) turns.push(turn)
      }
    }
  }
  return results
}

/** The orders to the load process: the same requests for all contenders. */
export function ordersFor(
  kind: RequestKind,
  { users, connections, seconds }: Conditions,
): (contender: RunningContender) => LoadOrder {
  const specs = requestSpecsOf(kind, connections * requestsPerConnection, users)
  return ({ url, dialect }) => {
    // At least one response per connection, because the first response of a slow contender is not representative.
    const requests = specs.map((spec) => dialect.request(spec))
    return { url, connections, connection: kind.connection, seconds, requests, atLeast: connections }
  }
}

async function takeTurn(load: ChildProcess, contender: RunningContender, order: LoadOrder): Promise<Turn> {
  const { child, name } = contender
  const before = usageOf(child)
  try {
    const { number, seconds } = await runLoad(load, order)
    const after = usageOf(child)
    const usedSeconds = before && after && after.processor - before.processor
    return {
      requestsPerSecond: number / seconds,
      processor: usedSeconds && (usedSeconds / number) * 1e6,
      busyCores: usedSeconds && usedSeconds / seconds,
      memory: after?.memory,
      mappedMemory: after?.mappedMemory,
    }
  } catch (error) {
    throw new Error(causeOfEnd(contender) ?? `${name}: ${error instanceof Error ? error.message : error}`)
  } finally {
    // A slow contender may still be working on pending requests.
    await waitUntilIdle(child)
  }
}
