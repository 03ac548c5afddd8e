/** Notes about changes for callers of the operations of a document: path, status, parameters and bodies. */
import type { Operation } from '@nomen/core'
import { type DocumentOperation, isSuccess, pathKey, pathParameters, recordIn } from '@nomen/core/openapi'
import { kebabCase, nounName, propertyName } from '../names.ts'
import type { Note } from '../note.ts'
import { type Collection, leftOutText, nameOf, operationsOf } from './collection.ts'
import { isReadByName } from './identity.ts'

export interface OperationContext {
  readonly collections: readonly Collection[]
  /** The path in the URL of the server. */
  readonly base: string
  /** The operations of the project. */
  readonly projectOperations: readonly Operation[]
}

/** Notes each operation whose path, status or format changes. */
export function noteOperations(
  operations: readonly DocumentOperation[],
  context: OperationContext,
  notedSources: ReadonlySet<string>,
  note: (note: Note) => void,
): void {
  for (const operation of operations) {
    const source = nameOf(operation)
    const collection = context.collections.find(({ group }) => group.flatMap(operationsOf).includes(operation))
    const counterpart = collection && counterpartOf(operation, collection, context)
    const changes = counterpart ? changesOf(operation, counterpart, collection, context) : [leftOutText(operation)]
    if (changes.length > 0 && (counterpart || !notedSources.has(source))) note({ source, text: changes.join(' ') })
  }
}

/** The matching operation of the project: at the same depth if it exists, otherwise at the root. */
function counterpartOf(operation: DocumentOperation, collection: Collection, context: OperationContext) {
  const { noun } = collection
  const isByName = operation.role === 'read' && isReadByName(collection)
  const kind = isByName ? 'lookup' : operation.role
  const field = isByName ? collection.parameter : lookupField(operation)
  const variant = /-(detail|summary)$/.exec(operation.path)?.[0] ?? ''
  const candidates = context.projectOperations.filter(
    (candidate) =>
      candidate.kind === kind &&
      candidate.shape.noun.name === noun &&
      (kind !== 'lookup' ||
        kebabCase(`${candidate.lookup?.name}`) === kebabCase(propertyName(noun, `${field}`) ?? '')) &&
      (kind !== 'list' || candidate.path.endsWith(`${noun}${variant}`)),
  )
  const nouns = nounsIn(operation.path)
  const isSame = ({ path, levels }: Operation) =>
    levels.length > 1 && nounsIn(path).slice(-levels.length).join() === nouns.slice(-levels.length).join()
  const [root] = candidates.toSorted((a, b) => a.levels.length - b.levels.length)
  return candidates.find(isSame) ?? root
}

function nounsIn(path: string): readonly (string | undefined)[] {
  const names = path.split('/').filter((segment) => segment !== '' && !segment.startsWith('{'))
  return names.map((name) => nounName(name))
}

function lookupField({ key }: DocumentOperation): string | undefined {
  return /\/by-([^/]+)\/\{\}$/.exec(key)?.[1]
}

function changesOf(
  operation: DocumentOperation,
  counterpart: Operation,
  collection: Collection,
  context: OperationContext,
): readonly string[] {
  return [
    ...pathChanges(operation, counterpart, collection, context),
    ...statusChanges(operation, counterpart),
    ...bodyChanges(operation, counterpart),
    ...responseChanges(operation, counterpart, collection),
    ...parameterChanges(operation),
    ...(operation.isDeprecated ? ['It is deprecated in the document, but not in the declaration.'] : []),
  ]
}

function pathChanges(
  { path, role, method }: DocumentOperation,
  counterpart: Operation,
  collection: Collection,
  { base }: OperationContext,
): readonly string[] {
  const changes: string[] = []
  const isMoved = pathKey(`${base}${path}`) !== pathKey(counterpart.path) || method.toUpperCase() !== counterpart.method
  if (isMoved) changes.push(`Becomes ${counterpart.method} ${counterpart.path}.`)
  if (isReadByName(collection) && ['replace', 'update', 'delete'].includes(role))
    changes.push(`{${collection.parameter}} becomes the ID, a number, instead of ${collection.parameter}.`)
  for (const { parameter, noun } of lostParents(path, role, counterpart))
    changes.push(parentText(parameter, noun, collection))
  return changes
}

interface Parent {
  readonly parameter: string
  readonly noun: string | undefined
}

/** The parent parameters of the document's path that are not in the project's path. */
function lostParents(path: string, role: DocumentOperation['role'], counterpart: Operation): readonly Parent[] {
  const segments = path.split('/').filter((segment) => segment !== '')
  const parents = segments.flatMap((segment, index) => {
    const parameter = /^\{(.*)\}$/.exec(segment)?.[1]
    return parameter === undefined ? [] : [{ parameter, noun: nounName(segments[index - 1] ?? '') }]
  })
  const recordParameters = role === 'list' || role === 'create' ? 0 : 1
  const parentParameters = pathParameters(counterpart.path).length - recordParameters
  return parents.slice(0, Math.max(0, parents.length - recordParameters - parentParameters))
}

