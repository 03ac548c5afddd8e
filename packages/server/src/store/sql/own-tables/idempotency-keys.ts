/** Responses to create requests, stored by their Idempotency-Key. */
import { throttledReport } from '../../../foundation/throttled-report.ts'
import { timestamp } from '../../../foundation/timestamp.ts'
import { rejectionOutcome } from '../../decide/rejection.ts'
import type { Outcome } from '../../outcome.ts'
import type { CreatePlan } from '../../plan.ts'
import type { StoreFaultListener } from '../../store.ts'
import { slot } from '../fragment.ts'
import { type Sql, sql } from '../sql.ts'
import type { OwnRow, OwnTableDatabase, OwnTableDialect, OwnTableWork } from './dialect.ts'

/** The input of the statements. */
export type IdempotencyInput = Required<Pick<CreatePlan, 'idempotency' | 'now'>>

const lifetimeMs = 24 * 60 * 60 * 1000

/** How often expired keys are removed, and how many at a time, so that other writes can run in between. */
const sweepEveryMs = 60_000
const sweepSize = 1000
const reportEveryMs = 24 * 60 * 60 * 1000

const key = slot<IdempotencyInput>(({ idempotency }) => idempotency.key)
const fingerprint = slot<IdempotencyInput>(({ idempotency }) => idempotency.fingerprint)
const oldestCreated = slot<Pick<IdempotencyInput, 'now'>>(({ now }) =>
  new Date(Date.parse(now) - lifetimeMs).toISOString(),
)

/** The response under a key that has not expired. */
export const selectOutcome = sql`select "fingerprint", "identity", "version", "body"
from "_idempotency"
where "key" = ${key} and "created" >= ${oldestCreated}`

/** Removes an expired key, so that it can be stored again. */
export const deleteExpiredKey = sql`delete from "_idempotency"
where "key" = ${key} and "created" < ${oldestCreated}
returning true`

/** Stores a response, whose parts are selected `from` a table or bound. */
export function storeOutcome(identity: Sql, version: Sql, body: Sql, created: Sql, from = sql``): Sql {
  return sql`insert into "_idempotency" ("key", "fingerprint", "identity", "version", "body", "created")
select ${key}, ${fingerprint}, ${identity}, ${version}, ${body}, ${created}
${from}`
}

/** The stored response of the key, or a rejection if the key came with another request. */
export function* findOutcome(dialect: OwnTableDialect, input: IdempotencyInput): OwnTableWork<Outcome | undefined> {
  const [row] = yield { statement: selectOutcome, input }
  return row && readOutcome(dialect, input, row)
}

/** Reads the columns of `selectOutcome`; undefined if they are null. */
export function readOutcome(
  dialect: OwnTableDialect,
  { idempotency }: IdempotencyInput,
  row: OwnRow,
): Outcome | undefined {
  const [storedFingerprint, identity, version, json] = row
  if (typeof json !== 'string') return undefined
  if (storedFingerprint !== idempotency.fingerprint) return rejectionOutcome({ reason: 'key-reused' })
  return { kind: 'record', json, identity: dialect.readIdentity(identity), version: Number(version), isReplay: true }
}

/** Removes expired keys from time to time, until it is stopped. The first fault is reported, and again after a day. */
export function sweepKeys(
  database: OwnTableDatabase,
  { skipLocked }: OwnTableDialect,
  onFault: StoreFaultListener = () => {},
): { stop(): void } {
  const expiredKeys = (limit: number) => sql`select "key"
from "_idempotency"
where "created" < ${oldestCreated}
limit ${sql.lit(limit)}`
  const findExpired = expiredKeys(1)
  const removeExpired = sql`delete from "_idempotency"
where "key" in (${expiredKeys(sweepSize)} ${skipLocked})
returning true`
  const countRows = (statement: Sql, input: Pick<IdempotencyInput, 'now'>) =>
    function* (): OwnTableWork<number> {
      return (yield { statement, input }).length
    }
  const sweep = async () => {
    const input = { now: timestamp() }
    if ((await database.read(countRows(findExpired, input))) === 0) return
    while ((await database.write(countRows(removeExpired, input))) === sweepSize);
  }
  const report = throttledReport<unknown>((error) => {
    onFault('Expired Idempotency-Keys cannot be removed. Nomen tries again every minute.', error)
  }, reportEveryMs)
  // If the database does not accept writes now, the next run removes the remaining keys.
  const timer = setInterval(() => void sweep().catch(report), sweepEveryMs).unref()
  return { stop: () => clearInterval(timer) }
}
