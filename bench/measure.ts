/** Measures contenders against each other: they take turns, round by round, because no machine is quiet for long. */
import type { ChildProcess } from 'node:child_process'
import { usageOf } from './child.ts'
import type { Served } from './contender.ts'
import { runLoad } from './load.ts'
import { type RequestKind, requestsOf } from './request-kind.ts'
import type { Settings } from './settings.ts'

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

/** The turns of each contender at one kind of request, in the order of the rounds. */
export interface Measured {
  readonly kind: string
  readonly turns: ReadonlyMap<string, readonly Turn[]>
}

/** How many different requests each connection goes round in. */
const requestsPerConnection = 40

export async function measure(
  load: ChildProcess,
  contenders: readonly Served[],
  kind: RequestKind,
  settings: Settings,
  onTurn: (name: string) => void,
): Promise<Measured> {
  const { users, connections, rounds, seconds } = settings
  const requests = requestsOf(kind, connections * requestsPerConnection, users)
  const turns = new Map<string, Turn[]>(contenders.map(({ name }) => [name, []]))
  const order = { connections, requests }
  for (const { url } of contenders) await runLoad(load, { ...order, url, seconds: Math.min(seconds, 1) })
  for (let round = 0; round < rounds; round++) {
    for (const contender of contenders) {
      onTurn(contender.name)
      turns.get(contender.name)?.push(await takeTurn(load, contender, { ...order, url: contender.url, seconds }))
    }
  }
  return { kind: kind.name, turns }
}

async function takeTurn(load: ChildProcess, { child }: Served, order: Parameters<typeof runLoad>[1]): Promise<Turn> {
  const before = usageOf(child)
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
}
