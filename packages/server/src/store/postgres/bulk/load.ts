/** Loads whole rows in bulk, thousands in a statement, all of them or none. */
import { type AnyLink, specOf, type Value } from '@nomen/core'
import type { ClientBase } from 'pg'
import { fold } from '../../fold.ts'
import { fieldOf, nounOf, type Schema, schemaOf } from '../../migrate/schema.ts'
import type { Model, StoredNoun } from '../../model.ts'
import type { Values } from '../../plan.ts'
import { table } from '../../sql/fragment.ts'
import { type Sql, sql } from '../../sql/sql.ts'
import type { LoadPart } from '../../store.ts'
import { columnName, foldedName, pairColumn, tableName } from '../../stored-name.ts'
import { postgresDialect } from '../dialect.ts'
import { inTransaction } from '../migrate/connection.ts'
import { columnsOf, typeOf } from '../migrate/table.ts'
import { identifier, postgresName } from '../name.ts'
import { compile } from '../statement.ts'

/** How many rows go in one statement. */
const batchSize = 2000

/** From so many rows on the planner is told of them: it would hear of them by itself, in a minute or so. */
const worthTelling = 1000

/** Nomen's own among the advisory locks of a database; the schema's name makes the other half of the key. */
const loadLock = 0x6e6f6d66

/** Gives the number of rows. They may come before those that they point at: the commit checks them all. */
export function load(client: ClientBase, model: Model, parts: Iterable<LoadPart>): Promise<number> {
  return inTransaction(client, 'begin', () => loadParts(client, model, parts))
}

/** Loads where no record is there; of several instances that start at once, the first one does. */
export function loadIfEmpty(client: ClientBase, model: Model, parts: () => Iterable<LoadPart>): Promise<number> {
  return inTransaction(client, 'begin', async () => {
    await client.query(`select pg_advisory_xact_lock(${loadLock}, hashtext(current_schema()))`)
    const { rows } = await client.query({ text: compile(emptyQuery(model)).text, rowMode: 'array' })
    return rows[0]?.[0] ? loadParts(client, model, parts()) : 0
  })
}

/** Whether no record of any noun is there. */
export function emptyQuery({ nouns }: Model): Sql {
  return sql`select ${sql.join(
    [...nouns.values()].map(({ noun }) => sql`not exists (select from ${table(noun)})`),
    sql` and `,
  )}`
}

async function loadParts(client: ClientBase, model: Model, parts: Iterable<LoadPart>): Promise<number> {
  const schema = schemaOf(model)
  await client.query('set constraints all deferred')
  let count = 0
  for (const part of parts) {
    const loaded =
      'noun' in part ? await loadNoun(client, model, schema, part) : await loadLink(client, model, schema, part)
    if (loaded >= worthTelling) await client.query(`analyze ${identifier(tableOf(model, part))}`)
    count += loaded
  }
  return count
}

async function loadNoun(
  client: ClientBase,
  model: Model,
  schema: Schema,
  { noun: name, rows }: Extract<LoadPart, { noun: string }>,
): Promise<number> {
  const stored = model.nouns.get(name) as StoredNoun
  const table = tableName(stored.noun)
  const noun = nounOf(schema, table)
  // The version of a new record is the database's own.
  const columns = columnsOf(noun).filter((column) => column.name !== '_version')
  const count = await insert(client, table, columns, rows, (row) => rowOf(stored, row as Values))
  if (count > 0 && !fieldOf(noun, noun.identity).guid) await raiseIdentity(client, table, noun.identity)
  return count
}

function rowOf({ noun, searched }: StoredNoun, values: Values): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  for (const field of Object.keys(noun.fields)) {
    const value = values[field] ?? null
    const name = columnName(noun, field)
    row[postgresName(name)] = postgresDialect.columnValue(specOf(noun, field), value)
    if (searched.has(field)) row[postgresName(foldedName(name))] = typeof value === 'string' ? fold(value) : null
  }
  return row
}

async function loadLink(
  client: ClientBase,
  model: Model,
  schema: Schema,
  { link: names, rows }: Extract<LoadPart, { link: readonly [string, string] }>,
): Promise<number> {
  const link = linkBetween(model, names)
  const columns = link.nouns.map((one) => {
    const noun = nounOf(schema, tableName(one))
    return { name: pairColumn(link, one), type: typeOf(fieldOf(noun, noun.identity)) }
  })
  const [near, far] = columns.map(({ name }) => postgresName(name)) as [string, string]
  const rowOf = (pair: readonly [Value, Value]) => ({ [near]: pair[0], [far]: pair[1] })
  // A pair that is there already is left as it is.
  return insert(client, tableName(link), columns, rows, rowOf, ' on conflict do nothing')
}

function linkBetween({ links }: Model, [near, far]: readonly [string, string]): AnyLink {
  const link = links.find(({ name }) => name === `${near}-${far}`)
  if (!link) throw new Error(`There is no link between "${near}" and "${far}".`)
  return link
}

function tableOf(model: Model, part: LoadPart): string {
  return tableName('noun' in part ? (model.nouns.get(part.noun) as StoredNoun).noun : linkBetween(model, part.link))
}

/** Rows travel as JSON, which both sides read and write quickly. */
async function insert<Given>(
  client: ClientBase,
  into: string,
  columns: readonly { readonly name: string; readonly type: string }[],
  rows: Iterable<Given>,
  rowOf: (given: Given) => Record<string, unknown>,
  ending = '',
): Promise<number> {
  const names = columns.map(({ name }) => identifier(name)).join(', ')
  const types = columns.map(({ name, type }) => `${identifier(name)} ${type}`).join(', ')
  const text = `insert into ${identifier(into)} (${names})
select ${names}
from json_to_recordset($1) as one (${types})${ending}`
  let count = 0
  for (const batch of batches(rows)) {
    const { rowCount } = await client.query(text, [JSON.stringify(batch.map(rowOf))])
    count += rowCount ?? 0
  }
  return count
}

function* batches<Item>(items: Iterable<Item>): Generator<Item[]> {
  let batch: Item[] = []
  for (const item of items) {
    batch.push(item)
    if (batch.length < batchSize) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** The next identity that is given is above all that have been loaded, and above all that have been given. */
async function raiseIdentity(client: ClientBase, name: string, identity: string): Promise<void> {
  const sequence = 'pg_get_serial_sequence($1, $2)::regclass'
  const highest = `select max(${identifier(identity)}) as value from ${identifier(name)}`
  // Where it is above already it is left alone: another instance may be taking numbers at this moment.
  await client.query(
    `select setval(${sequence}, highest.value) from (${highest}) as highest
      where highest.value > coalesce(pg_sequence_last_value(${sequence}), 0)`,
    [identifier(name), postgresName(identity)],
  )
}
