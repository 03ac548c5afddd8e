/** Obstacles: what in the records themselves stands in the way of a migration, found before anything is changed. */
import type { DatabaseSync } from 'node:sqlite'
import type { Change } from '../change.ts'
import { convert, isSameForm, type Stored } from '../convert.ts'
import { described } from '../field-change.ts'
import { type FieldSchema, type NounSchema, nounOf, type Schema } from '../schema.ts'
import { converted } from './sqlite-expression.ts'
import { fieldSources, type Source } from './sqlite-source.ts'
import { type Index, indexesOf, quoted } from './sqlite-table.ts'

/** One sentence for each obstacle, with a count and an example. */
export function obstaclesOf(
  database: DatabaseSync,
  changes: readonly Change[],
  before: Schema,
  after: Schema,
): readonly string[] {
  const changed = new Set(changes.filter(({ kind }) => !/-(noun|link)$/.test(kind)).map((change) => change.of))
  const retyped = changes.filter(({ kind }) => kind === 'retype-link').map((change) => change.of)
  return [
    ...[...changed].flatMap((name) => [...nounObstacles(database, before, nounOf(before, name), nounOf(after, name))]),
    ...retyped.flatMap((name) => {
      const count = countOf(database, `SELECT 1 FROM ${quoted(name)}`)
      return count === 0 ? [] : [`link "${name}": ${counted(count, 'pair')} of identities cannot be converted.`]
    }),
  ]
}

function* nounObstacles(
  database: DatabaseSync,
  schema: Schema,
  before: NounSchema,
  after: NounSchema,
): Generator<string> {
  const records = countOf(database, `SELECT 1 FROM ${quoted(before.name)}`)
  if (records === 0) return
  const sources = fieldSources(before, after)
  const faults: string[] = []
  for (const field of after.fields) {
    const source = sources.get(field.name)
    if (source) faults.push(...fieldFaults({ database, schema, before, field, source, records }))
  }
  yield* faults
  // Values that cannot be converted cannot be compared either.
  if (faults.length > 0) return
  for (const index of indexesOf(after)) {
    if (index.isUnique && !isEnforced(index, before, sources)) yield* duplicates(database, before, index, sources)
  }
}

interface Place {
  readonly database: DatabaseSync
  readonly schema: Schema
  readonly before: NounSchema
  readonly field: FieldSchema
  readonly source: Source
  readonly records: number
}

function* fieldFaults(place: Place): Generator<string> {
  const { before, field, source, records } = place
  const name = `field "${field.name}" of "${before.name}"`
  const [old] = source.path ?? []
  if (field.kind === 'identity' && old?.name !== before.identity) {
    yield `${name}: the ${counted(records, 'record')} that there are must keep the identity that they have.`
    return
  }
  const { count, example } = unconvertible(place)
  if (count > 0) {
    const what = field.kind === 'choice' && old?.kind === 'choice' ? 'one of its choices' : described(field)
    yield `${name}: ${counted(count, 'value')} cannot become ${what}, such as ${example}.`
    return
  }
  const isMissing = `FROM ${quoted(before.name)} WHERE ${source.expression} IS NULL`
  const missing = field.nullable || (old && !old.nullable) ? 0 : countOf(place.database, `SELECT 1 ${isMissing}`)
  if (missing > 0) {
    const record = place.database.prepare(`SELECT ${quoted(before.identity)} AS record ${isMissing}`).get()
    yield `${name}: ${counted(missing, 'record')} would have no value, such as ${before.identity} ${record?.record}.`
  }
  yield* dangling(place, name)
}

