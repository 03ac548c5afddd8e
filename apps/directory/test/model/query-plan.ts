/** Turns the plan of a list's query into parameters. */
import type { Choice, QueryPart } from './command.ts'
import { type Face, type Property, propertyOf } from './face.ts'
import { at, idFor } from './pick.ts'
import { bounds, filters, pages, searches, sorts, texts, unknownParameters } from './pool.ts'
import type { Query } from './query.ts'
import type { Value } from './value.ts'
import type { Row, World } from './world.ts'

type Part<Kind extends QueryPart['kind']> = Extract<QueryPart, { kind: Kind }>
type Pairs = [string, string][]

export function queryFor(world: World, face: Face, parts: readonly QueryPart[]): Query {
  const seen = new Set<string>()
  const isOnce = (name: string) => name.startsWith('page') || name.startsWith('createdOrUpdated')
  return parts.flatMap((part) => {
    const pairs = pairsOf(world, face, part)
    // Page parameters and bounds come twice on purpose or not at all.
    if (pairs.some(([name]) => isOnce(name) && seen.has(name))) return []
    for (const [name] of pairs) seen.add(name)
    return pairs
  })
}

function pairsOf(world: World, face: Face, part: QueryPart): Pairs {
  switch (part.kind) {
    case 'filter': {
      const property = at(face.properties, part.property) as Property
      return part.choices.map((choice) => [property.name, textOf(world, face, property, choice)])
    }
    case 'search':
      return face.search ? part.choices.map((choice) => ['search', searchText(world, face, choice)]) : []
    case 'range':
      return face.hasRange ? [[`createdOrUpdated${part.bound}`, boundText(world, part)]] : []
    case 'include':
      return part.picks.map((pick) => ['include', idFor(world, face.noun, world.rows[face.noun], pick)])
    case 'sort':
      return [['sort', sortText(face, part)]]
    case 'unknown':
      return [[String(at(unknownParameters, part.n)), 'x']]
    default:
      return pagePairs(face, part)
  }
}

/** The value of a property as text: mostly that of a record. */
export function textOf(world: World, face: Face, property: Property, { from, n }: Choice): string {
  const row = at(world.rows[face.noun], n)
  if (!row || from === 'pool') return String(at(filters[property.type], n))
  const value = row[property.field] as Value
  if (property.type === 'moment') return momentText(String(value), n)
  return from === 'recased' ? recased(String(value ?? ''), n) : String(value ?? '')
}

/** In capitals, or each letter in its other case. */
export function recased(text: string, n: number): string {
  if (n % 2 === 0) return text.toUpperCase()
  return [...text]
    .map((letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()))
    .join('')
}

/** The same moment in one of three ways to write it. */
function momentText(moment: string, n: number): string {
  if (n % 3 === 1) return moment.replace('.000Z', 'Z')
  if (n % 3 === 2) return new Date(Date.parse(moment) + 7_200_000).toISOString().replace('Z', '+02:00')
  return moment
}

function searchText(world: World, face: Face, { n, start, length, from }: Part<'search'>['choices'][number]): string {
  const row = at(world.rows[face.noun], n)
  if (!row || from === 'pool') return String(at([...searches, ...texts], n))
  const { field } = propertyOf(face, String(at(face.search as readonly string[], n))) as Property
  const text = [...String(row[field])].slice(start, start + length + 1).join('')
  return from === 'recased' ? recased(text, n) : text
}

function boundText(world: World, { n, from }: Part<'range'>): string {
  const row: Row | undefined = at(world.rows.user, n)
  if (!row || from === 'pool') return String(at(bounds, n))
  return String(n % 2 === 0 ? row.created : row.lastUpdated)
}

function sortText(face: Face, { property, isDescending, isOdd }: Part<'sort'>): string {
  if (isOdd) return String(at(sorts, property))
  return `${isDescending ? '-' : ''}${at(face.properties, property)?.name}`
}

function pagePairs(face: Face, { kind, n, isRepeated }: Part<'pageNumber' | 'pageSize'>): Pairs {
  if (face.isPlain && n % 5 !== 0) return []
  const isBad = n % 16 === 15
  const bad = kind === 'pageSize' ? [...pages.bad, pages.tooLarge] : pages.bad
  const pair: [string, string] = [kind, String(isBad ? at(bad, n) : at(pages[kind], n))]
  return isRepeated ? [pair, pair] : [pair]
}
