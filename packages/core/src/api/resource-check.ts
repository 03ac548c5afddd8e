/** The checks of the resources of an api, each with its ancestors and with the options of the api. */
import { checkAll } from '../declaration/collect.ts'
import { DeclarationError } from '../declaration/error.ts'
import { hasDefault, isSettable } from '../field/field.ts'
import { readValue } from '../field/read-value.ts'
import { checkLink } from '../noun/link.ts'
import { type AnyNoun, specOf, targetOf } from '../noun/noun.ts'
import { checkPageSize } from '../resource/check.ts'
import { offersOf, writeOffers } from '../resource/offer.ts'
import { namedOperations } from '../resource/operation.ts'
import { directReference, type Relation, relationsOf } from '../resource/relation.ts'
import type { AnyResource, PageSize, ResourceOptions } from '../resource/resource.ts'
import { childrenOf, completeShape, segmentOf, shownName, storedName } from '../resource/shape.ts'
import type { ApiOptions } from './api-option.ts'

/** First path segments that the service uses for its own endpoints. */
const reservedSegments = ['openapi.json', 'docs', 'console', 'health', 'metrics', 'usage']

export function checkResources(name: string, options: ApiOptions): void {
  const writePaths = new Map<string, string>()
  const checkWithChildren = (resource: AnyResource, ancestors: readonly AnyResource[]) => {
    const path = [...ancestors, resource].map(segmentOf).join('/')
    const subject = `api "${name}", resource "${path}"`
    const relations = relationsOf(resource, ancestors)
    const { public: publicOffers, internal } = offersOf(options.writes, resource, relations)
    const isWritten = writeOffers.some((offer) => publicOffers.has(offer))
    const isCreated = publicOffers.has('create') || internal.has('create')
    checkAll([
      () => ancestors.length === 0 && checkSegment(subject, options, resource),
      () => checkResourceVersion(subject, options, resource),
      () => checkReferences(subject, resource),
      () => checkDefaultFilter(subject, resource),
      () => checkFilterTargets(subject, resource),
      () => checkOwnPageSize(subject, options, resource),
      ...relations.flatMap(({ steps }) => steps.map((step) => () => step.kind === 'link' && checkLink(step.link))),
      () => isCreated && checkCreate(subject, resource, relations),
      () => checkPaginated(subject, resource, ancestors),
      () => options.writes === 'flat' && ancestors.length > 0 && checkFlatOperations(subject, resource),
      () => isWritten && options.writes === 'nested' && checkSingleWritePath(writePaths, name, resource.noun, path),
      ...childrenOf(resource).map((child) => () => checkWithChildren(child, [...ancestors, resource])),
    ])
  }
  checkAll(options.resources.map((resource) => () => checkWithChildren(resource, [])))
}

/**
 * Checks that a root resource has neither a path of the service itself, which a version prefix avoids, nor a segment like a
 * version.
 */
function checkSegment(subject: string, options: ApiOptions, resource: AnyResource): void {
  const segment = segmentOf(resource)
  const isVersioned = options.version !== undefined || typeof resource.options.version === 'number'
  const isReserved = reservedSegments.includes(segment) && !isVersioned
  if (!isReserved && !/^v\d+$/.test(segment)) return
  throw new DeclarationError(
    subject,
    `the path /${segment} is reserved for ${isReserved ? 'the service itself' : 'versions'}.`,
    `${isReserved ? 'rename the noun, set path, or give the API a version' : 'rename the noun, or set path'}. Reserved segments: ${reservedSegments.join(', ')}, and v1, v2, ….`,
  )
}

export function checkVersion(subject: string, version: number | undefined): void {
  if (version === undefined || (Number.isInteger(version) && version >= 1)) return
  throw new DeclarationError(subject, `version must be a positive integer, not ${version}.`, 'write version: 1.')
}

function checkResourceVersion(subject: string, options: ApiOptions, resource: AnyResource): void {
  const { version } = resource.options as ResourceOptions
  if (version === undefined) return
  if (options.versioning === 'whole') {
    throw new DeclarationError(
      subject,
      "a resource cannot have its own version in an API with versioning: 'whole'.",
      "raise the version of the API, or use versioning: 'per-noun'.",
    )
  }
  for (const number of typeof version === 'number' ? [version] : Object.values(version)) checkVersion(subject, number)
}

