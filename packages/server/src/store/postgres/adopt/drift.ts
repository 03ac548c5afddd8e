/** What has become of tables that were adopted: other programs may have changed them since, or taken away what was added. */
import type { ClientBase } from 'pg'
import type { Change } from '../../migrate/change.ts'
import { MigrationError } from '../../migrate/error.ts'
import type { LinkSchema, NounSchema, Schema } from '../../migrate/schema.ts'
import type { Model } from '../../model.ts'
import { textLiteral } from '../../sql/sql.ts'
import { tableName } from '../../stored-name.ts'
import { postgresName } from '../name.ts'
import { isTended } from './adopted-table.ts'
import type { Catalog, CatalogTable } from './catalog.ts'
import { readCatalog } from './read-catalog.ts'
import { type Adopting, linkMisfits, nounMisfits } from './table-fit.ts'

/** What tables are compared with. */
export function adoptingOf(model: Model, schema: Schema): Adopting {
  const created = [...model.nouns.values()].filter(({ isCreated }) => isCreated).map(({ noun }) => tableName(noun))
  return { schema, created: new Set(created) }
}

/**
 * Refuses to serve adopted tables that are not any more what they were compared with; those that are to be compared again
 * in any case are left out. Costs nothing without any.
 */
export async function refuseDrift(
  client: ClientBase,
  model: Model,
  schema: Schema,
  changes: readonly Change[] = [],
): Promise<void> {
  const isLeftOut = (name: string) =>
    changes.some(({ kind, of }) => (kind === 'readopt-noun' || kind === 'retype-link') && of === name)
  const adopted = adoptedOf(schema).filter(({ name }) => !isLeftOut(name))
  if (adopted.length === 0) return
  const catalog = await readCatalog(
    client,
    adopted.map(({ name }) => name),
  )
  const adopting = adoptingOf(model, schema)
  const misfits = adopted.flatMap((one) => driftOf(one, catalog, adopting))
  const untended = misfits.length > 0 ? [] : await untendedOf(client, adopted)
  if (misfits.length + untended.length === 0) return
  throw new MigrationError('Adopted tables are not any more what they were when they were adopted.', [
    ...[...misfits, ...untended].map((misfit) => `- ${misfit}`),
    ...(misfits.length > 0 ? ['Change the tables back; or declare them as they are now, and then:'] : []),
    'Compare them again, and count anew, with: nomen migrate --adopt',
  ])
}

export function adoptedOf({ nouns, links }: Schema): readonly (NounSchema | LinkSchema)[] {
  return [...nouns, ...links].filter(({ adopted }) => adopted)
}

/** How the table of an adopted noun or link differs from its declaration; the version that was added is left out of it. */
export function driftOf(of: NounSchema | LinkSchema, { tables }: Catalog, adopting: Adopting): readonly string[] {
  const table = tables.find(({ name }) => name === postgresName(of.name))
  if (!table) return [`"${of.name}" is not there any more: no table bears this name.`]
  return 'fields' in of ? nounMisfits(of, withoutVersion(table), adopting) : linkMisfits(of, table, adopting)
}

export function withoutVersion(table: CatalogTable): CatalogTable {
  return { ...table, columns: table.columns.filter(({ name }) => name !== '_version') }
}

/** Tables whose version or triggers are gone, or disabled. */
async function untendedOf(
  client: ClientBase,
  adopted: readonly (NounSchema | LinkSchema)[],
): Promise<readonly string[]> {
  const each = adopted.flatMap((one) => ('fields' in one ? [`(${textLiteral(one.name)}, ${isTended(one)})`] : []))
  if (each.length === 0) return []
  const text = `select name from (values ${each.join(', ')}) as one (name, "isTended") where not "isTended"`
  const { rows } = await client.query(text)
  const lost = 'has lost its column "_version", or triggers that raise it and keep count: they are gone, or disabled.'
  return rows.map(({ name }) => `"${name}" ${lost}`)
}
