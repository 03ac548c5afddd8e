/**
 * Reads from replicas; from the primary if they are unavailable or behind the writes of a caller. If only other
 * instances have replicas, this one only reports the positions of its writes.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { readPostgresUrl, replicasElsewhere } from '../../connection/postgres-url.ts'
import { OutcomeUnknown, QueryTimeout } from '../../fault/error.ts'
import type { Outcome } from '../../outcome.ts'
import type { Reader } from '../../plan.ts'
import { sql } from '../../sql/sql.ts'
import type { PostgresDatabase } from '../connect/database.ts'
import { compile } from '../statement.ts'
import {
  laterOf,
  positionOf,
  readOffset,
  readPosition,
  timelineNumber,
  unknownPosition,
  writePosition,
} from './log-position.ts'
import { ReadReplica, type ReplicaOptions } from './replica.ts'
import { type Timeline, timelineOf } from './timeline.ts'
import { WritePositions } from './write-positions.ts'

/** How often the positions of replicas are queried: while a caller waits for one, and otherwise. */
const fastPollMs = 50
const slowPollMs = 1000

/** The name of a WAL file begins with the timeline. */
const logEndQuery = compile<undefined>(
  sql`select lsn, left(pg_walfile_name(lsn), 8) from pg_current_wal_insert_lsn() as lsn`,
)

/** Anonymous callers count as one caller. */
const anonymous: Reader = { name: '' }

export class ReadReplicas {
  readonly #primary: PostgresDatabase
  readonly #replicas: readonly ReadReplica[]
  readonly #positions = new WritePositions()
  /** The last known end of the primary's log. */
  #end = 0n
  /** When the end was queried. */
  #endAt = Number.NEGATIVE_INFINITY
  /** The primary's timeline; undefined until it is known. */
  #timeline: Timeline | undefined
  #endQuery: Promise<bigint> | undefined
  #nextEndQuery: Promise<bigint> | undefined
  #lastIndex = 0
  #timer: NodeJS.Timeout | undefined
  #polling: Promise<void> | undefined
  #isAwaited = true
  #isClosed = false

  constructor(primary: PostgresDatabase, url: string, options: ReplicaOptions) {
    this.#primary = primary
    const parsedUrl = url === replicasElsewhere ? undefined : readPostgresUrl(url)
    this.#replicas = parsedUrl ? parsedUrl.hosts.map((host) => new ReadReplica(parsedUrl, host, options)) : []
    // Changes of the start must have been replayed before anything is read from a replica.
    this.#positions.raise(unknownPosition)
  }

  /** Waits until the state of each replica is known. */
  async open(): Promise<void> {
    if (this.#replicas.length > 0) await this.#poll()
  }

  /** Reads from a replica that is current enough for the caller; from the primary if there is none, or if it fails. */
  async read<Result>(reader: Reader | undefined, read: (from: PostgresDatabase) => Promise<Result>): Promise<Result> {
    const replica = this.#replicas.length > 0 ? await this.#replicaFor(reader ?? anonymous) : undefined
    if (!replica) return read(this.#primary)
    try {
      return await read(replica.database)
    } catch (error) {
      if (error instanceof QueryTimeout) throw error
      // A single read may fail because of a conflict with the replay.
      this.#pollSoon()
      return read(this.#primary)
    }
  }

  /** Whether callers that have not written can read without the primary. */
  get areReadable(): boolean {
    return this.#replicas.some(({ replayed }) => replayed !== undefined && replayed >= this.#positions.floor)
  }

  /** The state of each replica. The lag is undefined if it is not known. */
  get figures(): readonly { readonly host: string; readonly isUp: boolean; readonly lagBytes: number | undefined }[] {
    return this.#replicas.map(({ host, replayed }) => ({
      host,
      isUp: replayed !== undefined,
      lagBytes: replayed === undefined || this.#end === 0n ? undefined : lagBetween(replayed, this.#end),
    }))
  }

  /** Adds to the outcome of a write its position in the log. */
  async afterWrite(reader: Reader | undefined, writing: Promise<Outcome>): Promise<Outcome> {
    const { result, position } = await this.withPosition(reader, writing)
    return position === undefined ? result : { ...result, position }
  }

  /** The result of a write and its position in the log. From now on the caller reads at least this state. */
  async withPosition<Result>(
    reader: Reader = anonymous,
    writing: Promise<Result>,
  ): Promise<{ readonly result: Result; readonly position: string | undefined }> {
    try {
      const result = await writing
      const position = await this.#logEnd()
      this.#recordPosition(reader, position)
      return { result, position: position === unknownPosition ? undefined : writePosition(position) }
    } catch (error) {
      if (error instanceof OutcomeUnknown) this.#recordPosition(reader, unknownPosition)
      throw error
    }
  }

