/** Runs a migration while other versions of the service use the database. */
import type { ClientBase } from 'pg'
import type { Change } from '../../../migrate/change/change.ts'
import type { Schema } from '../../../migrate/schema/schema.ts'
import { identifier } from '../../name.ts'
import { inTransaction } from '../connection.ts'
import { runStatement } from '../derive.ts'
import { isIndexChange, lockTables, takeLocks } from '../lock.ts'
import type { PostgresStep } from '../schema.ts'
import { recordSchema } from '../snapshot.ts'
import { requiredColumnChecks } from './required-column-check.ts'

const begin = `begin isolation level read committed; set local statement_timeout = 0;
set local idle_in_transaction_session_timeout = 0`

/**
 * Runs the statements of all steps in one short transaction, then the long work without locks. If it is interrupted, the
 * next start continues: the schema that is recorded first says that work is pending.
 */
export async function runOnline(
  client: ClientBase,
  steps: readonly PostgresStep[],
  changes: readonly Change[],
  before: Schema,
  after: Schema,
): Promise<void> {
  const online = steps.flatMap((step) => step.online ?? [])
  const altering = changes.filter((change) => !isIndexChange(change))
  const requiredChecks = requiredColumnChecks(changes, before, after)
  const runLocked = (work: () => Promise<void>) =>
    inTransaction(client, begin, async () => {
      await lockTables(client, altering, before)
      await takeLocks(client, targetLocks(altering, before, after))
      await client.query("set local lock_timeout = '1s'")
      await work()
    })
  const runAll = async (statements: readonly string[]) => {
    for (const statement of statements) await client.query(statement)
  }
  await client.query('set statement_timeout = 0; set lock_timeout = 0')
  if (requiredChecks.length > 0) {
    await runLocked(() => runAll(requiredChecks.flatMap(({ drop, add }) => [drop, add])))
    await runAll(requiredChecks.map(({ validate }) => validate))
  }
  await runLocked(async () => {
    for (const { statements } of steps) for (const statement of statements) await runStatement(client, statement)
    await runAll(requiredChecks.map(({ drop }) => drop))
    if (online.length > 0) await client.query(recordSchema(withPending(before, after, changes)))
  })
  if (online.length === 0) return
  for (const statement of online) await statement.run(client)
  await client.query(recordSchema(after))
}

/** Tables that new references point at are locked too, but can still be read. */
function targetLocks(changes: readonly Change[], before: Schema, after: Schema): readonly string[] {
  const changed = new Set(changes.map(({ subject }) => subject))
  const targets = after.nouns
    .filter(({ name }) => changed.has(name))
    .flatMap(({ name, fields }) => {
      const old = before.nouns.find((noun) => noun.name === name)?.fields.map((field) => field.name) ?? []
      return fields.flatMap((field) => (old.includes(field.name) ? [] : (field.target ?? [])))
    })
  const linkedNouns = after.links.filter(({ name }) => changed.has(name)).flatMap(({ nouns }) => nouns)
  const existing = before.nouns.map(({ name }) => name)
  const names = [...new Set([...targets, ...linkedNouns])].filter(
    (name) => existing.includes(name) && !changed.has(name),
  )
  return names.length === 0 ? [] : [`lock table ${names.map(identifier).join(', ')} in share row exclusive mode`]
}

function withPending(before: Schema, after: Schema, changes: readonly Change[]): Schema {
  const isChanged = (name: string) =>
    before.nouns.some((noun) => noun.name === name) && changes.some(({ subject }) => subject === name)
  return { ...after, nouns: after.nouns.map((noun) => (isChanged(noun.name) ? { ...noun, pending: true } : noun)) }
}
