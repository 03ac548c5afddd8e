/** The collections of an OpenAPI document: operations on the same records, and the shape of a record. */
import { camelCase } from '../../naming/kebab-case.ts'
import { isIdentifier, wordsOf } from '../../naming/words.ts'
import { pathParameters } from './path.ts'
import { isSameNoun, type ListForm, unwrapped } from './record.ts'
import type { DocumentOperation, OperationRole } from './role.ts'
import type { Shape } from './shape.ts'

/** A list operation of a collection. */
export interface DocumentList extends ListForm {
  readonly variant: 'list' | 'summary' | 'detail'
  readonly operation: DocumentOperation
}

/** A lookup of a collection: a GET by a unique property. */
export interface DocumentLookup {
  /** The part of the path after `by-`. */
  readonly field: string
  readonly operation: DocumentOperation
}

/** A collection (resource) of an OpenAPI document: its lists, lookups and operations on single records. */
export interface DocumentCollection {
  /** Its path with unnamed parameters: `/user/{}/preference`. */
  readonly key: string
  readonly path: string
  /** The last path segment that is a name. */
  readonly segment: string
  /** The noun from the document, or the segment. */
  readonly noun: string
  /** The plain list first; empty if there is no list. */
  readonly lists: readonly DocumentList[]
  readonly lookups: readonly DocumentLookup[]
  /** The description of the record schema, or of the tag of its operations. */
  readonly description: string | undefined
  /** The other operations on its records. */
  readonly operations: { readonly [Role in OperationRole]?: DocumentOperation }
  /** The most complete form of a record that the document describes. */
  readonly record: Shape | undefined
  /** Possible names of the ID property, the likeliest first. */
  readonly identityNames: readonly string[]
  /** The first of these names that a record has. */
  readonly identity: string | undefined
  /** The nearest collection above whose records it belongs to, by its key. */
  readonly parent: string | undefined
  /** The nouns that properties of a record refer to, by property name. */
  readonly references: ReadonlyMap<string, string>
  /** Custom operations on one record, and on the collection. */
  readonly actions: { readonly record: readonly DocumentOperation[]; readonly collection: readonly DocumentOperation[] }
}

export interface Collections {
  readonly collections: readonly DocumentCollection[]
  /** Operations that belong to no collection. */
  readonly actions: readonly DocumentOperation[]
}

/** `tags` are the descriptions of tags, by their names. */
export function collectionsOf(
  operations: readonly DocumentOperation[],
  tags: ReadonlyMap<string, string | undefined>,
): Collections {
  const lists = new Set(operations.filter(({ role }) => role === 'list').map(({ key }) => key))
  const byKey = Map.groupBy(operations, (operation) => collectionKey(operation, lists))
  const ungrouped = [...byKey].filter(([key, group]) => key === undefined || isCreateOnly(group))
  for (const [key] of ungrouped) byKey.delete(key)
  const partialCollections = [...byKey].map(([key = '', group]) => collectionOf(key, group, byKey, tags))
  const nouns = [...new Set(partialCollections.map(({ noun }) => noun))]
  const listKeys = new Set(partialCollections.filter((collection) => collection.lists.length > 0).map(({ key }) => key))
  const actions = Map.groupBy(
    ungrouped.flatMap(([, group]) => group),
    ({ key }) => nearestPath(key, listKeys),
  )
  const collections = partialCollections.map((collection) => ({
    ...collection,
    get references() {
      return referencesOf(collection, nouns)
    },
    actions: { record: actions.get(`${collection.key}/{}`) ?? [], collection: actions.get(collection.key) ?? [] },
  }))
  return { collections, actions: actions.get(undefined) ?? [] }
}

/** Records that can only be created are not a collection. */
function isCreateOnly(group: readonly DocumentOperation[]): boolean {
  return group.every(({ role }) => role === 'create')
}

/** The collection that an operation belongs to; the variants of a list belong to the plain one. */
function collectionKey({ role, key }: DocumentOperation, lists: ReadonlySet<string>): string | undefined {
  switch (role) {
    case 'other':
    case 'custom':
      return undefined
    case 'lookup':
      return key.replace(/\/by-[^/]*\/\{\}$/, '')
    case 'create':
      return key
    case 'restore':
    case 'erase':
      return key.replace(/\/\{\}\/[^/]*$/, '')
    case 'list': {
      const plain = key.replace(/-(detail|summary)$/, '')
      return lists.has(plain) ? plain : key
    }
    default:
      return key.replace(/\/\{\}$/, '')
  }
}

type PartialCollection = Omit<DocumentCollection, 'references' | 'actions'>

type Keys = Pick<ReadonlySet<string | undefined>, 'has'>

