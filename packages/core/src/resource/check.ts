/** Checks of a resource that do not depend on its api. */

import { checkAll } from '../declaration/collect.ts'
import { checkDeprecation, type Deprecation } from '../declaration/deprecation.ts'
import { checkDescription } from '../declaration/description.ts'
import { DeclarationError } from '../declaration/error.ts'
import { checkIgnored, type IgnoredRule } from '../declaration/ignored-rule.ts'
import { checkNameArray, checkOneOf, checkOptionNames, formatValue, unknownName } from '../declaration/known-option.ts'
import { checkScope } from '../declaration/scope.ts'
import { isCamelCase, isKebabCase } from '../naming/kebab-case.ts'
import { singularOf } from '../naming/singular.ts'
import { suggestedCamelCase, suggestedKebabCase } from '../naming/suggested-name.ts'
import { change, contentFields } from '../noun/change.ts'
import type { AnyNoun } from '../noun/noun.ts'
import { offerNames } from './offer-name.ts'
import type { NamedOperations } from './operation.ts'
import { checkOperations } from './operation-check.ts'
import { checkProperties, type PropertyDeclaration } from './property-check.ts'

/** The parts of a resource that are checked without its api. */
interface CheckedResource extends PropertyDeclaration {
  readonly options: PropertyDeclaration['options'] & {
    readonly description?: string | { readonly [kind: string]: string | undefined }
    readonly path?: string
    readonly parameter?: string
    readonly pageSize?: { readonly default?: number; readonly maximum?: number }
    readonly offers?: readonly string[]
    readonly internal?: readonly string[]
    readonly scopes?: { readonly [kind: string]: string | undefined }
    readonly ignore?: readonly IgnoredRule[]
    readonly operations?: NamedOperations
    readonly ifMatch?: string
    readonly version?: number | object
    readonly children?: readonly Child[]
    readonly deprecated?: Deprecation | { readonly [kind: string]: Deprecation | undefined }
  }
}

interface Child {
  readonly noun: AnyNoun
  readonly options: { readonly path?: string }
}

export function checkResource({ noun, rename, options }: CheckedResource): void {
  const subject = `resource "${options.path ?? noun.name}"`
  checkAll([
    () => checkPath(subject, options.path, noun),
    () => checkOptionNames(subject, options, optionNames),
    () => checkResourceArray(subject, 'children', options.children ?? []),
    () => checkOffers(subject, 'offers', options.offers),
    () => checkOffers(subject, 'internal', options.internal),
    () => checkVersions(subject, options.version),
    () => options.ifMatch !== undefined && checkOneOf(subject, 'ifMatch', options.ifMatch, ['required']),
    () => checkPageSize(subject, options.pageSize),
    () => checkParameter(subject, options.parameter),
    () => checkDescriptions(subject, options.description),
    () => checkDeprecated(subject, options.deprecated),
    () => checkScopes(subject, options.scopes),
    () => checkIgnored(subject, options.ignore),
    () =>
      checkOperations(subject, options.operations, { noun, children: (options.children ?? []).flatMap(segmentsOf) }),
    () => checkProperties(subject, { noun, rename, options }),
    () => noun === change && checkHistoryEntries(subject, { rename, options }),
  ])
}

/**
 * The service hides fields in the values of history entries. It finds the values by property name, so the properties cannot be
 * renamed. They cannot be searched.
 */
function checkHistoryEntries(subject: string, { rename, options }: Pick<CheckedResource, 'rename' | 'options'>): void {
  if (Object.keys(rename ?? {}).length > 0)
    throw new DeclarationError(subject, 'properties of history entries cannot be renamed.', 'remove rename.')
  if (options.search !== undefined)
    throw new DeclarationError(subject, 'history entries cannot be searched.', 'remove search.')
  for (const [name, filter] of Object.entries(options.filters ?? {})) {
    const property =
      'properties' in filter
        ? filter.properties.find((propertyName) => contentFields.includes(propertyName))
        : undefined
    if (property !== undefined)
      throw new DeclarationError(
        subject,
        `the filter "${name}" uses "${property}", which lists cannot be filtered by.`,
        'remove the filter.',
      )
  }
}

/** The path segments of a child and of its list variants. */
function segmentsOf({ noun, options }: Child): readonly string[] {
  const segment = options.path ?? noun.name
  return [segment, `${segment}-summary`, `${segment}-detail`]
}

