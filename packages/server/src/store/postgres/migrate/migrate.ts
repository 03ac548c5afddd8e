/** Migrates a PostgreSQL database to the schema of a model: at start, as a plan, or on request. */
import type { ClientBase } from 'pg'
import type { Change } from '../../migrate/change/change.ts'
import { MigrationError, unappliedChangesError } from '../../migrate/error.ts'
import { type CheckedMigration, checkedExpansion } from '../../migrate/expand/checked-expansion.ts'
import { contractionOf, rejectExpansion } from '../../migrate/expand/contraction.ts'
import { expansionOf } from '../../migrate/expand/expansion.ts'
import { type MigrationReport, noChanges } from '../../migrate/report.ts'
import { schemaOf } from '../../migrate/schema/model-schema.ts'
import { noTables, type Schema, withAdopted } from '../../migrate/schema/schema.ts'
import type { Model } from '../../model.ts'
import { Adoption } from '../adopt/adoption.ts'
import { rejectDrift } from '../adopt/drift.ts'
import { postgresName } from '../name.ts'
import { inMigration, inSnapshot, withMigrationLock } from './connection.ts'
import { runStatement } from './derive.ts'
import { explainError, isUnexplained } from './error.ts'
import { missingFeatures } from './feature.ts'
import { lockTables } from './lock.ts'
import { runOnline } from './online/run.ts'
import { obstaclesOf } from './precheck.ts'
import { type PostgresStep, stepsOf } from './schema.ts'
import { readSchema } from './snapshot.ts'

/**
 * `start` only adds, so that other versions of the service keep working; `contract` drops what it has kept for them. Both
 * run while instances use the database. `apply` applies all changes in one transaction. `adopt` is `apply` for existing
 * tables. Modes that end with `plan` only report the steps.
 */
export type MigrationMode =
  | 'start'
  | 'start-plan'
  | 'contract'
  | 'contract-plan'
  | 'plan'
  | 'apply'
  | 'adopt'
  | 'adopt-plan'

/**
 * Throws a MigrationError if a change must not be applied in this mode. Instances that start at the same time wait for
 * each other, and the later ones have nothing to do. Works in the connection's current schema.
 */
export async function migrate(client: ClientBase, model: Model, mode: MigrationMode): Promise<MigrationReport> {
  if (mode.endsWith('plan')) {
    return inSnapshot(client, async () => reportOf(client, await migrationIn(client, model, mode)))
  }
  const before = await readSchema(client, mode === 'adopt')
  if (before && mode === 'start' && isUpToDate(before, model)) {
    await rejectDrift(client, model, withAdopted(schemaOf(model), before))
    return noChanges
  }
  const isOnline = mode === 'contract' || (mode === 'start' && before !== undefined)
  const work = isOnline
    ? withMigrationLock(client, () => migrateOnline(client, model, mode))
    : inMigration(client, () => migrateUnderLock(client, model, mode))
  return work.catch(async (error) => {
    // Another engine, or a database without a language, fails at the first migration.
    const reasons = !before && isUnexplained(error) ? await missingFeatures(client) : []
    throw explainError(error, { reasons, isOnline })
  })
}

function isUpToDate(before: Schema, model: Model): boolean {
  const { changes, rejected } = expansionOf(before, withAdopted(schemaOf(model), before), true)
  return changes.length === 0 && rejected.length === 0
}

/** A planned migration. */
interface Migration {
  readonly mode: MigrationMode
  readonly before: Schema | undefined
  readonly after: Schema
  readonly changes: readonly Change[]
  readonly steps: readonly PostgresStep[]
  /** The changes and the schema that existing records are checked against. */
  readonly checked: CheckedMigration
  readonly adoption: Adoption | undefined
}

