/** Statements on the answers that are kept under the Idempotency-Key of the request that made them. */

import type { CreatePlan } from '../../plan.ts'
import { slot } from '../../sql/fragment.ts'
import { sql } from '../../sql/sql.ts'

/** What the statements are bound to. */
export type Keyed = Required<Pick<CreatePlan, 'idempotency' | 'now'>>

/** How long a key is remembered, in milliseconds. */
const lifetime = 24 * 60 * 60 * 1000

const key = slot<Keyed>(({ idempotency }) => idempotency.key)
const fingerprint = slot<Keyed>(({ idempotency }) => idempotency.fingerprint)
const now = slot<Keyed>((keyed) => keyed.now)
const oldest = slot<Pick<Keyed, 'now'>>((keyed) => new Date(Date.parse(keyed.now) - lifetime).toISOString())

/** The answer under a key whose time has not passed. */
export const knownAnswer = sql`select "fingerprint", "identity", "version", "body" from "_idempotency" where "key" = ${key} and "created" >= ${oldest}`

/** Keeps the answer of the record that another part of the statement, `_made`, has inserted. */
export const keepAnswer = sql`insert into "_idempotency" ("key", "fingerprint", "identity", "version", "body", "created") select ${key}, ${fingerprint}, to_json(_made.identity)::text, _made.version, _made.json, ${now}::timestamptz from _made`

/** Forgets a key whose time has passed. */
export const forgetKey = sql`delete from "_idempotency" where "key" = ${key} and "created" < ${oldest} returning true`

/** Forgets all such keys; what another process is removing already is left to it. */
export const sweepKeys = sql`delete from "_idempotency" where "key" in (select "key" from "_idempotency" where "created" < ${oldest} limit 10000 for update skip locked)`
