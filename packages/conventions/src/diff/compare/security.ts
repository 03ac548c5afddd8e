/** Compares the credentials that an operation requires. */
import type { AddChange } from '../change-collector.ts'
import { below, childrenOf, elementsOf, type Location, objectAt, top } from '../location.ts'
import type { Operation } from '../operation.ts'

/** One security requirement: all its schemes, each with its scopes. */
type Requirement = ReadonlyMap<string, readonly string[]>

export function compareSecurity(old: Operation, next: Operation, addChange: AddChange): void {
  const [was, is] = [waysOf(old.location), waysOf(next.location)]
  const location = securityLocation(next.location) ?? next.location
  for (const way of was.filter((requirement) => !is.some((candidate) => isSufficient(candidate, requirement)))) {
    if (way.size === 0)
      addChange('security-added', `It requires credentials: ${is.map(wayText).join(', or ')}.`, location)
    else
      addChange('security-tightened', `${wayText(way)} is no longer sufficient; it requires ${allText(is)}.`, location)
  }
  for (const way of is.filter((requirement) => !was.some((candidate) => isSufficient(candidate, requirement))))
    addChange(
      'security-loosened',
      way.size === 0 ? 'It no longer requires credentials.' : `${wayText(way)} is sufficient.`,
      location,
    )
  compareSchemes(old, next, was, addChange)
}

/** Compares the credentials that the service sends to a receiver. The security of the document is for its own operations. */
export function compareSentSecurity(old: Location, next: Location, name: string, addChange: AddChange): void {
  const [was, is] = [old, next].map((request) => {
    const ways = waysAt(below(request, 'security'))
    const schemes = new Set(ways.flatMap((way) => [...way.keys()]))
    const parts = [...schemes].map((scheme) => [...partsOf(schemeOf(request, scheme) ?? request)].join())
    return { text: allText(ways), parts: parts.join('; ') }
  })
  if (was?.text === is?.text && was?.parts === is?.parts) return
  const message = `The credentials of ${name} changed from ${was?.text} to ${is?.text}.`
  const isSame = was?.text === is?.text
  const detail = isSame ? `The scheme of the credentials of ${name} changed: ${is?.text}.` : message
  addChange('webhook-security-changed', detail, below(next, 'security'), next)
}

/** A scheme of the same name may have changed. */
function compareSchemes(old: Operation, next: Operation, ways: readonly Requirement[], addChange: AddChange): void {
  for (const name of new Set(ways.flatMap((way) => [...way.keys()]))) {
    const [was, is] = [schemeOf(old.location, name), schemeOf(next.location, name)]
    if (!was || !is) continue
    const parts = partsOf(is)
    for (const [part, before] of partsOf(was)) {
      const after = parts.get(part) ?? 'none'
      const message = `${part} of the scheme ${name} changed from ${before} to ${after}.`
      if (before !== after) addChange('security-scheme-changed', message, is)
    }
  }
}

/** The parts of a scheme that callers rely on: how they send credentials, and where they get tokens. */
function partsOf(securityScheme: Location): ReadonlyMap<string, string> {
  const { type, scheme, in: where, name, openIdConnectUrl } = objectAt(securityScheme)
  const kind = [type, typeof scheme === 'string' ? scheme.toLowerCase() : scheme, where, name].filter(Boolean).join(' ')
  const parts = new Map([['The kind', kind]])
  if (typeof openIdConnectUrl === 'string') parts.set('openIdConnectUrl', openIdConnectUrl)
  for (const [flow, location] of childrenOf(below(securityScheme, 'flows')))
    for (const [part, { value }] of childrenOf(location))
      if (typeof value === 'string' && part.endsWith('Url')) parts.set(`${part} of ${flow}`, value)
  return parts
}

function schemeOf(operation: Location, name: string): Location | undefined {
  return below(top(operation), 'components', 'securitySchemes', name)
}

/** The security of the operation, or else of the document. */
function securityLocation(operation: Location): Location | undefined {
  return below(operation, 'security') ?? below(top(operation), 'security')
}

function waysOf(operation: Location): readonly Requirement[] {
  return waysAt(securityLocation(operation))
}

function waysAt(security: Location | undefined): readonly Requirement[] {
  const ways = elementsOf(security).map(
    (way) =>
      new Map(childrenOf(way).map(([name, scopes]) => [name, elementsOf(scopes).map(({ value }) => `${value}`)])),
  )
  return ways.length > 0 ? ways : [new Map()]
}

/** Whether credentials for one requirement are sufficient for another. */
function isSufficient(way: Requirement, credentials: Requirement): boolean {
  return [...way].every(
    ([name, scopes]) => scopes.every((scope) => credentials.get(name)?.includes(scope)) && credentials.has(name),
  )
}

function allText(ways: readonly Requirement[]): string {
  return ways.map(wayText).join(', or ')
}

function wayText(way: Requirement): string {
  const texts = [...way].map(([name, scopes]) => (scopes.length > 0 ? `${name} (${scopes.join(', ')})` : name))
  return texts.join(' and ') || 'nothing'
}
