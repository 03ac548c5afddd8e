/** One replica: whether it is available, and how far it has replayed the log. */
import { setTimeout as pause } from 'node:timers/promises'
import type { PoolLimits } from '../../connection/database-pool.ts'
import { type Host, hostText, type PostgresUrl } from '../../connection/postgres-url.ts'
import { StoreUnavailable } from '../../fault/error.ts'
import { faultOf } from '../../fault/fault.ts'
import { slot } from '../../sql/fragment.ts'
import { sql } from '../../sql/sql.ts'
import { PostgresDatabase } from '../connect/database.ts'
import { PostgresHosts } from '../connect/hosts.ts'
import { compile } from '../statement.ts'
import { positionOf, readOffset } from './log-position.ts'
import type { Timeline } from './timeline.ts'

const replayedQuery = compile<Timeline>(
  sql`select case when pg_is_in_recovery() then pg_last_wal_replay_lsn() end,
  (select "token" from "_timeline" where "timeline" = ${slot<Timeline>(({ number }) => number)}::bigint)`,
)

/** How long a replica may take to report its position. */
const timeoutMs = 2000

/** After this time, a replica that has not followed the primary is reported. */
const maxBehindMs = 5000

export interface ReplicaOptions {
  readonly limits: PoolLimits
  /** Called once when a replica becomes unavailable, and once when it is available again. */
  readonly onChange: (message: string, cause: unknown) => void
}

export class ReadReplica {
  readonly database: PostgresDatabase
  readonly host: string
  readonly #onChange: ReplicaOptions['onChange']
  /** The replayed position; undefined while the replica is unavailable. */
  #replayed: bigint | undefined
  #isDown = false
  /** Since when the replica lacks the timeline of the primary. */
  #behindSince: number | undefined

  constructor(url: PostgresUrl, host: Host, { limits, onChange }: ReplicaOptions) {
    this.database = new PostgresDatabase(new PostgresHosts({ ...url, hosts: [host] }, 'replica'), { limits })
    this.host = hostText(host)
    this.#onChange = onChange
  }

  /** Undefined while the replica is unavailable. */
  get replayed(): bigint | undefined {
    return this.#replayed
  }

  /** Queries the replayed position. `timeline` is that of the primary. */
  async poll(timeline: Timeline): Promise<void> {
    try {
      const [row] = await Promise.race([this.database.readShort(replayedQuery, timeline), timeout()])
      const offset = readOffset(row?.[0])
      // A server that accepts writes may be a replaced primary, whose data is not a copy.
      if (offset === undefined) return this.markDown(new Error('the server is not a standby'))
      if (row?.[1] !== timeline.token) return this.#markBehind(timeline)
      this.#behindSince = undefined
      this.#replayed = positionOf(timeline.number, offset)
      if (this.#isDown) this.#onChange(`The read replica ${this.host} is available again.`, undefined)
      this.#isDown = false
    } catch (error) {
      const isTableMissing = error instanceof StoreUnavailable && faultOf(error.cause) === 'outdated-schema'
      if (isTableMissing) this.#markBehind(timeline)
      else this.markDown(error)
    }
  }

  /** Does not use the replica until its position is known again. */
  forget(): void {
    this.#replayed = undefined
  }

  /** A standby usually follows its primary within moments. One that does not may have a log of its own. */
  #markBehind({ number }: Timeline): void {
    this.forget()
    this.#behindSince ??= performance.now()
    if (performance.now() - this.#behindSince > maxBehindMs)
      this.markDown(new Error(`the server has not followed the primary to timeline ${number}`))
  }

  /** A read from the replica failed. */
  markDown(cause: unknown): void {
    this.#replayed = undefined
    if (this.#isDown) return
    this.#isDown = true
    const message = `The read replica ${this.host} is unavailable (${reasonOf(cause)}).`
    this.#onChange(`${message} Reads use other replicas or the primary.`, cause)
  }
}

async function timeout(): Promise<never> {
  await pause(timeoutMs, undefined, { ref: false })
  throw new Error(`no response within ${timeoutMs} ms`)
}

/** The message of the first cause. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return `${cause}`
  return cause.cause === undefined ? cause.message : reasonOf(cause.cause)
}
