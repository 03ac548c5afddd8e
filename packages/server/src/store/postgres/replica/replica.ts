/** One replica: whether it is there, and how far it has got. */
import { setTimeout as pause } from 'node:timers/promises'
import { type Host, type PostgresAddress, shownHost } from '../../postgres-address.ts'
import { sql } from '../../sql/sql.ts'
import { PostgresDatabase } from '../connect/database.ts'
import { PostgresHosts } from '../connect/hosts.ts'
import { compile } from '../statement.ts'
import { readPosition } from './log-position.ts'

const replayed = compile<undefined>(sql`select case when pg_is_in_recovery() then pg_last_wal_replay_lsn() end`)

/** How long it may take to say how far it has got, in milliseconds. */
const timeoutMs = 2000

/** Told once when a replica goes away, and once when it is back. */
export type ReplicaListener = (message: string, cause: unknown) => void

export class ReadReplica {
  readonly database: PostgresDatabase
  readonly #host: string
  readonly #onChange: ReplicaListener
  /** How far it has got; undefined while it is away. */
  #replayed: bigint | undefined
  #isMissed = false

  constructor(address: PostgresAddress, host: Host, onChange: ReplicaListener) {
    this.database = new PostgresDatabase(new PostgresHosts({ ...address, hosts: [host] }))
    this.#host = shownHost(host)
    this.#onChange = onChange
  }

  /** Undefined while it cannot be read from. */
  get replayed(): bigint | undefined {
    return this.#replayed
  }

  /** Asks it how far it has got. */
  async look(): Promise<void> {
    try {
      const [row] = await Promise.race([this.database.readShort(replayed, undefined), silence()])
      const position = readPosition(row?.[0])
      // One that takes writes itself may be a primary that was replaced: what it holds is nobody's copy.
      if (position === undefined) return this.leave(new Error('it is no standby'))
      this.#replayed = position
      if (this.#isMissed) this.#onChange(`The read replica ${this.#host} is back.`, undefined)
      this.#isMissed = false
    } catch (error) {
      this.leave(error)
    }
  }

  /** It could not be read from. */
  leave(cause: unknown): void {
    this.#replayed = undefined
    if (this.#isMissed) return
    this.#isMissed = true
    const message = `The read replica ${this.#host} is away (${reasonOf(cause)}).`
    this.#onChange(`${message} Reads go to the others, or to the primary.`, cause)
  }
}

async function silence(): Promise<never> {
  await pause(timeoutMs, undefined, { ref: false })
  throw new Error(`no answer within ${timeoutMs} ms`)
}

/** What has led to all the rest. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return `${cause}`
  return cause.cause === undefined ? cause.message : reasonOf(cause.cause)
}
