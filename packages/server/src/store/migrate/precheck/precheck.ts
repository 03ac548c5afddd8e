/** Obstacles: what in the records themselves stands in the way of a migration, found before anything is changed. */
import type { Change } from '../change.ts'
import { declaredName, fieldOf, nounOf, type Schema } from '../schema.ts'
import { fieldObstacles } from './field.ts'
import { linkObstacles } from './link.ts'
import {
  counted,
  countOf,
  expressionOf,
  type Inquiry,
  type InquiryDialect,
  type Inspected,
  inspected,
  isEmail,
  shown,
  textOf,
} from './query.ts'

/** One sentence for each obstacle, with a count and an example. */
export function* obstaclesOf(
  dialect: InquiryDialect,
  changes: readonly Change[],
  before: Schema,
  after: Schema,
): Inquiry<readonly string[]> {
  const found: string[] = []
  const changed = new Set(changes.filter(({ kind }) => !/-(noun|link)$/.test(kind)).map((change) => change.of))
  for (const name of changed) {
    const records = yield* countOf(`select 1 from ${dialect.quotedName(name)}`)
    if (records === 0) continue
    const noun = inspected(dialect, before, nounOf(before, name), nounOf(after, name), records)
    found.push(...(yield* nounObstacles(noun)))
  }
  for (const change of changes) {
    // What pairs share is asked of records that can be changed, and of pairs that stay.
    const isVain = found.length > 0 || changes.some(({ kind, of }) => kind === 'retype-link' && of === change.of)
    if (change.kind === 'share-link' && isVain) continue
    found.push(...(yield* linkObstacles(dialect, change, before, after)))
  }
  return found
}

function* nounObstacles(noun: Inspected): Inquiry<readonly string[]> {
  const found: string[] = []
  for (const field of noun.after.fields) found.push(...(yield* fieldObstacles(noun, field)))
  // Values that cannot be converted cannot be compared either.
  if (found.length > 0) return found
  for (const set of noun.after.unique) if (!isEnforced(noun, set)) found.push(...(yield* duplicates(noun, set)))
  return found
}

/** Whether the table as it was kept the same values apart. */
function isEnforced(noun: Inspected, set: readonly string[]): boolean {
  const origins = set.map((name) => {
    const source = noun.sources.get(name)
    if (source?.kind !== 'field') return undefined
    const [old] = source.path
    const isKept = expressionOf(noun, name) === noun.dialect.quotedName(old.name)
    return isKept && isEmail(noun.after, name) === (old.kind === 'email') ? old.name : undefined
  })
  return noun.before.unique.some(
    (other) => other.length === origins.length && other.every((name) => origins.includes(name)),
  )
}

function* duplicates(noun: Inspected, set: readonly string[]): Inquiry<readonly string[]> {
  const values = set.map((name, at) => `${expressionOf(noun, name)} as value${at}`)
  const isSet = set.map((_, at) => `value${at} is not null`)
  const groups = set.map((name, at) => (isEmail(noun.after, name) ? noun.dialect.lowered(`value${at}`) : `value${at}`))
  const examples = set.map(
    (name, at) => `max(${textOf(noun, fieldOf(noun.after, name), `value${at}`)}) as example${at}`,
  )
  const rows = `(select ${values.join(', ')} from ${noun.table}) as given`
  const shared = `from ${rows} where ${isSet.join(' and ')} group by ${groups.join(', ')} having count(*) > 1`
  const count = yield* countOf(`select 1 ${shared}`)
  if (count === 0) return []
  const [first] = yield `select ${examples.join(', ')}, count(*) as records ${shared} limit 1`
  const fields = set.map((name) => `"${declaredName(fieldOf(noun.after, name))}"`).join(' with ')
  const example = set.map((_, at) => shown(first?.[`example${at}`])).join(' with ')
  const stands = `${counted(count, 'value')} ${count === 1 ? 'stands' : 'stand'} more than once`
  return [
    `${fields} of "${declaredName(noun.before)}" cannot be unique: ${stands}, such as ${example} (${first?.records} records).`,
  ]
}
