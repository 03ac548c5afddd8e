/** Brings a PostgreSQL database to the schema of a model: at start, as a plan, or on request. */
import type { ClientBase } from 'pg'
import type { Change } from '../../migrate/change.ts'
import { MigrationError, refusal } from '../../migrate/error.ts'
import { migrationOf } from '../../migrate/migration.ts'
import { type MigrationReport, nothingToDo } from '../../migrate/report.ts'
import { noTables, type Schema, schemaOf, withAdopted } from '../../migrate/schema.ts'
import type { Model } from '../../model.ts'
import { Adoption } from '../adopt/adoption.ts'
import { refuseDrift } from '../adopt/drift.ts'
import { postgresName } from '../name.ts'
import { alone, looking } from './connection.ts'
import { explained } from './error.ts'
import { runStatement } from './fold.ts'
import { lockTables } from './lock.ts'
import { obstaclesOf } from './precheck.ts'
import { type PostgresStep, stepsOf } from './schema.ts'
import { readSchema } from './snapshot.ts'

/** `adopt` is `start` with the tables that are there already; `adopt-plan` only tells its steps. */
export type MigrationMode = 'start' | 'plan' | 'apply' | 'adopt' | 'adopt-plan'

/**
 * `start` makes the safe changes, or throws a MigrationError where one is not safe; `apply` makes all of them. Either is
 * one transaction: all steps are done or none. `plan` only tells the steps. Instances that start at once wait for each
 * other, and the later ones find the work done. Works in the connection's current schema.
 */
export async function migrate(client: ClientBase, model: Model, mode: MigrationMode): Promise<MigrationReport> {
  if (mode === 'plan' || mode === 'adopt-plan') {
    return looking(client, async () => reportOf(client, await migrationIn(client, model, mode)))
  }
  const known = await readSchema(client, mode === 'adopt')
  if (known && mode !== 'adopt' && isUpToDate(known, model)) {
    await refuseDrift(client, model, withAdopted(schemaOf(model), known))
    return nothingToDo
  }
  return alone(client, () => migrateAlone(client, model, mode)).catch((error) => {
    throw explained(error)
  })
}

function isUpToDate(known: Schema, model: Model): boolean {
  return migrationOf(known, withAdopted(schemaOf(model), known)).length === 0
}

/** A migration that is about to be made. */
interface Migration {
  readonly before: Schema | undefined
  readonly after: Schema
  readonly changes: readonly Change[]
  readonly steps: readonly PostgresStep[]
  readonly adoption: Adoption | undefined
}

async function migrationIn(client: ClientBase, model: Model, mode: MigrationMode): Promise<Migration> {
  const isAdopting = mode === 'adopt' || mode === 'adopt-plan'
  const before = await readSchema(client, isAdopting)
  const declared = schemaOf(model)
  const adoption = isAdopting ? await Adoption.of(client, model, declared, before) : undefined
  const after = adoption?.schema ?? withAdopted(declared, before)
  const declaredChanges = migrationOf(before, after)
  const changes = [...declaredChanges, ...((await adoption?.renewals(client, declaredChanges)) ?? [])]
  if (before && !isAdopting) {
    await refuseForeign(client, changes, before)
    await refuseDrift(client, model, after, changes)
  }
  return { before, after, changes, steps: stepsOf(changes, before, after), adoption }
}

async function migrateAlone(
  client: ClientBase,
  model: Model,
  mode: 'start' | 'apply' | 'adopt',
): Promise<MigrationReport> {
  // Another instance may have come first: only what is read under the lock counts.
  const migration = await migrationIn(client, model, mode)
  const { before, after, changes, steps } = migration
  if (changes.length === 0 && before) {
    if (mode === 'adopt') await refuseDrift(client, model, after)
    return nothingToDo
  }
  // Nothing of what the steps were found to fit may be changed before they are made.
  if (before || mode === 'adopt') await lockTables(client, changes, before ?? noTables)
  const report = await reportOf(client, migration)
  const refused = refusal(changes, report.obstacles, mode)
  if (refused) throw refused
  // The functions that others come to run by writing are to find nothing but what is here.
  if (after.nouns.some(({ adopted }) => adopted)) await client.query(onlyHere)
  for (const { statements } of steps) for (const statement of statements) await runStatement(client, statement)
  return report
}

const onlyHere = `select set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true)`

async function reportOf(
  client: ClientBase,
  { before, after, changes, steps, adoption }: Migration,
): Promise<MigrationReport> {
  const own = changes.filter(({ of }) => !after.nouns.some(({ name, adopted }) => adopted && name === of))
  return {
    isFresh: before === undefined,
    changes,
    steps: steps.map(({ sentence, isSafe, statements }) => ({
      sentence,
      isSafe,
      sql: statements.map(({ sql }) => sql),
    })),
    obstacles: [
      ...((await adoption?.obstacles(client, changes)) ?? []),
      ...(before ? await obstaclesOf(client, own, before, after) : []),
    ],
  }
}

/** A table of another program is never taken for one that is to be made. */
async function refuseForeign(client: ClientBase, changes: readonly Change[], before: Schema): Promise<void> {
  // What goes may leave its name to what comes.
  const own = new Set([...before.nouns, ...before.links].map(({ name }) => name))
  const isNew = ({ kind, of }: Change) => (kind === 'add-noun' || kind === 'add-link') && !own.has(of)
  const added = changes.filter(isNew).map((change) => change.of)
  if (added.length === 0) return
  const here = 'relnamespace = (select oid from pg_namespace where nspname = current_schema())'
  const text = `select relname::text as name from pg_class where ${here} and relname = any($1)`
  const { rows } = await client.query(text, [added.map(postgresName)])
  if (rows.length === 0) return
  const names = rows.map(({ name }) => `"${name}"`).join(', ')
  throw new MigrationError(`${names} ${rows.length === 1 ? 'is' : 'are'} there already, and none of Nomen's.`, [
    'Nothing was changed. To serve what is there, compare it with the declarations first: nomen migrate --adopt --plan',
  ])
}
