/** Erases the history of a record and of the records that it owns, some entries at a time. */
import { change, specOf } from '@nomen/core'
import type { Outcome } from '../../outcome.ts'
import type { ErasePlan } from '../../plan.ts'
import type { Dialect } from '../dialect.ts'
import { bareColumn, column, slot, table } from '../fragment.ts'
import { exactText, type OwnTableDialect, type OwnTableWork } from '../own-tables/dialect.ts'
import { type Sql, sql } from '../sql.ts'

/** How many erased records one step reads. */
const recordsPerStep = 1000

/** The bound values of the statements. */
interface Input extends ErasePlan {
  /** A JSON array of owned records: their nouns and names. */
  readonly owned?: string
  /** The IDs of entries. */
  readonly ids?: readonly number[]
}

const key = slot<Input>((input) => input.key)
const from = slot<Input>((input) => input.from ?? input.key)

const [id, kind] = [bareColumn(change, 'id'), bareColumn(change, 'kind')]

/** The next erased records, by their ERASED entries. */
const erased = sql`select ${id}, ${bareColumn(change, 'record')}
from ${table(change)}
where ${id} >= ${from} and ${kind} = 'ERASED'
order by ${id}
limit ${sql.lit(recordsPerStep)}`

/** The statements for one kind of database. A step deletes at most `maxEntries` entries. */
function statementsOf(dialect: Dialect, { jsonRows }: OwnTableDialect, maxEntries: number) {
  const ids = slot<Input>((input) => dialect.listValue(specOf(change, 'id'), input.ids ?? []))
  return {
    erased,
    entries: entriesToDelete(dialect, maxEntries),
    addErased: addErasedEntries(dialect, jsonRows),
    delete: sql`delete from ${table(change)} where ${dialect.isAnyOf(specOf(change, 'id'), id, ids)}`,
  }
}

function entryColumn(field: string): Sql {
  return column(change, field, 'entry')
}

/** Whether an entry is about the record in a row of the aliased table. */
function isAbout(dialect: Dialect, field: 'record' | 'linked', alias: string): Sql {
  return dialect.isEqual(specOf(change, field), entryColumn(field), column(change, 'record', alias))
}

/** Some entries of these records, of their links and of the records that they own. Columns: ID; noun and record if owned. */
function entriesToDelete(dialect: Dialect, maxEntries: number): Sql {
  const isOwned = sql`${entryColumn('kind')} not in ('LINKED', 'UNLINKED')`
  const nullColumn = () => sql`cast(null as text)`
  const ownedOnly = (field: string) => sql`case when ${isOwned} then ${entryColumn(field)} end`
  const entriesBy = (
    field: 'record' | 'linked',
    name: (field: string) => Sql,
  ) => sql`select ${entryColumn('id')}, ${name('noun')}, ${name('record')}
from erased join ${table(change)} as entry on ${isAbout(dialect, field, 'erased')}
where ${entryColumn('id')} < ${key}`
  return sql`with erased as (${erased})
${entriesBy('record', nullColumn)} union all ${entriesBy('linked', ownedOnly)}
limit ${sql.lit(maxEntries)}`
}

/** Adds an ERASED entry for each owned record that has none yet. */
function addErasedEntries(dialect: Dialect, jsonRows: OwnTableDialect['jsonRows']): Sql {
  const copiedFields = ['time', 'kind', 'user', 'application', 'request'] as const
  const ownedFields = ['noun', 'record'] as const
  const names = [...copiedFields, ...ownedFields].map((field) => bareColumn(change, field))
  const values = [
    ...copiedFields.map((field) => column(change, field, 'first')),
    ...ownedFields.map((field) => sql`owned.${sql.table(field)}`),
  ]
  const owned = jsonRows(
    slot<Input>((input) => input.owned),
    { noun: exactText, record: exactText },
  )
  return sql`insert into ${table(change)} (${sql.join(names)})
select ${sql.join(values)}
from (select * from ${owned}) as owned
join ${table(change)} as first on ${column(change, 'id', 'first')} = ${key}
where not exists (
  select 1
  from ${table(change)} as entry
  where ${isAbout(dialect, 'record', 'owned')} and ${entryColumn('id')} >= ${key} and ${entryColumn('kind')} = 'ERASED'
)`
}

/**
 * Returns the function that runs one step of an erasure. The ERASED entries are the queue of the records: a step deletes
 * entries of the next ones, and adds an ERASED entry for each owned record that it finds.
 */
export function erasureSteps(dialect: Dialect, ownTables: OwnTableDialect, maxEntries: number) {
  const statements = statementsOf(dialect, ownTables, maxEntries)
  return function* (plan: ErasePlan): OwnTableWork<Outcome> {
    const erased = yield { statement: statements.erased, input: plan }
    if (erased.length === 0) return { kind: 'erased' }
    const entries = yield { statement: statements.entries, input: plan }
    const owned = new Map(entries.flatMap(([, noun, record]) => (record === null ? [] : [[record, noun]])))
    if (owned.size > 0) {
      const rows = [...owned].map(([record, noun]) => ({ noun, record }))
      yield { statement: statements.addErased, input: { ...plan, owned: JSON.stringify(rows) } }
    }
    const ids = entries.map(([id]) => Number(id))
    if (ids.length > 0) yield { statement: statements.delete, input: { ...plan, ids } }
    const isPart = entries.length === maxEntries
    return { kind: 'erased', next: isPart ? (plan.from ?? plan.key) : Number(erased.at(-1)?.[0]) + 1 }
  }
}