async function migrationIn(client: ClientBase, model: Model, mode: MigrationMode): Promise<Migration> {
  const isAdopting = mode === 'adopt' || mode === 'adopt-plan'
  const before = await readSchema(client, isAdopting)
  const declaredSchema = schemaOf(model)
  const adoption = isAdopting ? await Adoption.prepare(client, model, declaredSchema, before) : undefined
  const declared = adoption?.schema ?? withAdopted(declaredSchema, before)
  const isExpanding = mode === 'start' || mode === 'start-plan'
  const { schema: after, changes: declaredChanges } =
    before && isExpanding ? expansionOf(before, declared, true) : contractionOf(before, declared)
  const changes = [...declaredChanges, ...((await adoption?.recounts(client, declaredChanges)) ?? [])]
  if (before && !isAdopting) {
    await rejectForeignTables(client, changes, before)
    await rejectDrift(client, model, after, changes)
  }
  const isOnline = before !== undefined && (isExpanding || mode.startsWith('contract'))
  const checked = before && isExpanding ? checkedExpansion(before, declared) : { changes, schema: after }
  return { mode, before, after, changes, steps: stepsOf(changes, before, after, isOnline), checked, adoption }
}

async function migrateOnline(client: ClientBase, model: Model, mode: 'start' | 'contract'): Promise<MigrationReport> {
  // Another instance may have been faster: only the schema that is read under the lock counts.
  const migration = await migrationIn(client, model, mode)
  const { before, after, changes, steps } = migration
  if (changes.length === 0 || !before) return noChanges
  if (mode === 'contract') rejectExpansion(before, after)
  const report = await inSnapshot(client, () => reportOf(client, migration))
  const error = unappliedChangesError(changes, report.obstacles, mode)
  if (error) throw error
  await runOnline(client, steps, changes, before, after)
  return report
}

async function migrateUnderLock(client: ClientBase, model: Model, mode: MigrationMode): Promise<MigrationReport> {
  const migration = await migrationIn(client, model, mode)
  const { before, after, changes, steps } = migration
  if (changes.length === 0 && before) {
    if (mode === 'adopt') await rejectDrift(client, model, after)
    return noChanges
  }
  // The checked records must not change before the steps run.
  if (before || mode === 'adopt') await lockTables(client, changes, before ?? noTables)
  const report = await reportOf(client, migration)
  const error = unappliedChangesError(changes, report.obstacles, mode)
  if (error) throw error
  // Triggers run for other programs too, so their functions must resolve names only in this schema.
  if (after.nouns.some(({ adopted }) => adopted)) await client.query(fixedSearchPath)
  for (const { statements } of steps) for (const statement of statements) await runStatement(client, statement)
  return report
}

const fixedSearchPath = `select set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true)`

async function reportOf(
  client: ClientBase,
  { before, after, changes, steps, checked, adoption }: Migration,
): Promise<MigrationReport> {
  const isAdopted = (name: string) => after.nouns.some((noun) => noun.adopted && noun.name === name)
  const unadoptedChanges = checked.changes.filter(({ subject }) => !isAdopted(subject))
  return {
    isFresh: before === undefined,
    changes,
    steps: steps.map(({ sentence, isSafe, statements, online = [] }) => ({
      sentence,
      isSafe,
      sql: [...statements, ...online].map(({ sql }) => sql),
    })),
    obstacles: [
      ...((await adoption?.obstacles(client, changes)) ?? []),
      ...(before ? await obstaclesOf(client, unadoptedChanges, before, checked.schema) : []),
    ],
  }
}

/** Rejects a new table if another program already has one of that name. */
async function rejectForeignTables(client: ClientBase, changes: readonly Change[], before: Schema): Promise<void> {
  // A new table may take the name of a dropped one.
  const knownTables = new Set([...before.nouns, ...before.links].map(({ name }) => name))
  const isNew = ({ kind, subject }: Change) => (kind === 'add-noun' || kind === 'add-link') && !knownTables.has(subject)
  const newTables = changes.filter(isNew).map((change) => change.subject)
  if (newTables.length === 0) return
  const isInSchema = 'relnamespace = (select oid from pg_namespace where nspname = current_schema())'
  const query = `select relname::text as name from pg_class where ${isInSchema} and relname = any($1)`
  const { rows } = await client.query(query, [newTables.map(postgresName)])
  if (rows.length === 0) return
  const names = rows.map(({ name }) => `"${name}"`).join(', ')
  throw new MigrationError(
    `${names} already ${rows.length === 1 ? 'exists' : 'exist'} and ${rows.length === 1 ? 'was' : 'were'} not created by Nomen.`,
    [
      'Nothing was changed. To serve existing tables, compare them with the declarations first: nomen migrate --adopt --plan',
    ],
  )
}
