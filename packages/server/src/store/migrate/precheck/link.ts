/** Obstacles in the pairs of a link. */
import type { Change } from '../change/change.ts'
import { declaredName, fieldOf, linkOf, nounOf, pairColumns, type Schema } from '../schema/schema.ts'
import { checkedNoun, countOf, expressionOf, type Precheck, type PrecheckDialect, quantity } from './query.ts'

export function* linkObstacles(
  dialect: PrecheckDialect,
  { kind, subject: name }: Change,
  before: Schema,
  after: Schema,
): Precheck<readonly string[]> {
  if (kind === 'share-link') return yield* unsharedPairs(dialect, name, before, after)
  if (kind !== 'retype-link') return []
  if (before.links.some((link) => link.name === name && link.adopted)) {
    const fix =
      'Remove the link from the declaration, run nomen migrate --apply (the table stays), declare the link again, and run nomen migrate --adopt.'
    return [`link "${name}": its table is adopted, so Nomen does not change it. ${fix}`]
  }
  const count = yield* countOf(`select 1 from ${dialect.quotedName(name)}`)
  return count > 0
    ? [`link "${name}": an ID has another type, and ${quantity(count, 'pair')} cannot be converted. Delete them first.`]
    : []
}

/** Pairs whose records do not share the value that the link requires from now on. */
function* unsharedPairs(
  dialect: PrecheckDialect,
  name: string,
  before: Schema,
  after: Schema,
): Precheck<readonly string[]> {
  const [old, link] = [linkOf(before, name), linkOf(after, name)]
  const { sharing } = link
  if (!sharing) return []
  const sides = link.nouns.map((noun, index) => {
    const [oldNoun, newNoun] = [before.nouns.find((old) => old.name === noun), nounOf(after, noun)]
    // A link with a new noun has a new, empty table.
    if (!oldNoun) return undefined
    const side = checkedNoun(dialect, before, oldNoun, newNoun, 0)
    const [identity, shared] = [newNoun.identity, sharing[index] ?? ''].map((column) => expressionOf(side, column))
    return {
      noun: newNoun,
      rows: `(select ${identity} as identity, ${shared} as shared from ${side.table}) as side${index}`,
    }
  })
  const [firstSide, secondSide] = sides
  if (!firstSide || !secondSide) return []
  const [first, second] = pairColumns(old).map((column) => `pair.${dialect.quotedName(column)}`)
  const rows = `from ${dialect.quotedName(name)} as pair
join ${firstSide.rows} on side0.identity = ${first}
join ${secondSide.rows} on side1.identity = ${second}`
  // Null is not a shared value.
  const unsharedRows = `${rows} where side0.shared is null or side1.shared is null or side0.shared <> side1.shared`
  const count = yield* countOf(`select 1 ${unsharedRows}`)
  if (count === 0) return []
  const [pair] = yield `select side0.identity as first_id, side1.identity as second_id ${unsharedRows} limit 1`
  const field = declaredName(fieldOf(firstSide.noun, sharing[0]))
  const example = `${declaredName(firstSide.noun)} ${pair?.first_id} and ${declaredName(secondSide.noun)} ${pair?.second_id}`
  return [
    `link "${name}": ${quantity(count, 'pair')} ${count === 1 ? 'does' : 'do'} not have the same "${field}", such as ${example}.`,
  ]
}
