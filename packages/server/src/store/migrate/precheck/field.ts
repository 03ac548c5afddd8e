/** Obstacles in one field: values that cannot be converted, are missing, or refer to no record. */

import { quoted } from '../../../foundation/quoted.ts'
import { describeField } from '../change/field.ts'
import { convert, isSameForm, type StoredValue } from '../convert.ts'
import { declaredName, type FieldSchema } from '../schema/schema.ts'
import { type CheckedNoun, countOf, expressionOf, type Precheck, quantity, textOf } from './query.ts'

/** The conditions of these queries use no alias, because the noun may have a field of that name. */
export function* fieldObstacles(noun: CheckedNoun, field: FieldSchema): Precheck<readonly string[]> {
  const { before, records } = noun
  const name = `field "${declaredName(field)}" of "${declaredName(before)}"`
  const source = noun.sources.get(field.name)
  const old = source?.kind === 'field' ? source.path[0] : undefined
  if (field.kind === 'identity' && old?.name !== before.identity) {
    return [
      `${name}: the identity cannot change, because there ${records === 1 ? 'is' : 'are'} ${quantity(records, 'record')}. Declare the previous identity again.`,
    ]
  }
  const { count, example } = source?.kind === 'field' ? yield* unconvertible(noun, source.path) : noFailures
  if (count > 0) {
    const target = field.kind === 'choice' && old?.kind === 'choice' ? 'one of its choices' : describeField(field)
    return [`${name}: ${quantity(count, 'value')} cannot become ${target}, such as ${example}.`]
  }
  const missing = field.nullable || (old && !old.nullable) ? [] : yield* missingValues(noun, field, name)
  return [...missing, ...(yield* danglingReferences(noun, field, name))]
}

const noFailures = { count: 0, example: '' }

/** Reads every value of the old field once. Counts the values without a new form, and keeps the first as an example. */
function* unconvertible(
  noun: CheckedNoun,
  path: readonly [FieldSchema, ...FieldSchema[]],
): Precheck<typeof noFailures> {
  const [old, ...forms] = path
  if (forms.every((form) => isSameForm(old, form) && !hasFewerChoices(old, form))) return noFailures
  const { dialect, table } = noun
  const { identity } = noun.before
  const [column, record] = [dialect.quotedName(old.name), `${table}.${dialect.quotedName(identity)}`]
  const selected = `${column} as value, ${textOf(noun, old, column)} as text, ${record} as record`
  let failures = noFailures
  yield {
    query: `select ${selected} from ${table} where ${column} is not null order by ${record}`,
    onRow: (row) => {
      if (isConvertible(path, dialect.storedValue(old, row))) return
      const example = failures.example || `${quoted(`${row.text}`)} (${identity} ${row.record})`
      failures = { count: failures.count + 1, example }
    },
  }
  return failures
}

function isConvertible(path: readonly FieldSchema[], old: StoredValue): boolean {
  let value: StoredValue | undefined = old
  path.forEach((form, index) => {
    const previous = path[index - 1]
    if (previous && value !== undefined) value = convert(previous, form, value)
  })
  return value !== undefined
}

function hasFewerChoices({ choices = [] }: FieldSchema, after: FieldSchema): boolean {
  return choices.some((choice) => after.choices?.includes(choice) === false)
}

function* missingValues(noun: CheckedNoun, field: FieldSchema, name: string): Precheck<readonly string[]> {
  const { identity } = noun.before
  const isMissing = `from ${noun.table} where ${expressionOf(noun, field.name)} is null`
  const count = yield* countOf(`select 1 ${isMissing}`)
  if (count === 0) return []
  const record = noun.dialect.quotedName(identity)
  const [first] = yield `select ${record} as record ${isMissing} order by ${noun.table}.${record} limit 1`
  return [`${name}: ${quantity(count, 'record')} would have no value, such as ${identity} ${first?.record}.`]
}

/** A field that becomes a reference must contain identities of existing records. */
function* danglingReferences(noun: CheckedNoun, field: FieldSchema, name: string): Precheck<readonly string[]> {
  const source = noun.sources.get(field.name)
  const lastForm = source?.kind === 'field' ? source.path.at(-2) : undefined
  if (field.kind !== 'reference' || (lastForm && isSameForm(lastForm, field))) return []
  const { quotedName } = noun.dialect
  const value = expressionOf(noun, field.name)
  const target = noun.schema.nouns.find((other) => other.name === field.target)
  const targets = target && `select ${quotedName(target.identity)} from ${quotedName(target.name)}`
  const isDangling = targets ? `${value} is not null and ${value} not in (${targets})` : `${value} is not null`
  const query = `select ${textOf(noun, field, value)} as value from ${noun.table} where ${isDangling}`
  const count = yield* countOf(query)
  if (count === 0) return []
  const [first] = yield `${query} limit 1`
  return [
    `${name}: ${quantity(count, 'value')} would refer to a missing "${field.target}", such as ${quoted(`${first?.value}`)}.`,
  ]
}
