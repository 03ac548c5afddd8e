/** Obstacles of one field: values that cannot be converted, that are missing, or that would point at nothing. */
import { convert, isSameForm, type Stored } from '../convert.ts'
import { described } from '../field-change.ts'
import { declaredName, type FieldSchema } from '../schema.ts'
import { counted, countOf, expressionOf, type Inquiry, type Inspected, shown, textOf } from './query.ts'

/** No alias stands in a condition of these queries: the noun may have a field of that name. */
export function* fieldObstacles(noun: Inspected, field: FieldSchema): Inquiry<readonly string[]> {
  const { before, records } = noun
  const name = `field "${declaredName(field)}" of "${declaredName(before)}"`
  const source = noun.sources.get(field.name)
  const old = source?.kind === 'field' ? source.path[0] : undefined
  if (field.kind === 'identity' && old?.name !== before.identity) {
    return [`${name}: the ${counted(records, 'record')} that there are must keep the identity that they have.`]
  }
  const { count, example } = source?.kind === 'field' ? yield* unconvertible(noun, source.path) : none
  if (count > 0) {
    const what = field.kind === 'choice' && old?.kind === 'choice' ? 'one of its choices' : described(field)
    return [`${name}: ${counted(count, 'value')} cannot become ${what}, such as ${example}.`]
  }
  const found = field.nullable || (old && !old.nullable) ? [] : yield* missing(noun, field, name)
  return [...found, ...(yield* dangling(noun, field, name))]
}

const none = { count: 0, example: '' }

/** Reads every value of the old field once; how many have no new form, and the first of them. */
function* unconvertible(noun: Inspected, path: readonly [FieldSchema, ...FieldSchema[]]): Inquiry<typeof none> {
  const [old, ...forms] = path
  if (forms.every((form) => isSameForm(old, form) && !hasFewerChoices(old, form))) return none
  const { dialect, table } = noun
  const { identity } = noun.before
  const [column, record] = [dialect.quotedName(old.name), `${table}.${dialect.quotedName(identity)}`]
  const selected = `${column} as value, ${textOf(noun, old, column)} as text, ${record} as record`
  let found = none
  yield {
    query: `select ${selected} from ${table} where ${column} is not null order by ${record}`,
    each: (row) => {
      if (isConvertible(path, dialect.storedValue(old, row))) return
      const example = found.example || `${shown(row.text)} (${identity} ${row.record})`
      found = { count: found.count + 1, example }
    },
  }
  return found
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

function* missing(noun: Inspected, field: FieldSchema, name: string): Inquiry<readonly string[]> {
  const { identity } = noun.before
  const isMissing = `from ${noun.table} where ${expressionOf(noun, field.name)} is null`
  const count = yield* countOf(`select 1 ${isMissing}`)
  if (count === 0) return []
  const record = noun.dialect.quotedName(identity)
  const [first] = yield `select ${record} as record ${isMissing} order by ${noun.table}.${record} limit 1`
  return [`${name}: ${counted(count, 'record')} would have no value, such as ${identity} ${first?.record}.`]
}

/** A field that becomes a reference must hold identities that there are. */
function* dangling(noun: Inspected, field: FieldSchema, name: string): Inquiry<readonly string[]> {
  const source = noun.sources.get(field.name)
  const last = source?.kind === 'field' ? source.path.at(-2) : undefined
  if (field.kind !== 'reference' || (last && isSameForm(last, field))) return []
  const { quotedName } = noun.dialect
  const value = expressionOf(noun, field.name)
  const target = noun.schema.nouns.find((other) => other.name === field.target)
  const known = target && `select ${quotedName(target.identity)} from ${quotedName(target.name)}`
  const isDangling = known ? `${value} is not null and ${value} not in (${known})` : `${value} is not null`
  const query = `select ${textOf(noun, field, value)} as value from ${noun.table} where ${isDangling}`
  const count = yield* countOf(query)
  if (count === 0) return []
  const [first] = yield `${query} limit 1`
  return [`${name}: ${counted(count, 'value')} would point at no "${field.target}", such as ${shown(first?.value)}.`]
}