function checkPath(subject: string, path: string | undefined, noun: AnyNoun): void {
  if (path === undefined) return
  if (!isKebabCase(path)) {
    const newPath = suggestedKebabCase(path)
    throw new DeclarationError(
      subject,
      `the path segment "${path}" must be in lower kebab-case.`,
      newPath ? `rename it to "${newPath}".` : 'use letters a to z, digits and single hyphens, such as "cost-center".',
    )
  }
  const singular = singularOf(path)
  if (singular && !noun.options.isSingular) {
    throw new DeclarationError(
      subject,
      `the path segment "${path}" looks like a plural; path segments must be singular.`,
      `use "${singular}".`,
    )
  }
}

/** Checks that page sizes are positive integers, and that the default is not above the maximum. */
export function checkPageSize(
  subject: string,
  pageSize: CheckedResource['options']['pageSize'],
  maximumByDefault = Number.MAX_SAFE_INTEGER,
): void {
  if (pageSize === undefined) return
  checkOptionNames(`${subject}, pageSize`, pageSize, ['default', 'maximum'])
  const { default: size = 1, maximum = maximumByDefault } = pageSize
  if (Number.isSafeInteger(size) && Number.isSafeInteger(maximum) && size >= 1 && size <= maximum) return
  throw new DeclarationError(
    subject,
    `the default page size ${pageSize.default ?? (Number.isSafeInteger(maximum) ? Math.min(10, maximum) : 10)} with the maximum ${pageSize.maximum ?? 1000} is invalid.`,
    'use positive integers, and a default that is not above the maximum.',
  )
}

const optionNames = [
  ...[
    'description',
    'path',
    'parameter',
    'version',
    'complete',
    'list',
    'summary',
    'detail',
    'display',
    'by',
    'defaultFilter',
    'filters',
  ],
  ...['search', 'paginated', 'pageSize', 'offers', 'internal', 'scopes', 'operations', 'ifMatch', 'deprecated'],
  ...['ignore', 'via', 'children', 'rename'],
]

function checkDescriptions(subject: string, description: CheckedResource['options']['description']): void {
  if (typeof description === 'object' && description !== null) {
    checkOptionNames(`${subject}, description`, description, [...offerNames, 'unlink'])
    for (const [kind, text] of Object.entries(description)) checkDescription(`${subject}, ${kind}`, text)
  } else checkDescription(subject, description)
}

/** Checks the deprecation of the resource, or of single operations. */
function checkDeprecated(subject: string, deprecated: CheckedResource['options']['deprecated']): void {
  if (deprecated === undefined) return
  const members = Object.entries(deprecated ?? {})
  const isByOperation = members.some(([name, value]) => offerNames.includes(name) || typeof value === 'object')
  if (isByOperation && !('since' in deprecated)) {
    checkOptionNames(`${subject}, deprecated`, deprecated, offerNames)
    for (const [kind, deprecation] of Object.entries(deprecated))
      if (deprecation !== undefined) checkDeprecation(`${subject}, ${kind}`, deprecation)
  } else checkDeprecation(subject, deprecated as Deprecation)
}

/** Checks the names in offers or internal. Whether the operations are possible depends on the api. */
function checkOffers(subject: string, option: string, offers: readonly string[] = []): void {
  checkNameArray(subject, option, offers)
  const unknownOffer = offers.find((offer) => !offerNames.includes(offer))
  if (unknownOffer === undefined) return
  throw unknownName(subject, `${option} has "${unknownOffer}", which is not an operation.`, unknownOffer, offerNames)
}

/** Checks the names of operations with their own version. The api checks the versions. */
function checkVersions(subject: string, version: number | object | undefined): void {
  if (typeof version === 'object') checkOptionNames(`${subject}, version`, version, offerNames)
}

/** Checks that an option is an array of resources. Their nouns are a common mistake. */
export function checkResourceArray(subject: string, option: string, value: unknown): void {
  const fail: (mistake: string) => never = (mistake) => {
    throw new DeclarationError(subject, mistake, `pass nouns to resource(), as in ${option}: [resource(user)].`)
  }
  if (!Array.isArray(value)) fail(`${option} must be an array of resources, not ${formatValue(value)}.`)
  for (const item of value) {
    if (item?.noun && item.options) continue
    fail(`${option} has ${item?.fields ? `the noun "${item.name}"` : formatValue(item)}, which is not a resource.`)
  }
}

function checkScopes(subject: string, scopes: CheckedResource['options']['scopes'] = {}): void {
  checkOptionNames(`${subject}, scopes`, scopes, offerNames)
  for (const [kind, scope] of Object.entries(scopes))
    if (scope !== undefined) checkScope(`${subject}, scope of ${kind}`, scope)
}

function checkParameter(subject: string, parameter: string | undefined): void {
  if (parameter === undefined || isCamelCase(parameter)) return
  throw new DeclarationError(
    subject,
    `parameter must be a name in camelCase, not "${parameter}".`,
    `write a name such as "${suggestedCamelCase(parameter) ?? 'userRef'}".`,
  )
}