/** The property that holds the parent instead of the path. */
function parentText(parameter: string, parent: string | undefined, { record, references, noun }: Collection): string {
  const property = [...references].find(([, target]) => target === parent)?.[0]
  if (property !== undefined) return `{${parameter}} becomes the property ${property} of ${noun}.`
  const isProperty = parameter !== 'id' && record.properties.has(parameter)
  return isProperty
    ? `{${parameter}} becomes the property ${parameter} of ${noun}, a plain value: there is no noun ${parent}.`
    : `{${parameter}} is left out: ${noun} has no property for it.`
}

function statusChanges({ responses }: DocumentOperation, { status, kind }: Operation): readonly string[] {
  const documented = [...responses.keys()].filter(isSuccess)
  if (documented.length === 0 || documented.some((code) => code === `${status}` || /x/i.test(code))) return []
  const withRecord = kind === 'delete' ? ' and the deleted record' : ''
  return [`Responds with ${status}${withRecord}, not ${documented.join(' or ')}.`]
}

function bodyChanges({ body }: DocumentOperation, counterpart: Operation): readonly string[] {
  const others = [...(body?.media.keys() ?? [])].filter((type) => !isJson(type))
  if (body && !counterpart.body) return ['It does not accept a body.']
  return others.length === 0 ? [] : [`Accepts only JSON, not ${others.join(', ')}.`]
}

function responseChanges(
  { success, list, role }: DocumentOperation,
  counterpart: Operation,
  { segment }: Collection,
): readonly string[] {
  const changes: string[] = []
  const others = [...(success?.media.keys() ?? [])].filter((type) => !isJson(type))
  if (others.length > 0) changes.push(`Responds only with JSON, not ${others.join(', ')}.`)
  if (counterpart.list) {
    const newForm = counterpart.list.isPaginated ? 'a page, { pageInfo, results }' : 'an array'
    const oldForm = list?.form === 'array' ? 'an array' : `an object with ${list?.property ?? 'the records'}`
    const isSame = counterpart.list.isPaginated ? isPage(list) : list?.form === 'array'
    if (!isSame) changes.push(`Responds with ${newForm}, not ${oldForm}.`)
  } else if (success?.shape && recordIn(success.shape, segment) !== success.shape) {
    changes.push('Responds with the record itself, without an object around it.')
  } else if (role !== 'delete' && success && !success.shape) {
    changes.push('Responds with the whole record.')
  }
  const headers = [...(success?.headers.keys() ?? [])].filter(
    (name) => !/^(etag|location|link|x-request-id)$/i.test(name),
  )
  if (headers.length > 0) changes.push(`Does not send ${headers.join(', ')}.`)
  return changes
}

function isPage(list: DocumentOperation['list']): boolean {
  return list?.form === 'page' && list.property === 'results'
}

function parameterChanges({ parameters, role }: DocumentOperation): readonly string[] {
  const query = parameters.filter(({ in: location }) => location === 'query')
  const otherNames = (expected: string, names: readonly string[]) => {
    const others = query.filter((parameter) => parameter.role === expected && !names.includes(parameter.name))
    return others.length === 0 ? undefined : others.map(({ name }) => `?${name}`).join(' and ')
  }
  const changes: string[] = []
  const pages = otherNames('page', ['pageNumber', 'pageSize'])
  if (pages) changes.push(`Pages use ?pageNumber and ?pageSize, not ${pages}.`)
  const search = otherNames('search', ['search'])
  if (search) changes.push(`Search uses ?search, not ${search}.`)
  const sort = otherNames('sort', ['sort'])
  if (sort) changes.push(`Sorting uses ?sort=name or ?sort=-name, not ${sort}.`)
  const ignoredNames = role === 'list' ? [] : query.map(({ name }) => `?${name}`)
  if (ignoredNames.length > 0) changes.push(`Does not accept ${ignoredNames.join(', ')}.`)
  const supportedHeaders =
    /^(authorization|accept|content-type|if-match|if-none-match|idempotency-key|x-request-id|x-transaction-id)$/i
  const headers = parameters.filter(
    ({ in: location, name }) => location === 'cookie' || (location === 'header' && !supportedHeaders.test(name)),
  )
  if (headers.length > 0)
    changes.push(`Does not read ${headers.map(({ in: location, name }) => `the ${location} ${name}`).join(', ')}.`)
  return changes
}

function isJson(type: string): boolean {
  return /json|^(\*|application)\/\*/i.test(type)
}