function collectionOf(
  key: string,
  group: readonly DocumentOperation[],
  collectionKeys: Keys,
  tags: ReadonlyMap<string, string | undefined>,
): PartialCollection {
  const operations: DocumentCollection['operations'] = Object.fromEntries(
    group.map((operation) => [operation.role, operation]),
  )
  const lists = listsOf(key, group)
  // The path of a record without its end, if there is no list.
  const pathOfRecord = group[0]?.path.replace(/(\/by-[^/]*)?\/\{[^}]*\}\/?$/, '') ?? ''
  const path = lists[0]?.operation.path ?? operations.create?.path ?? pathOfRecord
  const segment = path.split('/').findLast((text) => text !== '') ?? ''
  const record = recordOf(operations, lists, segment)
  const noun = record?.schema['x-nomen-noun']
  const { read, replace, update, delete: remove } = operations
  const parameter = pathParameters((read ?? replace ?? update ?? remove)?.path ?? '').at(-1)
  const identityNames = identityNamesOf(record, segment, parameter)
  const isProperty = (name: string) => record?.properties.has(name) || lists[0]?.items?.properties.has(name)
  return {
    key,
    path,
    segment,
    noun: typeof noun === 'string' ? noun : segment,
    lists,
    lookups: group.flatMap(lookupsOf),
    operations,
    record,
    description: record?.description ?? taggedDescription(group, tags),
    identityNames,
    identity: identityNames.find(isProperty),
    parent: parentOf(key, collectionKeys),
  }
}

/** The lists of a collection, the plain one first. */
function listsOf(key: string, group: readonly DocumentOperation[]): readonly DocumentList[] {
  const lists = group.flatMap((operation): DocumentList[] => {
    if (!operation.list) return []
    const ending = operation.key === key ? undefined : /-(detail|summary)$/.exec(operation.key)?.[1]
    return [{ ...operation.list, operation, variant: (ending ?? 'list') as DocumentList['variant'] }]
  })
  const variantOrder = ['list', 'summary', 'detail']
  return lists.sort((a, b) => variantOrder.indexOf(a.variant) - variantOrder.indexOf(b.variant))
}

function lookupsOf(operation: DocumentOperation): readonly DocumentLookup[] {
  const field = operation.role === 'lookup' ? /\/by-([^/]+)\/\{\}$/.exec(operation.key)?.[1] : undefined
  return field === undefined ? [] : [{ field, operation }]
}

function taggedDescription(
  group: readonly DocumentOperation[],
  tags: ReadonlyMap<string, string | undefined>,
): string | undefined {
  const names = group.flatMap(({ raw }) => (Array.isArray(raw.tags) ? raw.tags : []))
  return names.map((name) => tags.get(`${name}`)).find((text) => text !== undefined)
}

/** The response with a single record, else what a list shows of it, else the body that writes it. */
function recordOf(
  { read, lookup, replace, update, create, link }: DocumentCollection['operations'],
  lists: readonly DocumentList[],
  segment: string,
): Shape | undefined {
  const unwrap = (shape: Shape | undefined) => shape && unwrapped(shape, segment)
  const listItem = (lists.find(({ variant }) => variant === 'detail') ?? lists[0])?.items
  const createdRecord = unwrap(create?.success?.shape)
  const hasAllOfListItem = [...(listItem?.properties.keys() ?? [])].every((name) => createdRecord?.properties.has(name))
  const shapes = [
    ...[read, lookup, replace, update, link].map((operation) => unwrap(operation?.success?.shape)),
    ...(hasAllOfListItem ? [createdRecord, listItem] : [listItem, createdRecord]),
    ...[replace, create].map((operation) => unwrap(operation?.body?.shape)),
  ]
  return shapes.find((shape) => (shape?.properties.size ?? 0) > 0)
}

function identityNamesOf(record: Shape | undefined, segment: string, parameter: string | undefined): readonly string[] {
  const properties = [...(record?.properties.values() ?? [])]
  const identityName = properties.find(({ shape }) => shape.schema['x-nomen-identity'] === true)?.name
  const nouns = [camelCase(segment), camelCase(segment).replace(/s$/, '')]
  const names = nouns.flatMap((noun) => [`${noun}Ref`, `${noun}Id`, `${noun}_id`])
  const candidates = new Set([identityName, parameter, 'id', ...names, 'ref', 'guid', 'uuid', 'key'])
  return [...candidates].filter((name) => name !== undefined)
}

/** The collection whose record a path goes through last. */
function parentOf(key: string, collectionKeys: Keys): string | undefined {
  for (let end = key.lastIndexOf('/{}/'); end > 0; end = key.lastIndexOf('/{}/', end - 1))
    if (collectionKeys.has(key.slice(0, end))) return key.slice(0, end)
  return undefined
}

/** As the document says, else by names: `department`, `departmentId` and `department_ref` point at a department. */
function referencesOf(
  { record, noun: ownNoun }: PartialCollection,
  nouns: readonly string[],
): ReadonlyMap<string, string> {
  const properties = [...(record?.properties.values() ?? [])]
  return new Map(
    properties.flatMap(({ name, shape }): [string, string][] => {
      const target = shape.schema['x-nomen-reference']
      if (typeof target === 'string') return [[name, target]]
      if (shape.type === 'array') return []
      const words = isIdentifier(name) || /[a-z](_key|Key)$/.test(name) ? wordsOf(name).slice(0, -1) : wordsOf(name)
      const noun = nouns.find((noun) => noun !== ownNoun && isSameNoun(words.join('-'), noun))
      return noun === undefined ? [] : [[name, noun]]
    }),
  )
}

/** The path of the nearest list, or of one of its records, that a path goes through. */
function nearestPath(key: string, lists: ReadonlySet<string>): string | undefined {
  for (let path = key; path !== ''; path = path.replace(/\/[^/]*$/, ''))
    if (lists.has(path.replace(/\/\{\}$/, ''))) return path
  return undefined
}