  /** All callers see loaded records. */
  async afterLoad<Result>(loading: Promise<Result>): Promise<Result> {
    const result = await loading
    if (this.#replicas.length === 0) return result
    this.#positions.raise(await this.#logEnd())
    this.#pollSoon()
    return result
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#polling
    await Promise.all(this.#replicas.map(({ database }) => database.close()))
  }

  #recordPosition({ name }: Reader, position: bigint): void {
    if (this.#replicas.length === 0) return
    this.#positions.record(name, position)
    this.#pollSoon()
  }

  /**
   * Queries the end of the primary's log, not before now. Concurrent callers share a statement, so invented positions of
   * clients cost the primary little.
   */
  #queryEnd(): Promise<bigint> {
    const query = () => {
      this.#endQuery = this.#logEnd().finally(() => {
        this.#endQuery = undefined
      })
      return this.#endQuery
    }
    if (!this.#endQuery) return query()
    this.#nextEndQuery ??= this.#endQuery.then(() => {
      this.#nextEndQuery = undefined
      return query()
    })
    return this.#nextEndQuery
  }

  /** The end of the primary's log, after everything that was committed before. */
  async #logEnd(): Promise<bigint> {
    try {
      const [row] = await this.#primary.readShort(logEndQuery, undefined)
      const offset = readOffset(row?.[0])
      if (offset === undefined) return unknownPosition
      const position = positionOf(Number.parseInt(`${row?.[1]}`, 16), offset)
      this.#end = laterOf(this.#end, position)
      this.#endAt = performance.now()
      return position
    } catch {
      return unknownPosition
    }
  }

  /** The next current replica, round robin. Synchronous, except for positions that are new. */
  #replicaFor({
    name,
    position: positionText,
    isCurrent,
  }: Reader): ReadReplica | undefined | Promise<ReadReplica | undefined> {
    if (isCurrent) return undefined
    const position = readPosition(positionText) ?? 0n
    if (position <= this.#end) return this.#replicaAt(this.#positions.neededBy(name, position))
    // Another instance has just written it, or the client invented it: then the log ends before it.
    return this.#queryEnd().then((end) =>
      this.#replicaAt(this.#positions.neededBy(name, position <= end ? position : 0n)),
    )
  }

  #replicaAt(needed: bigint): ReadReplica | undefined {
    for (let tried = 0; tried < this.#replicas.length; tried++) {
      this.#lastIndex = (this.#lastIndex + 1) % this.#replicas.length
      const replica = this.#replicas[this.#lastIndex]
      if (replica?.replayed !== undefined && replica.replayed >= needed) return replica
    }
    this.#pollSoon()
    return undefined
  }

  /** A caller waits for the positions of the replicas. */
  #pollSoon(): void {
    if (this.#isAwaited) return
    this.#isAwaited = true
    if (!this.#polling) this.#schedule()
  }

  #schedule(): void {
    clearTimeout(this.#timer)
    if (this.#isClosed) return
    const delayMs = this.#isAwaited || !this.#positions.isEmpty ? fastPollMs : slowPollMs
    this.#timer = setTimeout(() => this.#poll(), delayMs).unref()
  }

  #poll(): Promise<void> {
    this.#isAwaited = false
    this.#polling = this.#queryPositions().finally(() => {
      this.#polling = undefined
      this.#schedule()
    })
    return this.#polling
  }

  async #queryPositions(): Promise<void> {
    // The state of the replicas is still queried if the primary does not respond.
    await Promise.race([this.#followPrimary(), pause(slowPollMs, undefined, { ref: false })])
    const timeline = this.#timeline
    if (!timeline) return
    await Promise.all(this.#replicas.map((replica) => replica.poll(timeline)))
    if (timeline !== this.#timeline) this.#forgetReplicas()
    const replayedPositions = this.#replicas.map(({ replayed }) => replayed ?? 0n)
    this.#positions.forget(replayedPositions.sort(byPosition)[0] ?? 0n)
  }

  /** Notices a failover, also if this process writes nothing. */
  async #followPrimary(): Promise<void> {
    const isDue = performance.now() - this.#endAt > slowPollMs
    const end = isDue || this.#positions.hasUnknown || !this.#timeline ? await this.#logEnd() : this.#end
    if (end === unknownPosition) return
    const number = timelineNumber(end)
    try {
      if (this.#timeline?.number !== number) {
        this.#forgetReplicas()
        this.#timeline = await timelineOf(this.#primary, number)
      }
      this.#positions.settle(end)
    } catch {
      // The next poll tries again.
    }
  }

  #forgetReplicas(): void {
    for (const replica of this.#replicas) replica.forget()
  }
}

/** A replica may have replayed more than the last known end. */
function lagBetween(replayed: bigint, end: bigint): number {
  return end > replayed ? Number(end - replayed) : 0
}

function byPosition(first: bigint, second: bigint): number {
  return first < second ? -1 : 1
}