function checkReferences(subject: string, resource: AnyResource): void {
  const noun: AnyNoun = resource.noun
  for (const field of Object.keys(noun.fields)) {
    if (noun.fields[field].spec.kind !== 'reference') continue
    const spec = specOf(noun, field)
    const target = targetOf(noun, field)
    const { display } = resource.options as ResourceOptions
    const propertyName = shownName(resource, field)
    if (display?.includes(propertyName) && target.options.label === undefined) {
      throw new DeclarationError(
        subject,
        `display has "${propertyName}", but the noun "${target.name}" has no label.`,
        `add a label to the noun "${target.name}".`,
      )
    }
    const source = spec.defaultFrom === undefined ? target : targetOf(noun, spec.defaultFrom)
    if (source !== target) {
      throw new DeclarationError(
        subject,
        `"${field}" references "${target.name}", but its defaultFrom() refers to "${spec.defaultFrom}", which references "${source.name}".`,
        `use a field that references "${target.name}".`,
      )
    }
    if (spec.default !== undefined && typeof spec.default !== (spec.guid ? 'string' : 'number')) {
      throw new DeclarationError(
        subject,
        `the default ${JSON.stringify(spec.default)} of "${field}" is not an ID of "${target.name}".`,
        'use the ID of a record that always exists.',
      )
    }
  }
}

/** Checks the page size of a resource together with the values that it takes from the api. */
function checkOwnPageSize(subject: string, options: ApiOptions, resource: AnyResource): void {
  const pageSize: PageSize | undefined = resource.options.pageSize
  if (!pageSize) return
  const maximum = pageSize.maximum ?? options.pageSize?.maximum ?? 1000
  checkPageSize(subject, pageSize.default === undefined ? { maximum } : { default: pageSize.default, maximum })
}

function checkDefaultFilter(subject: string, resource: AnyResource): void {
  const { properties } = completeShape(resource)
  for (const [name, value] of Object.entries((resource.options as ResourceOptions).defaultFilter ?? {})) {
    const property = properties.find((candidate) => candidate.name === name)
    if (!property) {
      throw new DeclarationError(
        subject,
        `defaultFilter has "${name}", which the resource does not show: clients could not override it.`,
        `add "${name}" to the option complete.`,
      )
    }
    const values = [value].flat()
    if (values.length === 0) {
      throw new DeclarationError(subject, `defaultFilter of "${name}" is empty: no record would match.`, 'add a value.')
    }
    for (const item of values) {
      const result = readValue(property.spec, item)
      if ('value' in result) continue
      throw new DeclarationError(
        subject,
        `the value ${JSON.stringify(item)} in defaultFilter of "${name}" is invalid: it ${result.fault}.`,
        'use a value that is valid for the field.',
      )
    }
  }
}

/** Checks that all references of a filter refer to the same noun: its value is one ID. */
function checkFilterTargets(subject: string, resource: AnyResource): void {
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
        subject,
        `the filter "${name}" has references to different nouns.`,
        'use references to one noun.',
      )
    }
  }
}

/** Checks that a create can set every required field of a new record. */
function checkCreate(subject: string, resource: AnyResource, relations: readonly Relation[]): void {
  const shownFields = new Set(completeShape(resource).properties.map(({ field }) => field))
  const setByPath = new Set(relations.map(directReference))
  const noun: AnyNoun = resource.noun
  for (const field of Object.keys(noun.fields)) {
    const { spec } = noun.fields[field]
    if (hasDefault(spec) || setByPath.has(field) || (isSettable(spec) && shownFields.has(field))) continue
    // A service may set managed fields with assign(). The server checks these.
    if (spec.managed !== undefined) continue
    throw new DeclarationError(
      subject,
      `a create cannot set "${field}", which is required.`,
      `add "${field}" to the option complete, give the field a default, or declare offers and internal without 'create'.`,
    )
  }
}

/** Checks that no child resource of an api with flat writes has a custom operation that changes data. */
function checkFlatOperations(subject: string, { noun, options }: AnyResource): void {
  const write = namedOperations((options as ResourceOptions).operations).find(
    ({ declaration }) => declaration.options.method !== 'GET',
  )
  if (!write) return
  throw new DeclarationError(
    `${subject}, operation "${write.name}"`,
    `a ${write.declaration.options.method} below a parent is not possible in an API with writes: 'flat'.`,
    `declare the operation on a resource of "${noun.name}" at the root of the API, and let its body name the parent.`,
  )
}

function checkPaginated(subject: string, resource: AnyResource, ancestors: readonly AnyResource[]): void {
  const { paginated, summary, detail } = resource.options as ResourceOptions
  if (paginated !== false) return
  if (ancestors.length === 0) {
    throw new DeclarationError(
      subject,
      'paginated: false is not possible for a root resource.',
      'remove paginated: false; only a child may be a plain array.',
    )
  }
  if (summary || detail) {
    throw new DeclarationError(
      subject,
      'paginated: false is not possible with summary or detail.',
      'remove summary and detail, or paginated: false.',
    )
  }
}

function checkSingleWritePath(writePaths: Map<string, string>, api: string, noun: AnyNoun, path: string): void {
  const existingPath = writePaths.get(noun.name)
  if (existingPath !== undefined && existingPath !== path) {
    throw new DeclarationError(
      `api "${api}"`,
      `clients could change "${noun.name}" at both /${existingPath} and /${path}; a noun must have one path for writes.`,
      "add offers: ['list', 'read'] to one of them.",
    )
  }
  writePaths.set(noun.name, path)
}