/** Reads every value of the old field once; how many have no new form, and the first of them. */
function unconvertible({ database, before, source }: Place): { readonly count: number; readonly example: string } {
  const [old, ...forms] = source.path ?? []
  let [count, example] = [0, '']
  if (!old || forms.every((form) => isSameForm(old, form) && !hasFewerChoices(old, form))) return { count, example }
  const [column, record] = [quoted(old.name), quoted(before.identity)]
  const text = converted(old, { name: old.name, kind: 'text' }, column)
  // No alias stands in a condition: the noun may have a field of that name.
  const statement = database.prepare(
    `SELECT ${column} AS value, ${text} AS text, ${record} AS record FROM ${quoted(before.name)} WHERE ${column} IS NOT NULL`,
  )
  statement.setReadBigInts(true)
  for (const { value, text, record } of statement.iterate()) {
    if (isConvertible([old, ...forms], value as Stored)) continue
    if (count === 0) example = `${shown(text)} (${before.identity} ${record})`
    count++
  }
  return { count, example }
}

function isConvertible(path: readonly FieldSchema[], given: Stored): boolean {
  let value: Stored | undefined = given
  path.forEach((form, index) => {
    const previous = path[index - 1]
    if (previous && value !== undefined) value = convert(previous, form, value)
  })
  return value !== undefined
}

function hasFewerChoices({ choices = [] }: FieldSchema, after: FieldSchema): boolean {
  return choices.some((choice) => after.choices?.includes(choice) === false)
}

/** A field that becomes a reference must hold identities that there are. */
function* dangling({ database, schema, before, field, source }: Place, name: string): Generator<string> {
  const last = source.path?.at(-2)
  if (field.kind !== 'reference' || (last && isSameForm(last, field))) return
  const target = schema.nouns.find((noun) => noun.name === field.target)
  const known = target ? `SELECT ${quoted(target.identity)} FROM ${quoted(target.name)}` : 'SELECT NULL WHERE 0'
  const value = source.expression
  const isDangling = `${value} IS NOT NULL AND ${value} NOT IN (${known})`
  const query = `SELECT ${value} AS value FROM ${quoted(before.name)} WHERE ${isDangling}`
  const count = countOf(database, query)
  if (count === 0) return
  const example = shown(database.prepare(query).get()?.value)
  yield `${name}: ${counted(count, 'value')} would point at no "${field.target}", such as ${example}.`
}

/** Whether the table as it was kept the same values apart. */
function isEnforced(index: Index, before: NounSchema, sources: ReadonlyMap<string, Source>): boolean {
  const origins = index.terms.map(({ column, collation }) => JSON.stringify([sources.get(column)?.origin, collation]))
  return indexesOf(before).some(({ isUnique, terms }) => {
    const columns = terms.map(({ column, collation }) => JSON.stringify([column, collation]))
    return isUnique && columns.length === origins.length && columns.every((column) => origins.includes(column))
  })
}

function* duplicates(
  database: DatabaseSync,
  before: NounSchema,
  { terms }: Index,
  sources: ReadonlyMap<string, Source>,
): Generator<string> {
  const values = terms.map(({ column }, at) => `${sources.get(column)?.expression} AS value${at}`)
  const isSet = terms.map((_, at) => `value${at} IS NOT NULL`).join(' AND ')
  const groups = terms.map(({ collation }, at) => `value${at}${collation ? ` COLLATE ${collation}` : ''}`)
  const rows = `SELECT ${values.join(', ')} FROM ${quoted(before.name)}`
  const query = `SELECT *, count(*) AS records FROM (${rows}) WHERE ${isSet} GROUP BY ${groups.join(', ')} HAVING records > 1`
  const count = countOf(database, query)
  if (count === 0) return
  const first = database.prepare(query).get() ?? {}
  const fields = terms.map(({ column }) => `"${column}"`).join(' with ')
  const example = terms.map((_, at) => shown(first[`value${at}`])).join(' with ')
  const stands = `${counted(count, 'value')} ${count === 1 ? 'stands' : 'stand'} more than once`
  yield `${fields} of "${before.name}" cannot be unique: ${stands}, such as ${example} (${first.records} records).`
}

function countOf(database: DatabaseSync, query: string): number {
  return Number(database.prepare(`SELECT count(*) AS count FROM (${query})`).get()?.count)
}

function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`
}

function shown(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value) : `${value}`
}
