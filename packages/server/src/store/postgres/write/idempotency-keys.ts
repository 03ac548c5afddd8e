/** Answers kept under the Idempotency-Key of the request that made them. */
import type { Value } from '@nomen/core'
import { timestamp } from '../../../foundation/timestamp.ts'
import { refused } from '../../decide/refusal.ts'
import type { Outcome } from '../../outcome.ts'
import type { PostgresDatabase, Reads } from '../connect/database.ts'
import type { Row } from '../connect/pooled-connection.ts'
import { takenIndex } from '../error.ts'
import { compile } from '../statement.ts'
import { type Keyed, knownAnswer, sweepKeys } from './idempotency-query.ts'

/** How often the keys whose time has passed are removed, in milliseconds. */
const pauseBetweenSweeps = 60 * 1000

const known = compile<Keyed>(knownAnswer)
const sweep = compile<Pick<Keyed, 'now'>>(sweepKeys)

export class IdempotencyKeys {
  readonly #timer: NodeJS.Timeout

  constructor(database: PostgresDatabase) {
    // Runs in the background; the next run removes the rest.
    const remove = () => void database.write(sweep, { now: timestamp() }).catch(() => {})
    this.#timer = setInterval(remove, pauseBetweenSweeps).unref()
  }

  /** The first answer to the same request, or a refusal where the key came with another one. */
  async find(keyed: Keyed, among: Pick<Reads, 'readShort'>): Promise<Outcome | undefined> {
    const [row] = await among.readShort(known, keyed)
    return row && knownOutcome(keyed, row)
  }

  close(): void {
    clearInterval(this.#timer)
  }
}

/** What a kept answer says; undefined where there is none. */
export function knownOutcome({ idempotency }: Keyed, row: Row): Outcome | undefined {
  const [fingerprint, identity, version, json] = row as readonly string[]
  if (typeof json !== 'string') return undefined
  if (fingerprint !== idempotency.fingerprint) return refused({ reason: 'key-reused' })
  const known = JSON.parse(identity as string) as Value
  return { kind: 'record', json, identity: known, version: Number(version), isReplay: true }
}

/** Whether a write was undone because its key has come at the same moment. */
export function isKeyTaken(error: unknown): boolean {
  return takenIndex(error) === '_idempotency_pkey'
}
