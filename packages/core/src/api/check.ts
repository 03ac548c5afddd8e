/** What an api is declared with, and what its resources must satisfy together: a breach stops the start. */

import { checkDeprecation, type Deprecation } from '../declaration/deprecation.ts'
import { DeclarationError } from '../declaration/error.ts'
import { checkIgnored, type IgnoredRule } from '../declaration/ignored-rule.ts'
import { checkKnown, checkOneOf } from '../declaration/known-option.ts'
import { hasDefault, isMutable } from '../field/field.ts'
import { readValue } from '../field/read-value.ts'
import { isKebabCase } from '../naming/kebab-case.ts'
import { checkLink } from '../noun/link.ts'
import { type AnyNoun, specOf, targetOf } from '../noun/noun.ts'
import { checkPageSize } from '../resource/check.ts'
import { offersOf } from '../resource/offer.ts'
import { namedOperations } from '../resource/operation.ts'
import { directReference, type Relation, relationsOf } from '../resource/relation.ts'
import type { AnyResource, PageSize, ResourceOptions } from '../resource/resource.ts'
import { childrenOf, completeShape, segmentOf, shownName, storedName } from '../resource/shape.ts'

export interface ApiOptions {
  /** The number in the path prefix, `version: 1` for `/v1`; without it paths have no prefix. */
  readonly version?: number
  /**
   * `versioning: 'whole'`: any breaking change raises the version of every endpoint. `versioning: 'per-noun'`: resources are
   * versioned apart.
   */
  readonly versioning: 'whole' | 'per-noun'
  /**
   * `writes: 'nested'`: children are changed below their parent. `writes: 'flat'`: at the root, with the parent's identity in
   * the body.
   */
  readonly writes: 'nested' | 'flat'
  /**
   * What lists use unless a resource says otherwise, `pageSize: { default: 20 }`; 10 and at most 1,000 where left
   * out.
   */
  readonly pageSize?: PageSize
  /** Rules of the lint that the api breaks on purpose: `ignore: [{ code: 'nested-object', reason: … }]`. */
  readonly ignore?: readonly IgnoredRule[]
  /** All of the api is: `deprecated: { since: '2026-03-01', successor: '/v2' }`. */
  readonly deprecated?: Deprecation
  /** What it shows at its root: `resources: [resource(user), resource(department)]`. */
  readonly resources: readonly AnyResource[]
}

/** First segments that belong to the service itself. */
const reservedSegments = ['openapi.json', 'docs', 'console', 'health', 'metrics', 'usage']

export function checkApi(name: string, options: ApiOptions): void {
  const subject = `api "${name}"`
  if (!isKebabCase(name))
    throw new DeclarationError(
      subject,
      'an api is named in lower kebab-case.',
      'use letters a to z, digits and single hyphens.',
    )
  checkVersion(subject, options.version)
  checkKnown(subject, options, ['version', 'versioning', 'writes', 'pageSize', 'deprecated', 'ignore', 'resources'])
  checkOneOf(subject, 'versioning', options.versioning, ['whole', 'per-noun'])
  checkOneOf(subject, 'writes', options.writes, ['nested', 'flat'])
  checkPageSize(subject, { maximum: 1000, ...options.pageSize })
  if (options.versioning === 'whole' && options.version === undefined) {
    throw new DeclarationError(subject, 'is versioned as a whole and has no version.', 'add version: 1.')
  }
  if (options.deprecated) checkDeprecation(subject, options.deprecated)
  checkIgnored(subject, options.ignore)
  const writtenAt = new Map<string, string>()
  const walk = (resource: AnyResource, ancestors: readonly AnyResource[]) => {
    const path = [...ancestors, resource].map(segmentOf).join('/')
    const place = `api "${name}", resource "${path}"`
    const relations = relationsOf(resource, ancestors)
    const offers = offersOf(options.writes, resource, relations)
    checkResourceVersion(place, options, resource)
    checkReferences(place, resource)
    checkDefaultFilter(place, resource)
    checkFilterTargets(place, resource)
    checkOwnPageSize(place, options, resource)
    for (const { steps } of relations) for (const step of steps) if (step.kind === 'link') checkLink(step.link)
    if (offers.has('create')) checkCreate(place, resource, relations)
    checkPaginated(place, resource, ancestors)
    if (options.writes === 'flat' && ancestors.length > 0) checkFlat(place, resource)
    if (offers.has('replace') || offers.has('update') || offers.has('create') || offers.has('delete')) {
      checkOneForm(writtenAt, name, options.writes, resource.noun, path)
    }
    for (const child of childrenOf(resource)) walk(child, [...ancestors, resource])
  }
  for (const resource of options.resources) {
    if (reservedSegments.includes(segmentOf(resource)) || /^v\d+$/.test(segmentOf(resource))) {
      throw new DeclarationError(
        `${subject}, resource "${segmentOf(resource)}"`,
        'takes a path that belongs to the service itself.',
        `choose another name than ${reservedSegments.join(', ')}.`,
      )
    }
    walk(resource, [])
  }
}

function checkVersion(subject: string, version: number | undefined): void {
  if (version === undefined || (Number.isInteger(version) && version >= 1)) return
  throw new DeclarationError(subject, `has the version ${version}.`, 'use an integer from 1.')
}

function checkResourceVersion(place: string, options: ApiOptions, resource: AnyResource): void {
  const { version } = resource.options as ResourceOptions
  if (version === undefined) return
  if (options.versioning === 'whole') {
    throw new DeclarationError(
      place,
      'has a version of its own in an api that is versioned as a whole (spec 9 rule 2).',
      "raise the api's version, or use versioning: 'per-noun'.",
    )
  }
  for (const one of typeof version === 'number' ? [version] : Object.values(version)) checkVersion(place, one)
}

