/** Tallies: numbers of records that are kept, so that neither a total nor the beginning of a page has to be counted. */
import { type AnyNoun, type Operation, specOf, type Value } from '@nomen/core'
import type { ListPlan } from './plan.ts'
import { columnName } from './stored-name.ts'

/** The columns of choices and booleans by whose values records are counted together. Without any, all records are. */
export type TallyFields = readonly string[]

/**
 * Records are counted in blocks of neighbouring identities, in blocks of these blocks, and so on, the finest first. A
 * number's block is what is left of it without its last bits; a guid's is what it begins with.
 */
export const blockBits = [8, 14, 20] as const
export const blockDigits = [4, 2, 1] as const

/** The coarsest level: few rows, whose sum is the total. */
export const topLevel = 2

/** What a noun's lists need: all records, every filter by a choice or boolean, and every default filter made of those. */
export function talliesOf(
  noun: AnyNoun,
  filtered: ReadonlySet<string>,
  operations: readonly Operation[],
): readonly TallyFields[] {
  const isCounted = (field: string) => filtered.has(field) && ['choice', 'boolean'].includes(specOf(noun, field).kind)
  const columns = (fields: readonly string[]) => fields.map((field) => columnName(noun, field)).sort()
  const single = columns(Object.keys(noun.fields).filter(isCounted))
  const sets: TallyFields[] = [[], ...single.map((field) => [field])]
  for (const { resource, list } of operations) {
    if (resource.noun !== noun) continue
    const fields = (list?.parameters ?? []).flatMap((parameter) =>
      parameter.kind === 'equal' && parameter.default ? parameter.fields : [],
    )
    if (fields.length > 1 && fields.every(isCounted)) sets.push(columns(fields))
  }
  return [...new Map(sets.map((set) => [set.join(), set])).values()]
}

/** The row of a tally that counts records with these values. */
function tallyKey(fields: TallyFields, values: readonly Value[]): string {
  return fields.map((field, at) => keyPart(field, values[at] ?? null)).join(separator)
}

export const separator = '\u001f'

function keyPart(field: string, value: Value): string {
  if (value === null) return keyName(field)
  return `${keyName(field)}=${typeof value === 'boolean' ? Number(value) : value}`
}

/** What a key is made of: columns with their values. Without any, it counts all records. */
export function keyParts(key: string): readonly (readonly [column: string, value: string | null])[] {
  if (key === '') return []
  return key.split(separator).map((part) => {
    const at = part.indexOf('=')
    const name = at === -1 ? part : part.slice(0, at)
    return [name.includes('%') ? decodeURIComponent(name) : name, at === -1 ? null : part.slice(at + 1)]
  })
}

/** A column as keys name it: what separates its name from a value is not part of it. */
export function keyName(column: string): string {
  return ['=', '%', separator].some((mark) => column.includes(mark)) ? encodeURIComponent(column) : column
}

/** The rows of the tally that together count the records of a list; undefined where no tally does. */
export function tallyKeys(
  { operation, conditions }: ListPlan,
  tallies: readonly TallyFields[],
): readonly string[] | undefined {
  // What is below a parent is counted by its index; and most combinations of filters by no tally at all.
  if (operation.levels.length > 1 || !tallies.some(({ length }) => length === conditions.length)) return undefined
  const [first, ...others] = conditions
  if (first === undefined) return everything
  const fields: string[] = []
  const values: Value[] = []
  for (const condition of conditions) {
    if (condition.kind !== 'equal' || condition.fields.length > 1) return undefined
    if (others.length > 0 && condition.values.length !== 1) return undefined
    fields.push(columnName(operation.shape.noun, condition.fields[0] as string))
    values.push(condition.values[0] as Value)
  }
  if (others.length > 0) return severalKeys(fields, values, tallies)
  const [field = ''] = fields
  if (!tallies.some((set) => set.length === 1 && set[0] === field)) return undefined
  const given = first.kind === 'equal' ? first.values : []
  return given.length === 1
    ? [keyPart(field, values[0] ?? null)]
    : [...new Set(given.map((value) => keyPart(field, value)))]
}

const everything: readonly string[] = ['']

function severalKeys(
  fields: readonly string[],
  values: readonly Value[],
  tallies: readonly TallyFields[],
): readonly string[] | undefined {
  const sorted = [...fields].sort()
  const isTallied = tallies.some(
    (set) => set.length === sorted.length && set.every((field, at) => field === sorted[at]),
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

/** The kinds of change that triggers are called by, beside the fields that a change concerns. */
const kinds = new Set(['insert', 'delete', 'truncate', 'move'])

/** What the trigger of a change of these fields is called by. */
export function changeParts(fields: TallyFields): readonly string[] {
  return fields.length === 1 && kinds.has(fields[0] ?? '') ? ['change', 'of', ...fields] : fields
}
