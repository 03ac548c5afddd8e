/** Measures reads during writes: the cost of synced commits for readers. */
import type { ChildProcess } from 'node:child_process'
import { waitUntilIdle } from './child.ts'
import type { RunningContender } from './contender.ts'
import { runLoad } from './load.ts'
import type { Conditions } from './measure.ts'
import { type RequestKind, requestSpecsOf } from './request-kind.ts'

/** Reads of one round. */
export interface ReadTurn {
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  /** Requests per second of the reads, and of the concurrent writes. */
  readonly readsPerSecond: number
  readonly writesPerSecond: number
}

/** A contender, and the number of concurrent writers. */
export interface Setting {
  readonly name: string
  readonly contender: RunningContender
  readonly writers: number
}

export interface BesideWriters {
  readonly name: string
  readonly turns: readonly ReadTurn[]
}

/** Few enough to leave most of the service to the writers. */
const readers = 8

/** The settings take turns. Readers and writers are separate processes. */
export async function measureBesideWriters(
  loads: { readonly readers: ChildProcess; readonly writers: ChildProcess },
  settings: readonly Setting[],
  kinds: { readonly read: RequestKind; readonly write: RequestKind },
  { users, rounds, seconds }: Conditions,
  onTurn: (name: string) => void,
): Promise<readonly BesideWriters[]> {
  const results = settings.map(({ name }) => ({ name, turns: [] as ReadTurn[] }))
  for (let round = 0; round < rounds; round++) {
    for (const [index, { name, contender, writers }] of settings.entries()) {
      onTurn(`${name}, round ${round + 1} of ${rounds}`)
      const order = (kind: RequestKind, connections: number) => {
        const requests = requestSpecsOf(kind, connections * 40, users).map((spec) => contender.dialect.request(spec))
        return { url: contender.url, connections, seconds, requests }
      }
      const [reads, writes] = await Promise.all([
        runLoad(loads.readers, order(kinds.read, readers)),
        writers > 0 ? runLoad(loads.writers, order(kinds.write, writers)) : undefined,
      ])
      await waitUntilIdle(contender.child)
      results[index]?.turns.push({
        p50: reads.p50,
        p99: reads.p99,
        readsPerSecond: reads.number / reads.seconds,
        writesPerSecond: writes ? writes.number / writes.seconds : 0,
      })
    }
  }
  return results
}
