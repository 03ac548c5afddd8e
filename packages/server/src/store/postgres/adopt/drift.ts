/** Detects changes of adopted tables since their adoption: other programs may have altered them or dropped a trigger. */
import type { ClientBase } from 'pg'
import type { Change } from '../../migrate/change/change.ts'
import { MigrationError } from '../../migrate/error.ts'
import type { LinkSchema, NounSchema, Schema } from '../../migrate/schema/schema.ts'
import type { Model } from '../../model.ts'
import { stringLiteral } from '../../sql/sql.ts'
import { tableName } from '../../stored-name.ts'
import { postgresName } from '../name.ts'
import { isTracked } from './adopted-table.ts'
import type { Catalog, CatalogTable } from './catalog.ts'
import { readCatalog } from './read-catalog.ts'
import { type AdoptionContext, linkMismatches, nounMismatches } from './table-mismatch.ts'

/** The declarations that tables are compared with. */
export function adoptionContext(model: Model, schema: Schema): AdoptionContext {
  const created = [...model.nouns.values()].filter(({ isCreated }) => isCreated).map(({ noun }) => tableName(noun))
  return { schema, created: new Set(created) }
}

/**
 * Rejects adopted tables that no longer match, apart from those that are compared again anyway. Without adopted
 * tables, no query is run.
 */
export async function rejectDrift(
  client: ClientBase,
  model: Model,
  schema: Schema,
  changes: readonly Change[] = [],
): Promise<void> {
  const isComparedAgain = (name: string) =>
    changes.some(({ kind, subject }) => (kind === 'readopt-noun' || kind === 'retype-link') && subject === name)
  const adoptedTables = adoptedOf(schema).filter(({ name }) => !isComparedAgain(name))
  if (adoptedTables.length === 0) return
  const catalog = await readCatalog(
    client,
    adoptedTables.map(({ name }) => name),
  )
  const context = adoptionContext(model, schema)
  const mismatches = adoptedTables.flatMap((table) => driftOf(table, catalog, context))
  const untracked = mismatches.length > 0 ? [] : await untrackedTables(client, adoptedTables)
  if (mismatches.length + untracked.length === 0) return
  throw new MigrationError('Adopted tables have changed since they were adopted.', [
    ...[...mismatches, ...untracked].map((mismatch) => `- ${mismatch}`),
    ...(mismatches.length > 0 ? ['Revert the changes of the tables, or adapt the declarations. Then:'] : []),
    'To compare them again and recount, run: nomen migrate --adopt',
  ])
}

export function adoptedOf({ nouns, links }: Schema): readonly (NounSchema | LinkSchema)[] {
  return [...nouns, ...links].filter(({ adopted }) => adopted)
}

/** The differences between an adopted table and its declaration, without the version column. */
export function driftOf(
  declared: NounSchema | LinkSchema,
  { tables }: Catalog,
  context: AdoptionContext,
): readonly string[] {
  const table = tables.find(({ name }) => name === postgresName(declared.name))
  if (!table) return [`the table "${declared.name}" no longer exists.`]
  return 'fields' in declared
    ? nounMismatches(declared, withoutVersion(table), context)
    : linkMismatches(declared, table, context)
}

export function withoutVersion(table: CatalogTable): CatalogTable {
  return { ...table, columns: table.columns.filter(({ name }) => name !== '_version') }
}

/** Tables whose version column or triggers are missing or disabled. */
async function untrackedTables(
  client: ClientBase,
  adoptedTables: readonly (NounSchema | LinkSchema)[],
): Promise<readonly string[]> {
  const conditions = adoptedTables.flatMap((table) =>
    'fields' in table ? [`(${stringLiteral(table.name)}, ${isTracked(table)})`] : [],
  )
  if (conditions.length === 0) return []
  const text = `select name from (values ${conditions.join(', ')}) as adopted (name, "isTracked") where not "isTracked"`
  const { rows } = await client.query(text)
  const fault =
    'has lost its column "_version", or the triggers for versions and stored totals are missing or disabled.'
  return rows.map(({ name }) => `"${name}" ${fault}`)
}
