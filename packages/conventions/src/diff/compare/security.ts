/** Compares the credentials that an operation requires. */
import type { AddChange } from '../change-collector.ts'
import { below, childrenOf, documentRoot, elementsOf, type Location, objectAt } from '../location.ts'
import type { Operation } from '../operation.ts'

/** One security requirement: all its schemes, each with its scopes. */
type Requirement = ReadonlyMap<string, readonly string[]>

export function compareSecurity(old: Operation, next: Operation, addChange: AddChange): void {
  const [oldRequirements, nextRequirements] = [requirementsOf(old.location), requirementsOf(next.location)]
  const location = securityLocation(next.location) ?? next.location
  for (const requirement of oldRequirements.filter(
    (requirement) => !nextRequirements.some((candidate) => isSufficient(candidate, requirement)),
  )) {
    if (requirement.size === 0)
      addChange(
        'security-added',
        `It requires credentials: ${nextRequirements.map(requirementText).join(', or ')}.`,
        location,
      )
    else
      addChange(
        'security-tightened',
        `${requirementText(requirement)} is no longer sufficient; it requires ${requirementsText(nextRequirements)}.`,
        location,
      )
  }
  for (const requirement of nextRequirements.filter(
    (requirement) => !oldRequirements.some((candidate) => isSufficient(candidate, requirement)),
  ))
    addChange(
      'security-loosened',
      requirement.size === 0 ? 'It no longer requires credentials.' : `${requirementText(requirement)} is sufficient.`,
      location,
    )
  compareSchemes(old, next, oldRequirements, addChange)
}

/** Compares the credentials that the service sends to a receiver. The security of the document is for its own operations. */
export function compareSentSecurity(old: Location, next: Location, name: string, addChange: AddChange): void {
  const [oldCredentials, nextCredentials] = [old, next].map((request) => {
    const requirements = requirementsAt(below(request, 'security'))
    const schemes = new Set(requirements.flatMap((requirement) => [...requirement.keys()]))
    const schemeTexts = [...schemes].map((scheme) => [...propertiesOf(schemeOf(request, scheme) ?? request)].join())
    return { text: requirementsText(requirements), parts: schemeTexts.join('; ') }
  })
  if (oldCredentials?.text === nextCredentials?.text && oldCredentials?.parts === nextCredentials?.parts) return
  const message = `The credentials of ${name} changed from ${oldCredentials?.text} to ${nextCredentials?.text}.`
  const isSame = oldCredentials?.text === nextCredentials?.text
  const detail = isSame ? `The scheme of the credentials of ${name} changed: ${nextCredentials?.text}.` : message
  addChange('webhook-security-changed', detail, below(next, 'security'), next)
}

/** A scheme of the same name may have changed. */
function compareSchemes(
  old: Operation,
  next: Operation,
  requirements: readonly Requirement[],
  addChange: AddChange,
): void {
  for (const name of new Set(requirements.flatMap((requirement) => [...requirement.keys()]))) {
    const [oldScheme, nextScheme] = [schemeOf(old.location, name), schemeOf(next.location, name)]
    if (!oldScheme || !nextScheme) continue
    const nextProperties = propertiesOf(nextScheme)
    for (const [property, before] of propertiesOf(oldScheme)) {
      const after = nextProperties.get(property) ?? 'none'
      const message = `${property} of the scheme ${name} changed from ${before} to ${after}.`
      if (before !== after) addChange('security-scheme-changed', message, nextScheme)
    }
  }
}

/** The parts of a scheme that callers rely on: how they send credentials, and where they get tokens. */
function propertiesOf(securityScheme: Location): ReadonlyMap<string, string> {
  const { type, scheme, in: sentIn, name, openIdConnectUrl } = objectAt(securityScheme)
  const kind = [type, typeof scheme === 'string' ? scheme.toLowerCase() : scheme, sentIn, name]
    .filter(Boolean)
    .join(' ')
  const properties = new Map([['The kind', kind]])
  if (typeof openIdConnectUrl === 'string') properties.set('openIdConnectUrl', openIdConnectUrl)
  for (const [flow, location] of childrenOf(below(securityScheme, 'flows')))
    for (const [property, { value }] of childrenOf(location))
      if (typeof value === 'string' && property.endsWith('Url')) properties.set(`${property} of ${flow}`, value)
  return properties
}

function schemeOf(operation: Location, name: string): Location | undefined {
  return below(documentRoot(operation), 'components', 'securitySchemes', name)
}

/** The security of the operation, or else of the document. */
function securityLocation(operation: Location): Location | undefined {
  return below(operation, 'security') ?? below(documentRoot(operation), 'security')
}

function requirementsOf(operation: Location): readonly Requirement[] {
  return requirementsAt(securityLocation(operation))
}

function requirementsAt(security: Location | undefined): readonly Requirement[] {
  const requirements = elementsOf(security).map(
    (element) =>
      new Map(childrenOf(element).map(([name, scopes]) => [name, elementsOf(scopes).map(({ value }) => `${value}`)])),
  )
  return requirements.length > 0 ? requirements : [new Map()]
}

/** Whether credentials for one requirement are sufficient for another. */
function isSufficient(required: Requirement, credentials: Requirement): boolean {
  return [...required].every(
    ([name, scopes]) => scopes.every((scope) => credentials.get(name)?.includes(scope)) && credentials.has(name),
  )
}

function requirementsText(requirements: readonly Requirement[]): string {
  return requirements.map(requirementText).join(', or ')
}

function requirementText(requirement: Requirement): string {
  const texts = [...requirement].map(([name, scopes]) => (scopes.length > 0 ? `${name} (${scopes.join(', ')})` : name))
  return texts.join(' and ') || 'nothing'
}
