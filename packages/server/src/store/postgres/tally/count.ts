/** Counts the records of a noun on PostgreSQL, and compares its tallies with them. */
import { fieldOf, hasGuidIdentity, type NounSchema } from '../../migrate/schema/schema.ts'
import { stringLiteral } from '../../sql/sql.ts'
import { blockBits, blockDigits, keyName, keySeparator, type TallyFields } from '../../tally.ts'
import { identifier } from '../name.ts'
import { compactFunction, deltaTable, tallyTable } from './name.ts'

/**
 * A row of counts has the counts of 256 neighboring parts: blocks of identities at level 1, whole rows of level 1 at
 * level 2. Only the compaction writes them.
 */
export const partBits = 8
export const partsPerRow = 2 ** partBits
export const countLevels = 2

/** Counts all records into empty tallies. */
export function countRecords(noun: NounSchema): readonly string[] {
  return [
    `insert into ${identifier(deltaTable(noun.name))} ${tallyDeltas(noun, identifier(noun.name), 1)}`,
    `select ${identifier(compactFunction(noun.name))}()`,
  ]
}

/**
 * Keys whose counts differ from the records, with both totals and the number of parts that differ. Parts are blocks of
 * identities, rows of blocks, and rows of such rows, each as it is read: the counts plus the deltas.
 */
export function miscountQuery(noun: NounSchema): string {
  const { name } = noun
  const [counts, deltas] = [identifier(tallyTable(name)), identifier(deltaTable(name))]
  const steps = Array.from({ length: countLevels }, (_, index) => index + 1)
  const rows = steps.map(
    (level) => `select key, ${2 * level - 1}, node, records, 0 from ${counts} where level = ${level}`,
  )
  const partRows = steps.map(
    (level) => `select key, ${2 * level - 2}, (node << ${partBits}) + part - 1, amount, 0
    from ${counts} cross join unnest(parts) with ordinality as each (amount, part) where level = ${level}`,
  )
  const stagesOf = (source: string, stored: string, counted: string) =>
    `select key, stage, block >> (${partBits} * ((stage + 1) / 2)), ${stored}, ${counted}
    from (${source}) as source (key, block, records) cross join generate_series(0, ${2 * countLevels - 1}) as stage`
  const sources = [
    ...rows,
    ...partRows,
    stagesOf(`select key, block, records from ${deltas}`, 'records', '0'),
    stagesOf(tallyDeltas(noun, identifier(name), 1), '0', 'records'),
  ]
  const total = (column: string) => `coalesce(sum(${column}) filter (where stage = ${2 * countLevels - 1}), 0)::text`
  return `select key, ${total('stored')} as stored, ${total('counted')} as counted,
  count(*) filter (where stored <> counted)::text as differences
from (
  select key, stage, block, sum(stored) as stored, sum(counted) as counted
  from (${sources.join('\n    union all ')}) as part (key, stage, block, stored, counted)
  group by key, stage, block
) as part
group by key
having count(*) filter (where stored <> counted) > 0
order by key`
}

/** The change of every tally by the records of a table. */
export function tallyDeltas(noun: NounSchema, table: string, sign: 1 | -1): string {
  const blockQueries = noun.tallies.map(
    (fields) =>
      `select ${keyExpression(noun, fields, '')}, ${blockExpression(noun, identifier(noun.identity))} from ${table}`,
  )
  const number = sign === 1 ? 'count(*)' : '-count(*)'
  return `select key, block, ${number}
from (${blockQueries.join(' union all ')}) as one (key, block)
group by key, block`
}

/** The result of `tallyKey`, from columns. */
export function keyExpression(noun: NounSchema, fields: TallyFields, row: string): string {
  const textOf = (field: string) =>
    `${row}${identifier(field)}::${fieldOf(noun, field).kind === 'boolean' ? 'integer' : 'text'}`
  const key = fields.map((field) => `${stringLiteral(keyName(field))} || coalesce('=' || ${textOf(field)}, '')`)
  return key.length === 0 ? `''` : key.join(` || chr(${keySeparator.charCodeAt(0)}) || `)
}

export function blockExpression(noun: NounSchema, identity: string): string {
  return hasGuidIdentity(noun)
    ? `('x' || left(${identity}::text, ${blockDigits[0]}))::bit(${4 * blockDigits[0]})::integer`
    : `${identity} >> ${blockBits[0]}`
}
