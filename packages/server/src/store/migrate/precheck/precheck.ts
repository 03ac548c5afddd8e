/** Obstacles to a migration in the stored records, found before anything is changed. */
import { quoted } from '../../../foundation/quoted.ts'
import type { Change } from '../change/change.ts'
import { declaredName, fieldOf, nounOf, type Schema } from '../schema/schema.ts'
import { fieldObstacles } from './field.ts'
import { linkObstacles } from './link.ts'
import {
  type CheckedNoun,
  checkedNoun,
  countOf,
  expressionOf,
  isEmail,
  type Precheck,
  type PrecheckDialect,
  quantity,
  textOf,
} from './query.ts'

/** One sentence for each obstacle, with a count and an example. */
export function* obstaclesOf(
  dialect: PrecheckDialect,
  changes: readonly Change[],
  before: Schema,
  after: Schema,
): Precheck<readonly string[]> {
  const obstacles: string[] = []
  const changed = new Set(changes.filter(({ kind }) => !/-(noun|link)$/.test(kind)).map((change) => change.subject))
  for (const name of changed) {
    const records = yield* countOf(`select 1 from ${dialect.quotedName(name)}`)
    if (records === 0) continue
    const noun = checkedNoun(dialect, before, nounOf(before, name), nounOf(after, name), records)
    obstacles.push(...(yield* nounObstacles(noun)))
  }
  for (const change of changes) {
    // Shared values are only checked if the records can be converted and the pairs stay.
    const isSkipped =
      obstacles.length > 0 || changes.some(({ kind, subject }) => kind === 'retype-link' && subject === change.subject)
    if (change.kind === 'share-link' && isSkipped) continue
    obstacles.push(...(yield* linkObstacles(dialect, change, before, after)))
  }
  return obstacles
}

function* nounObstacles(noun: CheckedNoun): Precheck<readonly string[]> {
  const obstacles: string[] = []
  for (const field of noun.after.fields) obstacles.push(...(yield* fieldObstacles(noun, field)))
  // Values that cannot be converted cannot be compared either.
  if (obstacles.length > 0) return obstacles
  for (const set of noun.after.unique)
    if (!isEnforced(noun, set)) obstacles.push(...(yield* duplicateValues(noun, set)))
  return obstacles
}

/** Whether the old table already enforced this unique set. */
function isEnforced(noun: CheckedNoun, set: readonly string[]): boolean {
  const origins = set.map((name) => {
    const source = noun.sources.get(name)
    if (source?.kind !== 'field') return undefined
    const [old] = source.path
    const isUnconverted = expressionOf(noun, name) === noun.dialect.quotedName(old.name)
    return isUnconverted && isEmail(noun.after, name) === (old.kind === 'email') ? old.name : undefined
  })
  return noun.before.unique.some(
    (uniqueSet) => uniqueSet.length === origins.length && uniqueSet.every((name) => origins.includes(name)),
  )
}

function* duplicateValues(noun: CheckedNoun, set: readonly string[]): Precheck<readonly string[]> {
  const values = set.map((name, index) => `${expressionOf(noun, name)} as value${index}`)
  const isSet = set.map((_, index) => `value${index} is not null`)
  const groups = set.map((name, index) =>
    isEmail(noun.after, name) ? noun.dialect.lowerCase(`value${index}`) : `value${index}`,
  )
  const examples = set.map(
    (name, index) => `max(${textOf(noun, fieldOf(noun.after, name), `value${index}`)}) as example${index}`,
  )
  const rows = `(select ${values.join(', ')} from ${noun.table}) as candidates`
  const shared = `from ${rows} where ${isSet.join(' and ')} group by ${groups.join(', ')} having count(*) > 1`
  const count = yield* countOf(`select 1 ${shared}`)
  if (count === 0) return []
  const [first] = yield `select ${examples.join(', ')}, count(*) as records ${shared} limit 1`
  const fields = set.map((name) => `"${declaredName(fieldOf(noun.after, name))}"`).join(' with ')
  const example = set.map((_, index) => quoted(`${first?.[`example${index}`]}`)).join(' with ')
  const repeated = `${quantity(count, 'value')} ${count === 1 ? 'occurs' : 'occur'} more than once`
  return [
    `${fields} of "${declaredName(noun.before)}" cannot be unique: ${repeated}, such as ${example} (${first?.records} records).`,
  ]
}
