/**
 * Reads from replicas, and from the primary where they are away or behind what a caller has written. Where only other instances
 * have replicas, it has none, and marks writes for those.
 */

import { OutcomeUnknown, QueryTimeout } from '../../error.ts'
import type { Outcome } from '../../outcome.ts'
import type { Reader } from '../../plan.ts'
import { elsewhere, readAddress } from '../../postgres-address.ts'
import { sql } from '../../sql/sql.ts'
import type { PostgresDatabase } from '../connect/database.ts'
import { compile } from '../statement.ts'
import { beyond, later, readPosition, writePosition } from './log-position.ts'
import { ReadReplica, type ReplicaListener } from './replica.ts'
import { WritePositions } from './write-positions.ts'

/** How often replicas are asked how far they are: while somebody waits for it, and else, in milliseconds. */
const fastPollMs = 50
const slowPollMs = 1000

const written = compile<undefined>(sql`select pg_current_wal_insert_lsn()`)

/** Whoever asks without a name is one caller. */
const nobody: Reader = { name: '' }

export class ReadReplicas {
  readonly #primary: PostgresDatabase
  readonly #replicas: readonly ReadReplica[]
  readonly #marks = new WritePositions()
  /** Where the primary's log ended at least, when that was last heard of. */
  #end = 0n
  #asked: Promise<bigint> | undefined
  #nextAsked: Promise<bigint> | undefined
  #turn = 0
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> | undefined
  #isAwaited = true
  #isClosed = false

  constructor(primary: PostgresDatabase, address: string, onChange: ReplicaListener) {
    this.#primary = primary
    const parts = address === elsewhere ? undefined : readAddress(address)
    this.#replicas = parts ? parts.hosts.map((host) => new ReadReplica(parts, host, onChange)) : []
    // What the start has changed must have arrived before anything is read from a replica.
    this.#marks.raise(beyond)
  }

  /** Waits until it is known of each replica whether it is there. */
  async open(): Promise<void> {
    if (this.#replicas.length > 0) await this.#look()
  }

  /** Reads from a replica that has got far enough for the caller; from the primary if there is none, or it fails. */
  async read<Result>(reader: Reader | undefined, read: (from: PostgresDatabase) => Promise<Result>): Promise<Result> {
    const replica = this.#replicas.length > 0 ? await this.#for(reader ?? nobody) : undefined
    if (!replica) return read(this.#primary)
    try {
      return await read(replica.database)
    } catch (error) {
      if (error instanceof QueryTimeout) throw error
      // A single read may fail there by right, such as one that is in the way of what is being replayed.
      this.#lookSoon()
      return read(this.#primary)
    }
  }

  /** Adds its position in the log to the outcome of a write. */
  async after(reader: Reader | undefined, writing: Promise<Outcome>): Promise<Outcome> {
    const { result, position } = await this.withPosition(reader, writing)
    return position === undefined ? result : { ...result, position }
  }

  /** The result of a write and its position in the log. From now on the caller reads at least this state. */
  async withPosition<Result>(
    reader: Reader = nobody,
    writing: Promise<Result>,
  ): Promise<{ readonly result: Result; readonly position: string | undefined }> {
    try {
      const result = await writing
      const position = await this.#written()
      this.#note(reader, position)
      return { result, position: position === beyond ? undefined : writePosition(position) }
    } catch (error) {
      if (error instanceof OutcomeUnknown) this.#note(reader, beyond)
      throw error
    }
  }

  /** What was loaded, everybody is shown. */
  async afterLoad<Result>(loading: Promise<Result>): Promise<Result> {
    const result = await loading
    if (this.#replicas.length === 0) return result
    this.#marks.raise(await this.#written())
    this.#lookSoon()
    return result
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#looking
    await Promise.all(this.#replicas.map(({ database }) => database.close()))
  }

  #note({ name }: Reader, position: bigint): void {
    if (this.#replicas.length === 0) return
    this.#marks.note(name, position)
    this.#lookSoon()
  }

  /**
   * Where the primary's log ends, asked not before now. One statement at a time, however many want to know: clients that
   * make positions up cost the primary no more than that.
   */
  #askEnd(): Promise<bigint> {
    const ask = () => {
      this.#asked = this.#written().finally(() => {
        this.#asked = undefined
      })
      return this.#asked
    }
    if (!this.#asked) return ask()
    this.#nextAsked ??= this.#asked.then(() => {
      this.#nextAsked = undefined
      return ask()
    })
    return this.#nextAsked
  }

  /** The end of the primary's log, which all that was committed before lies below. */
  async #written(): Promise<bigint> {
    try {
      const [row] = await this.#primary.readShort(written, undefined)
      const position = readPosition(row?.[0]) ?? beyond
      if (position !== beyond) this.#end = later(this.#end, position)
      return position
    } catch {
      return beyond
    }
  }

  /** The next in turn of those that have got far enough. To find out takes no time but for positions that are new. */
  #for({ name, after, isCurrent }: Reader): ReadReplica | undefined | Promise<ReadReplica | undefined> {
    if (isCurrent) return undefined
    const position = readPosition(after) ?? 0n
    if (position <= this.#end) return this.#reaching(this.#marks.neededBy(name, position))
    // Another instance has just written it, or the client made it up: no log that ends before it has led to it.
    return this.#askEnd().then((end) => this.#reaching(this.#marks.neededBy(name, position <= end ? position : 0n)))
  }

  #reaching(needed: bigint): ReadReplica | undefined {
    for (let tried = 0; tried < this.#replicas.length; tried++) {
      this.#turn = (this.#turn + 1) % this.#replicas.length
      const replica = this.#replicas[this.#turn]
      if (replica?.replayed !== undefined && replica.replayed >= needed) return replica
    }
    this.#lookSoon()
    return undefined
  }

  /** Somebody waits to hear how far the replicas are. */
  #lookSoon(): void {
    if (this.#isAwaited) return
    this.#isAwaited = true
    if (!this.#looking) this.#plan()
  }

  #plan(): void {
    clearTimeout(this.#timer)
    if (this.#isClosed) return
    const after = this.#isAwaited || !this.#marks.isEmpty ? fastPollMs : slowPollMs
    this.#timer = setTimeout(() => this.#look(), after).unref()
  }

  #look(): Promise<void> {
    this.#isAwaited = false
    this.#looking = this.#ask().finally(() => {
      this.#looking = undefined
      this.#plan()
    })
    return this.#looking
  }

  async #ask(): Promise<void> {
    if (this.#marks.hasUnknown) {
      const position = await this.#written()
      if (position !== beyond) this.#marks.settle(position)
    }
    await Promise.all(this.#replicas.map((replica) => replica.look()))
    const places = this.#replicas.map(({ replayed }) => replayed ?? 0n)
    this.#marks.forget(places.sort(byPosition)[0] ?? 0n)
  }
}

function byPosition(one: bigint, other: bigint): number {
  return one < other ? -1 : 1
}
