/** Compares the credentials that an operation asks for. */
import type { Note } from '../ledger.ts'
import type { Operation } from '../operation.ts'
import { below, childrenOf, elementsOf, objectAt, type Place, top } from '../place.ts'

/** One way to be let in: every scheme, each with its scopes. */
type Way = ReadonlyMap<string, readonly string[]>

export function compareSecurity(old: Operation, next: Operation, note: Note): void {
  const [was, is] = [waysOf(old.place), waysOf(next.place)]
  const place = securityPlace(next.place) ?? next.place
  for (const way of was.filter((one) => !is.some((other) => lets(other, one)))) {
    if (way.size === 0) note('security-added', `It asks for credentials: ${is.map(wayText).join(', or ')}.`, place)
    else note('security-tightened', `${wayText(way)} is no longer enough; it takes ${allText(is)}.`, place)
  }
  for (const way of is.filter((one) => !was.some((other) => lets(other, one))))
    note('security-loosened', way.size === 0 ? 'It asks for no credentials.' : `${wayText(way)} is enough.`, place)
  compareSchemes(old, next, was, note)
}

/** The same name may stand for other credentials. */
function compareSchemes(old: Operation, next: Operation, ways: readonly Way[], note: Note): void {
  for (const name of new Set(ways.flatMap((way) => [...way.keys()]))) {
    const [was, is] = [schemeOf(old.place, name), schemeOf(next.place, name)]
    if (!was || !is) continue
    const [before, after] = [was, is].map((place) => {
      const { type, scheme, in: where, name } = objectAt(place)
      return [type, typeof scheme === 'string' ? scheme.toLowerCase() : scheme, where, name].filter(Boolean).join(' ')
    })
    if (before !== after) note('security-scheme-changed', `The scheme ${name} was ${before}, is ${after}.`, is)
  }
}

function schemeOf(operation: Place, name: string): Place | undefined {
  return below(top(operation), 'components', 'securitySchemes', name)
}

/** What an operation says for itself, else what the document says for all. */
function securityPlace(operation: Place): Place | undefined {
  return below(operation, 'security') ?? below(top(operation), 'security')
}

function waysOf(operation: Place): readonly Way[] {
  const ways = elementsOf(securityPlace(operation)).map(
    (way) =>
      new Map(childrenOf(way).map(([name, scopes]) => [name, elementsOf(scopes).map(({ value }) => `${value}`)])),
  )
  return ways.length > 0 ? ways : [new Map()]
}

/** Whether credentials for one way are enough for another. */
function lets(way: Way, credentials: Way): boolean {
  return [...way].every(
    ([name, scopes]) => scopes.every((scope) => credentials.get(name)?.includes(scope)) && credentials.has(name),
  )
}

function allText(ways: readonly Way[]): string {
  return ways.map(wayText).join(', or ')
}

function wayText(way: Way): string {
  const texts = [...way].map(([name, scopes]) => (scopes.length > 0 ? `${name} (${scopes.join(', ')})` : name))
  return texts.join(' and ') || 'nothing'
}
