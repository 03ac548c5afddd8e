/** Answers kept under the Idempotency-Key of the request that made them. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Outcome } from '../../outcome.ts'
import type { CreatePlan } from '../../plan.ts'

/** How long a key is remembered. */
const lifetime = 24 * 60 * 60 * 1000

type Key = NonNullable<CreatePlan['idempotency']>

export class IdempotencyKeys {
  readonly #find: StatementSync
  readonly #keep: StatementSync
  readonly #forget: StatementSync

  constructor(database: DatabaseSync) {
    this.#find = database.prepare(
      'select "fingerprint", "identity", "version", "body" from "_idempotency" where "key" = ? and "created" >= ?',
    )
    this.#keep = database.prepare(
      'insert into "_idempotency" ("key", "fingerprint", "identity", "version", "body", "created") values (?, ?, ?, ?, ?, ?)',
    )
    this.#forget = database.prepare('delete from "_idempotency" where "key" = ? and "created" < ?')
  }

  /** The first answer to the same request, or a refusal where the key came with another one. */
  find({ key, fingerprint }: Key, now: string): Outcome | undefined {
    const row = this.#find.get(key, oldest(now))
    if (!row) return undefined
    if (row.fingerprint !== fingerprint) return { kind: 'refused', refusal: { reason: 'key-reused' } }
    const { identity, version, body } = row as { identity: number | string; version: number; body: string }
    return { kind: 'record', json: body, identity, version, isReplay: true }
  }

  keep(
    { key, fingerprint }: Key,
    { identity, version, json }: Extract<Outcome, { kind: 'record' }>,
    now: string,
  ): void {
    this.#forget.run(key, oldest(now))
    this.#keep.run(key, fingerprint, identity as number | string, version, json, now)
  }
}

/** Since when answers are kept. */
export function oldest(now: string): string {
  return new Date(Date.parse(now) - lifetime).toISOString()
}
