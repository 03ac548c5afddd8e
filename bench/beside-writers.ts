/** Measures reads while others write: what a commit that waits for the disk costs those who only read. */
import type { ChildProcess } from 'node:child_process'
import { untilIdle } from './child.ts'
import type { Served } from './contender.ts'
import { runLoad } from './load.ts'
import type { Conditions } from './measure.ts'
import { asksOf, type RequestKind } from './request-kind.ts'

/** Reads of one round. */
export interface ReadTurn {
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  /** Of the reads, and of the writes meanwhile. */
  readonly readsPerSecond: number
  readonly writesPerSecond: number
}

/** One way to serve, and how many write meanwhile. */
export interface Setting {
  readonly name: string
  readonly served: Served
  readonly writers: number
}

export interface BesideWriters {
  readonly name: string
  readonly turns: readonly ReadTurn[]
}

/** Few enough to leave the service to the writers. */
const readers = 8

/** The settings take turns. Readers and writers are processes of their own. */
export async function measureBesideWriters(
  loads: { readonly readers: ChildProcess; readonly writers: ChildProcess },
  settings: readonly Setting[],
  kinds: { readonly read: RequestKind; readonly write: RequestKind },
  { users, rounds, seconds }: Conditions,
  onTurn: (name: string) => void,
): Promise<readonly BesideWriters[]> {
  const measured = settings.map(({ name }) => ({ name, turns: [] as ReadTurn[] }))
  for (let round = 0; round < rounds; round++) {
    for (const [index, { name, served, writers }] of settings.entries()) {
      onTurn(`${name}, round ${round + 1} of ${rounds}`)
      const order = (kind: RequestKind, connections: number) => {
        const requests = asksOf(kind, connections * 40, users).map((ask) => served.dialect.request(ask))
        return { url: served.url, connections, seconds, requests }
      }
      const [reads, writes] = await Promise.all([
        runLoad(loads.readers, order(kinds.read, readers)),
        writers > 0 ? runLoad(loads.writers, order(kinds.write, writers)) : undefined,
      ])
      await untilIdle(served.child)
      measured[index]?.turns.push({
        p50: reads.p50,
        p99: reads.p99,
        readsPerSecond: reads.number / reads.seconds,
        writesPerSecond: writes ? writes.number / writes.seconds : 0,
      })
    }
  }
  return measured
}
