/** Creates the query parameters of a list from its plan. */
import type { Choice, QueryPart } from './command.ts'
import { elementAt, idFor } from './pick.ts'
import { bounds, filterValues, pages, searchTexts, sorts, texts, unknownParameters } from './pool.ts'
import type { Query } from './query.ts'
import type { Value } from './value.ts'
import { type Property, propertyOf, type View } from './view.ts'
import type { Row, World } from './world.ts'

type Part<Kind extends QueryPart['kind']> = Extract<QueryPart, { kind: Kind }>
type Pairs = [string, string][]

export function queryFor(world: World, view: View, parts: readonly QueryPart[]): Query {
  const usedNames = new Set<string>()
  const isSingle = (name: string) => name.startsWith('page') || name.startsWith('createdOrUpdated')
  return parts.flatMap((part) => {
    const pairs = pairsOf(world, view, part)
    // Page parameters and bounds are repeated only if the plan says so.
    if (pairs.some(([name]) => isSingle(name) && usedNames.has(name))) return []
    for (const [name] of pairs) usedNames.add(name)
    return pairs
  })
}

function pairsOf(world: World, view: View, part: QueryPart): Pairs {
  switch (part.kind) {
    case 'filter': {
      const property = elementAt(view.properties, part.property) as Property
      return part.choices.map((choice) => [property.name, textOf(world, view, property, choice)])
    }
    case 'search':
      return view.search ? part.choices.map((choice) => ['search', searchText(world, view, choice)]) : []
    case 'range':
      return view.hasRange ? [[`createdOrUpdated${part.bound}`, boundText(world, part)]] : []
    case 'include':
      return part.picks.map((pick) => ['include', idFor(world, view.noun, world.rows[view.noun], pick)])
    case 'sort':
      return [['sort', sortText(view, part)]]
    case 'unknown':
      return [[String(elementAt(unknownParameters, part.n)), 'x']]
    default:
      return pagePairs(view, part)
  }
}

/** A value of a property as text, usually from a record. */
export function textOf(world: World, view: View, property: Property, { from, n }: Choice): string {
  const row = elementAt(world.rows[view.noun], n)
  if (!row || from === 'pool') return String(elementAt(filterValues[property.type], n))
  const value = row[property.field] as Value
  if (property.type === 'moment') return timestampText(String(value), n)
  return from === 'recased' ? changeCase(String(value ?? ''), n) : String(value ?? '')
}

/** Returns the text in capital letters, or with the case of each letter swapped. */
export function changeCase(text: string, n: number): string {
  if (n % 2 === 0) return text.toUpperCase()
  return [...text]
    .map((letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()))
    .join('')
}

/** The same timestamp in one of three notations. */
function timestampText(timestamp: string, n: number): string {
  if (n % 3 === 1) return timestamp.replace('.000Z', 'Z')
  if (n % 3 === 2) return new Date(Date.parse(timestamp) + 7_200_000).toISOString().replace('Z', '+02:00')
  return timestamp
}

function searchText(world: World, view: View, { n, start, length, from }: Part<'search'>['choices'][number]): string {
  const row = elementAt(world.rows[view.noun], n)
  if (!row || from === 'pool') return String(elementAt([...searchTexts, ...texts], n))
  const { field } = propertyOf(view, String(elementAt(view.search as readonly string[], n))) as Property
  const text = [...String(row[field])].slice(start, start + length + 1).join('')
  return from === 'recased' ? changeCase(text, n) : text
}

function boundText(world: World, { n, from }: Part<'range'>): string {
  const row: Row | undefined = elementAt(world.rows.user, n)
  if (!row || from === 'pool') return String(elementAt(bounds, n))
  return String(n % 2 === 0 ? row.created : row.lastUpdated)
}

function sortText(view: View, { property, isDescending, isOdd }: Part<'sort'>): string {
  if (isOdd) return String(elementAt(sorts, property))
  return `${isDescending ? '-' : ''}${elementAt(view.properties, property)?.name}`
}

function pagePairs(view: View, { kind, n, isRepeated }: Part<'pageNumber' | 'pageSize'>): Pairs {
  if (view.isPlain && n % 5 !== 0) return []
  const isInvalid = n % 16 === 15
  const invalidValues = kind === 'pageSize' ? [...pages.bad, pages.tooLarge] : pages.bad
  const pair: [string, string] = [kind, String(isInvalid ? elementAt(invalidValues, n) : elementAt(pages[kind], n))]
  return isRepeated ? [pair, pair] : [pair]
}
