/** Loads whole rows in bulk, all or none, with thousands of rows per statement. */
import type { AnyLink, Value } from '@nomen/core'
import type { ClientBase } from 'pg'
import { groupByAbsent } from '../../bulk/absent-field.ts'
import { schemaOf } from '../../migrate/schema/model-schema.ts'
import { fieldOf, hasGuidIdentity, nounOf, type Schema } from '../../migrate/schema/schema.ts'
import { type Model, type StoredNoun, writtenNouns } from '../../model.ts'
import { sampleOrigin, type Values } from '../../plan.ts'
import { table } from '../../sql/fragment.ts'
import { type Sql, sql } from '../../sql/sql.ts'
import type { LoadPart } from '../../store.ts'
import { pairColumn, tableName } from '../../stored-name.ts'
import { inTransaction } from '../migrate/connection.ts'
import { setOrigin } from '../migrate/sql/history.ts'
import { typeOf } from '../migrate/sql/table.ts'
import { identifier, postgresName } from '../name.ts'
import { compile } from '../statement.ts'
import { copyRecords } from './copy-records.ts'
import { recordset, recordsetJson } from './recordset.ts'

/** The number of rows per statement. */
const rowsPerStatement = 2000

/** From this number of rows on, planner statistics are updated at once. Autovacuum would take about a minute. */
const minRowsToAnalyze = 1000

/** The first half of the advisory lock's key; the schema's name is the other half. */
const loadLock = 0x6e6f6d66

/**
 * Loads if no record exists; if several instances start at once, only the first one loads. Returns the number of rows. Rows
 * may come before their targets, because the commit checks all references.
 */
export function loadIfEmpty(client: ClientBase, model: Model, parts: () => Iterable<LoadPart>): Promise<number> {
  return inTransaction(client, 'begin', async () => {
    await client.query(`select pg_advisory_xact_lock(${loadLock}, hashtext(current_schema()))`)
    const { rows } = await client.query({ text: compile(emptyQuery(model)).text, rowMode: 'array' })
    return rows[0]?.[0] ? loadParts(client, model, parts()) : 0
  })
}

/** Whether no noun has records. */
export function emptyQuery(model: Model): Sql {
  return sql`select ${sql.join(
    writtenNouns(model).map((noun) => sql`not exists (select from ${table(noun)})`),
    sql` and `,
  )}`
}

async function loadParts(client: ClientBase, model: Model, parts: Iterable<LoadPart>): Promise<number> {
  const schema = schemaOf(model)
  await client.query('set constraints all deferred')
  await client.query(setOrigin(sampleOrigin, true))
  let count = 0
  for (const part of parts) {
    const loaded =
      'noun' in part ? await loadNoun(client, model, schema, part) : await loadLink(client, model, schema, part)
    if (loaded >= minRowsToAnalyze) await client.query(`analyze ${identifier(tableOf(model, part))}`)
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
  let count = 0
  for (const batch of batches(rows)) {
    for (const group of groupByAbsent(stored.noun, batch as readonly Values[]))
      count += await copyRecords(client, stored, noun, group)
  }
  if (count > 0 && !hasGuidIdentity(noun)) await raiseSequence(client, table, noun.identity)
  return count
}

async function loadLink(
  client: ClientBase,
  model: Model,
  schema: Schema,
  { link: names, rows }: Extract<LoadPart, { link: readonly [string, string] }>,
): Promise<number> {
  const link = linkBetween(model, names)
  const columns = link.nouns.map((linked) => {
    const noun = nounOf(schema, tableName(linked))
    return { name: pairColumn(link, linked), type: typeOf(fieldOf(noun, noun.identity)) }
  })
  const columnNames = columns.map(({ name }) => identifier(name)).join(', ')
  // An existing pair is left unchanged.
  const statement = `insert into ${identifier(tableName(link))} (${columnNames})
select ${columnNames}
from ${recordset(columns)}
on conflict do nothing`
  let count = 0
  for (const batch of batches(rows)) {
    const pairs = batch.map((pair) =>
      Object.fromEntries(columns.map(({ name }, index) => [name, pair[index] as Value])),
    )
    const { rowCount } = await client.query(statement, [recordsetJson(pairs)])
    count += rowCount ?? 0
  }
  return count
}

function linkBetween({ links }: Model, [first, second]: readonly [string, string]): AnyLink {
  const link = links.find(({ name }) => name === `${first}-${second}`)
  if (!link) throw new Error(`There is no link between "${first}" and "${second}".`)
  return link
}

function tableOf(model: Model, part: LoadPart): string {
  return tableName('noun' in part ? (model.nouns.get(part.noun) as StoredNoun).noun : linkBetween(model, part.link))
}

function* batches<Item>(items: Iterable<Item>): Generator<Item[]> {
  let batch: Item[] = []
  for (const item of items) {
    batch.push(item)
    if (batch.length < rowsPerStatement) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** Raises the sequence above all loaded and all assigned identities. */
async function raiseSequence(client: ClientBase, name: string, identity: string): Promise<void> {
  const sequence = 'pg_get_serial_sequence($1, $2)::regclass'
  const highest = `select max(${identifier(identity)}) as value from ${identifier(name)}`
  // A higher sequence is left alone, because another instance may be using it.
  await client.query(
    `select setval(${sequence}, highest.value) from (${highest}) as highest
      where highest.value > coalesce(pg_sequence_last_value(${sequence}), 0)`,
    [identifier(name), postgresName(identity)],
  )
}