function checkReferences(place: string, resource: AnyResource): void {
  const noun: AnyNoun = resource.noun
  for (const field of Object.keys(noun.fields)) {
    if (noun.fields[field].spec.kind !== 'reference') continue
    const spec = specOf(noun, field)
    const target = targetOf(noun, field)
    const { display } = resource.options as ResourceOptions
    const shown = shownName(resource, field)
    if (display?.includes(shown) && target.options.label === undefined) {
      throw new DeclarationError(
        place,
        `is to show "${shown}" by its label, and "${target.name}" has none.`,
        `give the noun "${target.name}" a label.`,
      )
    }
    if (spec.defaultFrom !== undefined && targetOf(noun, spec.defaultFrom) !== target) {
      throw new DeclarationError(
        place,
        `the default of "${field}" comes from a reference to another noun.`,
        'take it from a reference to the same noun.',
      )
    }
    if (spec.default !== undefined && typeof spec.default !== (spec.guid ? 'string' : 'number')) {
      throw new DeclarationError(
        place,
        `the default of "${field}" is no identity of "${target.name}".`,
        'give the identity of a record that is always there.',
      )
    }
  }
}

/** What a resource says for itself must fit what it takes from the api. */
function checkOwnPageSize(place: string, options: ApiOptions, resource: AnyResource): void {
  const own: PageSize = resource.options.pageSize ?? {}
  const maximum = own.maximum ?? options.pageSize?.maximum ?? 1000
  checkPageSize(place, own.default === undefined ? { maximum } : { default: own.default, maximum })
}

function checkDefaultFilter(place: string, resource: AnyResource): void {
  const { properties } = completeShape(resource)
  for (const [name, given] of Object.entries((resource.options as ResourceOptions).defaultFilter ?? {})) {
    const property = properties.find((one) => one.name === name)
    if (!property) {
      throw new DeclarationError(
        place,
        `the default filter on "${name}" could not be overridden, as the resource does not show it.`,
        `add "${name}" to complete.`,
      )
    }
    const values = [given].flat()
    if (values.length === 0) {
      throw new DeclarationError(place, `the default filter on "${name}" lets no record through.`, 'give it a value.')
    }
    for (const value of values) {
      const reading = readValue(property.spec, value)
      if ('value' in reading) continue
      throw new DeclarationError(
        place,
        `the default filter on "${name}" ${reading.fault}.`,
        'give a value that the field can hold.',
      )
    }
  }
}

/** One value cannot be the identity of records of two nouns. */
function checkFilterTargets(place: string, resource: AnyResource): void {
  for (const [name, filter] of Object.entries((resource.options as ResourceOptions).filters ?? {})) {
    if (filter.kind === 'custom') continue
    const fields = filter.properties.map((property) => storedName(resource, property))
    const targets = new Set(
      fields.map((field) =>
        specOf(resource.noun, field).kind === 'reference' ? targetOf(resource.noun, field) : undefined,
      ),
    )
    if (targets.size > 1) {
      throw new DeclarationError(
        place,
        `the filter "${name}" compares references to different nouns.`,
        'name references to one noun.',
      )
    }
  }
}

/** A record that cannot be given all that it needs could never be created. */
function checkCreate(place: string, resource: AnyResource, relations: readonly Relation[]): void {
  const shown = new Set(completeShape(resource).properties.map(({ field }) => field))
  const filledIn = new Set(relations.map(directReference))
  const noun: AnyNoun = resource.noun
  for (const field of Object.keys(noun.fields)) {
    const { spec } = noun.fields[field]
    if (hasDefault(spec) || filledIn.has(field) || (isMutable(spec) && shown.has(field))) continue
    if (spec.managed === 'service') {
      throw new DeclarationError(
        place,
        `offers POST, and nothing gives "${field}" its first value.`,
        `give the field a default, or leave 'create' out of offers.`,
      )
    }
    if (spec.managed !== undefined) continue
    throw new DeclarationError(
      place,
      `offers POST and hides "${field}", which has no default.`,
      `show "${field}", give the field a default, or leave 'create' out of offers.`,
    )
  }
}

/** What changes something below a parent is the other form of writes, whatever it is called. */
function checkFlat(place: string, { options }: AnyResource): void {
  const nested = namedOperations((options as ResourceOptions).operations).find(
    ({ declared }) => declared.options.method !== 'GET',
  )
  if (!nested) return
  throw new DeclarationError(
    `${place}, operation "${nested.name}"`,
    `a ${nested.declared.options.method} below a parent, in an api whose writes are flat: one api has one form (spec 4.2).`,
    'declare it with the resource at the root, and take the parent in the body.',
  )
}

function checkPaginated(place: string, resource: AnyResource, ancestors: readonly AnyResource[]): void {
  const { paginated, summary, detail } = resource.options as ResourceOptions
  if (paginated !== false) return
  if (ancestors.length === 0) {
    throw new DeclarationError(
      place,
      'a root collection without pages.',
      'leave out paginated: false; only a child may be a plain array.',
    )
  }
  if (summary || detail) {
    throw new DeclarationError(
      place,
      'a plain array with list variants.',
      'leave out summary and detail, or paginated: false.',
    )
  }
}

function checkOneForm(writtenAt: Map<string, string>, api: string, form: string, noun: AnyNoun, path: string): void {
  const other = writtenAt.get(noun.name)
  if (other !== undefined && other !== path && form === 'nested') {
    throw new DeclarationError(
      `api "${api}"`,
      `"${noun.name}" can be changed at both /${other} and /${path}: one api has one form of writes (spec 4.2 rule 1).`,
      "say offers: ['list', 'read'] at one of them.",
    )
  }
  writtenAt.set(noun.name, path)
}
