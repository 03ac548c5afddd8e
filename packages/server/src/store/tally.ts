/** Tallies: stored numbers of records, so that totals and page offsets need not be counted. */
import { type AnyNoun, change, type Operation, specOf, tenantField, type Value } from '@nomen/core'
import type { ListPlan } from './plan.ts'
import { columnName } from './stored-name.ts'

/** The columns of choices and booleans that records are grouped by. Without any, all records are one group. */
export type TallyFields = readonly string[]

/**
 * Records are counted in blocks of neighboring identities, in blocks of these blocks, and so on, the finest first. The
 * block of a number is the number without its last bits; the block of a guid is its prefix.
 */
export const blockBits = [8, 14, 20] as const
export const blockDigits = [4, 2, 1] as const

/** The coarsest level: few rows, whose sum is the total. */
export const topLevel = 2

/**
 * The tallies for a noun's lists: all records, each filter by an indexed choice or boolean, and each default filter of those. The
 * history has none: it is written with every change, and tallies would cost as much as its entries. `entry-count.ts` counts it.
 */
export function talliesOf(
  noun: AnyNoun,
  indexed: ReadonlySet<string>,
  operations: readonly Operation[],
): readonly TallyFields[] {
  if (noun === change) return []
  const isCounted = (field: string) => indexed.has(field) && ['choice', 'boolean'].includes(specOf(noun, field).kind)
  const columns = (fields: readonly string[]) => fields.map((field) => columnName(noun, field)).sort()
  const singleColumns = columns(Object.keys(noun.fields).filter(isCounted))
  const sets: TallyFields[] = [[], ...singleColumns.map((field) => [field])]
  for (const { resource, list } of operations) {
    if (resource.noun !== noun) continue
    const fields = (list?.parameters ?? []).flatMap((parameter) =>
      parameter.kind === 'equal' && parameter.default ? parameter.fields : [],
    )
    if (fields.length > 1 && fields.every(isCounted)) sets.push(columns(fields))
  }
  const tenant = tenantField(noun)
  // The records of each tenant are counted separately, in total and by every set.
  const perTenant = tenant === undefined ? [] : sets.map((set) => [...set, columnName(noun, tenant)].sort())
  const all = tenant === undefined ? sets : [[], ...perTenant]
  return [...new Map(all.map((set) => [set.join(), set])).values()]
}

/** The row of a tally that counts records with these values. */
function tallyKey(fields: TallyFields, values: readonly Value[]): string {
  return fields.map((field, index) => keyPart(field, values[index] ?? null)).join(keySeparator)
}

export const keySeparator = '\u001f'

function keyPart(field: string, value: Value): string {
  if (value === null) return keyName(field)
  return `${keyName(field)}=${typeof value === 'boolean' ? Number(value) : value}`
}

/** The columns of a key with their values. Without any, the key counts all records. */
export function keyParts(key: string): readonly (readonly [column: string, value: string | null])[] {
  if (key === '') return []
  return key.split(keySeparator).map((pair) => {
    const equals = pair.indexOf('=')
    const name = equals === -1 ? pair : pair.slice(0, equals)
    return [name.includes('%') ? decodeURIComponent(name) : name, equals === -1 ? null : pair.slice(equals + 1)]
  })
}

/** A column's name in keys, without the characters that separate names and values. */
export function keyName(column: string): string {
  return ['=', '%', keySeparator].some((character) => column.includes(character)) ? encodeURIComponent(column) : column
}

/** The keys of the tally rows that together count the records of a list; undefined if there is no tally for it. */
export function tallyKeys(
  { operation, conditions }: ListPlan,
  tallies: readonly TallyFields[],
): readonly string[] | undefined {
  // Lists below a parent are counted through an index, and most combinations of filters have no tally.
  if (operation.levels.length > 1 || !tallies.some(({ length }) => length === conditions.length)) return undefined
  const [first, ...others] = conditions
  if (first === undefined) return [totalKey]
  const fields: string[] = []
  const values: Value[] = []
  for (const condition of conditions) {
    if (condition.kind !== 'equal' || condition.fields.length > 1) return undefined
    if (others.length > 0 && condition.values.length !== 1) return undefined
    fields.push(columnName(operation.shape.noun, condition.fields[0] as string))
    values.push(condition.values[0] as Value)
  }
  if (others.length > 0) return combinedKey(fields, values, tallies)
  const [field = ''] = fields
  if (!tallies.some((set) => set.length === 1 && set[0] === field)) return undefined
  const filterValues = first.kind === 'equal' ? first.values : []
  return filterValues.length === 1
    ? [keyPart(field, values[0] ?? null)]
    : [...new Set(filterValues.map((value) => keyPart(field, value)))]
}

/** The key of the tally that counts all records. */
export const totalKey = ''

function combinedKey(
  fields: readonly string[],
  values: readonly Value[],
  tallies: readonly TallyFields[],
): readonly string[] | undefined {
  const sorted = [...fields].sort()
  const isTallied = tallies.some(
    (set) => set.length === sorted.length && set.every((field, index) => field === sorted[index]),
  )
  return isTallied
    ? [
        tallyKey(
          sorted,
          sorted.map((field) => values[fields.indexOf(field)] ?? null),
        ),
      ]
    : undefined
}

/** The kinds of triggers that are not named after a field. */
const otherTriggerKinds = new Set(['insert', 'delete', 'truncate', 'move'])

/** The name parts of the trigger for changes of these fields. */
export function changeTriggerParts(fields: TallyFields): readonly string[] {
  return fields.length === 1 && otherTriggerKinds.has(fields[0] ?? '') ? ['change', 'of', ...fields] : fields
}
