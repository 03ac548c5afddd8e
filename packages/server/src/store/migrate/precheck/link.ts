/** What in the pairs of a link stands in the way of a migration. */
import type { Change } from '../change.ts'
import { declaredName, fieldOf, linkOf, nounOf, pairColumns, type Schema } from '../schema.ts'
import { counted, countOf, expressionOf, type Inquiry, type InquiryDialect, inspected } from './query.ts'

export function* linkObstacles(
  dialect: InquiryDialect,
  { kind, of: name }: Change,
  before: Schema,
  after: Schema,
): Inquiry<readonly string[]> {
  if (kind === 'share-link') return yield* unshared(dialect, name, before, after)
  if (kind !== 'retype-link') return []
  if (before.links.some((link) => link.name === name && link.adopted)) {
    const fix = 'Leave the link out, and let go of it with nomen migrate --apply; then adopt it anew.'
    return [`link "${name}": its table is another program's, and is not made anew. ${fix}`]
  }
  const count = yield* countOf(`select 1 from ${dialect.quotedName(name)}`)
  return count > 0 ? [`link "${name}": ${counted(count, 'pair')} of identities cannot be converted.`] : []
}

/** Pairs of records that would not share what they are to share from now on. */
function* unshared(dialect: InquiryDialect, name: string, before: Schema, after: Schema): Inquiry<readonly string[]> {
  const [old, link] = [linkOf(before, name), linkOf(after, name)]
  const { sharing } = link
  if (!sharing) return []
  const sides = link.nouns.map((noun, at) => {
    const [was, is] = [before.nouns.find((one) => one.name === noun), nounOf(after, noun)]
    // The pairs of a noun that is new are a table of their own, and empty.
    if (!was) return undefined
    const seen = inspected(dialect, before, was, is, 0)
    const [identity, shared] = [is.identity, sharing[at] ?? ''].map((column) => expressionOf(seen, column))
    return { is, rows: `(select ${identity} as identity, ${shared} as shared from ${seen.table}) as side${at}` }
  })
  const [near, far] = sides
  if (!near || !far) return []
  const [first, second] = pairColumns(old).map((column) => `pair.${dialect.quotedName(column)}`)
  const rows = `from ${dialect.quotedName(name)} as pair
join ${near.rows} on side0.identity = ${first}
join ${far.rows} on side1.identity = ${second}`
  // What neither has is nothing that they share.
  const apart = `${rows} where side0.shared is null or side1.shared is null or side0.shared <> side1.shared`
  const count = yield* countOf(`select 1 ${apart}`)
  if (count === 0) return []
  const [pair] = yield `select side0.identity as near, side1.identity as far ${apart} limit 1`
  const field = declaredName(fieldOf(near.is, sharing[0]))
  const example = `${declaredName(near.is)} ${pair?.near} and ${declaredName(far.is)} ${pair?.far}`
  return [
    `link "${name}": ${counted(count, 'pair')} ${count === 1 ? 'does' : 'do'} not share "${field}", such as ${example}.`,
  ]
}
