/** Folding the texts of records that are there already, when a field becomes searched. */
import type { ClientBase } from 'pg'
import { fold } from '../../fold.ts'
import { fieldOf, type NounSchema } from '../../migrate/schema.ts'
import { identifier } from '../name.ts'
import { batchesOf } from './cursor.ts'
import { typeOf } from './table.ts'

/** One statement of a step, and the texts that Nomen folds itself before it. */
export interface Statement {
  readonly sql: string
  readonly folding?: Folding
}

interface Folding {
  readonly table: string
  readonly identity: string
  readonly identityType: string
  readonly from: string
  readonly to: string
}

/** Fills the new, empty column of folded text of each of these fields. */
export function foldStatements(noun: NounSchema, fields: readonly string[]): readonly Statement[] {
  if (fields.length === 0) return []
  const table = identifier(noun.name)
  // A text of ASCII has as many characters as bytes, and is folded by lower case alone.
  const isPlain = (field: string) => `octet_length(${identifier(field)}) = char_length(${identifier(field)})`
  const sets = fields.map((field) => {
    const folded =
      fields.length === 1
        ? `lower(${identifier(field)})`
        : `case when ${isPlain(field)} then lower(${identifier(field)}) end`
    return `${identifier(`${field}_folded`)} = ${folded}`
  })
  return [
    { sql: `update ${table}\nset ${sets.join(',\n  ')}\nwhere ${fields.map(isPlain).join(' or ')}` },
    ...fields.map((field) => foldStatement(noun, table, identifier(field), identifier(`${field}_folded`))),
  ]
}

/** No SQL folds every text as Nomen does: run by hand, it stops where a text is left. */
function foldStatement({ fields, identity, ...noun }: NounSchema, table: string, from: string, to: string): Statement {
  const sql = `do $$ begin
  if exists (select from ${table} where ${to} is null and ${from} is not null) then
    raise exception 'Texts with other characters than ASCII are folded by: nomen migrate --apply';
  end if;
end $$`
  const identityType = typeOf(fieldOf({ fields, identity, ...noun }, identity))
  return { sql, folding: { table, identity: identifier(identity), identityType, from, to } }
}

export async function runStatement(client: ClientBase, { sql, folding }: Statement): Promise<void> {
  if (folding) await foldTexts(client, folding)
  await client.query(sql)
}

async function foldTexts(client: ClientBase, { table, identity, identityType, from, to }: Folding): Promise<void> {
  const left = `select ${identity}::text as record, ${from} as text
from ${table}
where ${to} is null and ${from} is not null`
  const write = `update ${table} set ${to} = given.text
    from unnest($1::${identityType}[], $2::text[]) as given (record, text) where ${table}.${identity} = given.record`
  // The planner knows nothing of the new column, and would read the whole table for every batch.
  await client.query('set local enable_hashjoin = off; set local enable_mergejoin = off')
  for await (const rows of batchesOf<{ record: string; text: string }>(client, left)) {
    await client.query(write, [rows.map(({ record }) => record), rows.map(({ text }) => fold(text))])
  }
  await client.query('set local enable_hashjoin = on; set local enable_mergejoin = on')
}
