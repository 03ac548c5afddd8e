/** Fills new derived columns for existing records, such as the folded strings of a field that becomes searchable. */
import type { ClientBase } from 'pg'
import { type DerivedSchema, fieldOf, type NounSchema } from '../../migrate/schema/schema.ts'
import { type Derivation, deriveString } from '../../text/derived-column.ts'
import { identifier } from '../name.ts'
import { rowBatches } from './cursor.ts'
import { typeOf } from './sql/table.ts'

/** One statement of a step, and the columns that Nomen derives before it. */
export interface MigrationStatement {
  readonly sql: string
  readonly fill?: ColumnFill
}

interface ColumnFill {
  readonly table: string
  readonly identity: string
  readonly identityType: string
  readonly from: string
  readonly to: string
  readonly derivation: Derivation
}

/** Fills these new, empty columns. */
export function deriveStatements(noun: NounSchema, columns: readonly DerivedSchema[]): readonly MigrationStatement[] {
  const folded = columns.filter(({ derivation }) => derivation.kind !== 'sort-key')
  return [...foldAscii(noun, folded), ...columns.map((column) => deriveStatement(noun, column))]
}

/** An ASCII string has as many characters as bytes. */
export function isAscii(text: string): string {
  return `octet_length(${text}) = char_length(${text})`
}

/** Lower case folds an ASCII string completely. */
function foldAscii(noun: NounSchema, columns: readonly DerivedSchema[]): readonly MigrationStatement[] {
  if (columns.length === 0) return []
  const isPlain = ({ from }: DerivedSchema) => isAscii(identifier(from))
  const sets = columns.map((column) => {
    const lower = `lower(${identifier(column.from)})`
    const folded = columns.length === 1 ? lower : `case when ${isPlain(column)} then ${lower} end`
    return `${identifier(column.name)} = ${folded}`
  })
  const condition = columns.map(isPlain).join(' or ')
  return [{ sql: `update ${identifier(noun.name)}\nset ${sets.join(',\n  ')}\nwhere ${condition}` }]
}

/** SQL cannot derive every value as Nomen does. If the statement is run manually, it fails if a value is left. */
function deriveStatement(noun: NounSchema, column: DerivedSchema): MigrationStatement {
  const [table, from, to] = [noun.name, column.from, column.name].map(identifier) as [string, string, string]
  const work = column.derivation.kind === 'sort-key' ? 'compute sort keys' : 'fold non-ASCII strings'
  const sql = `do $$ begin
  if exists (select from ${table} where ${to} is null and ${from} is not null) then
    raise exception 'Only nomen migrate --apply can ${work}';
  end if;
end $$`
  const identityType = typeOf(fieldOf(noun, noun.identity))
  const { derivation } = column
  return { sql, fill: { table, identity: identifier(noun.identity), identityType, from, to, derivation } }
}

export async function runStatement(client: ClientBase, { sql, fill }: MigrationStatement): Promise<void> {
  if (fill) await fillColumn(client, fill)
  await client.query(sql)
}

async function fillColumn(client: ClientBase, columnFill: ColumnFill): Promise<void> {
  const { table, identity, identityType, from, to, derivation } = columnFill
  const empty = `select ${identity}::text as record, ${from} as text
from ${table}
where ${to} is null and ${from} is not null`
  const write = `update ${table} set ${to} = _derived.value
    from unnest($1::${identityType}[], $2::text[]) as _derived (record, value)
    where ${table}.${identity} = _derived.record`
  // The planner has no statistics for the new column and would scan the whole table for every batch.
  await client.query('set local enable_hashjoin = off; set local enable_mergejoin = off')
  for await (const rows of rowBatches<{ record: string; text: string }>(client, empty)) {
    const derived = rows.map(({ text }) => deriveString(derivation, text))
    await client.query(write, [rows.map(({ record }) => record), derived])
  }
  await client.query('set local enable_hashjoin = on; set local enable_mergejoin = on')
}
