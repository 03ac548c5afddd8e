/** The collections of a document by noun, and notes about operations without a collection. */
import type { DocumentCollection, DocumentOperation, OpenApiTable, Shape } from '@nomen/core/openapi'
import { nounName } from '../names.ts'
import type { Note } from '../note.ts'

export interface Collection {
  readonly noun: string
  /** The segment in the paths. */
  readonly segment: string
  /** The name of the identity in path templates. */
  readonly parameter: string | undefined
  /** The shape of that parameter. */
  readonly identity: Shape | undefined
  readonly offers: ReadonlySet<string>
  /** The operations by kind, such as `list` or `create`. */
  readonly operations: ReadonlyMap<string, DocumentOperation>
  /** Description of a record. */
  readonly description: string | undefined
  readonly record: Shape
  readonly item: Shape | undefined
  readonly isPaged: boolean
  /** The items of `/user-summary` and `/user-detail`, if there are such lists. */
  readonly summary: Shape | undefined
  readonly detail: Shape | undefined
  readonly list: DocumentOperation | undefined
  /** Properties that a record can be looked up by. */
  readonly by: readonly string[]
  /** The nouns whose paths contain this noun as a child. */
  readonly parents: readonly string[]
  /** The nouns that its properties reference. */
  readonly references: ReadonlyMap<string, string>
  /** All collections of the noun in the document, the shortest path first. */
  readonly group: readonly DocumentCollection[]
}

/** The version of all paths; undefined if they have none, or several. */
export function versionOf({ operations }: OpenApiTable): number | undefined {
  const versions = new Set(operations.map(({ version }) => version))
  return versions.size === 1 ? [...versions][0] : undefined
}

const notANoun =
  'Left out: a path must be a noun, or a noun and its ID. Declare an action as a change of a record, or with operation().'

const customOperation =
  'Left out: a custom operation. Declare it with operation(), and implement it in the service file.'

const linkOperation =
  'Left out: it connects two records. Declare a link(), and use it with children: [resource(…, { via })].'

/** Why an operation without a collection is left out. */
export function leftOutText({ role }: DocumentOperation): string {
  return role === 'custom' ? customOperation : role === 'link' || role === 'unlink' ? linkOperation : notANoun
}

export function collectionsOf(table: OpenApiTable, note: (note: Note) => void): readonly Collection[] {
  const keys = new Set(table.collections.map(({ key }) => key))
  const isNoun = ({ key, segment }: DocumentCollection) =>
    nounName(segment) !== undefined && !keys.has(key.replace(/\/[^/{}]*$/, ''))
  const nouns = table.collections.filter(isNoun)
  const importedOperations = new Set(nouns.flatMap(operationsOf))
  for (const operation of new Set([...table.actions, ...table.operations]))
    if (!importedOperations.has(operation)) note({ source: nameOf(operation), text: leftOutText(operation) })
  const byNoun = Map.groupBy(nouns, ({ segment }) => nounName(segment) ?? '')
  return [...byNoun].flatMap(([noun, group]) => collectionOf(noun, group, table, note) ?? [])
}

export function operationsOf({ operations, lists, lookups }: DocumentCollection): readonly DocumentOperation[] {
  return [...Object.values(operations), ...[...lists, ...lookups].map(({ operation }) => operation)]
}

/** Uses the collection with the shortest path; the others show of which nouns it is a child. */
function collectionOf(
  noun: string,
  group: readonly DocumentCollection[],
  { collections }: OpenApiTable,
  note: (note: Note) => void,
): Collection | undefined {
  const sorted = group.toSorted((a, b) => depthOf(a) - depthOf(b))
  const [shallowest] = sorted
  const { record, description, lists, lookups, segment, references } = shallowest as DocumentCollection
  // Writes that exist only below a parent move to the root.
  const {
    read,
    create,
    replace,
    update,
    delete: remove,
  } = Object.assign({}, ...sorted.toReversed().map(({ operations }) => operations)) as DocumentCollection['operations']
  const list = lists.find(({ variant }) => variant === 'list')
  if (!record || (!list && !read)) {
    const text = record
      ? 'Left out: the document has neither a list nor a single record to read.'
      : 'Left out: the document does not describe the properties of a record.'
    for (const operation of group.flatMap(operationsOf)) note({ source: nameOf(operation), text })
    return undefined
  }
  const recordOperation = read ?? replace ?? update ?? remove
  const parameter = /\{([^}]*)\}\/?$/.exec(recordOperation?.path ?? '')?.[1]
  const offers = { list: list?.operation, read, create, replace, update, delete: remove }
  const operationsByKind = new Map(
    Object.entries(offers).flatMap(([name, offer]) => (offer ? [[name, offer] as const] : [])),
  )
  const parents = collections.filter(({ key }) => group.some(({ parent }) => parent === key))
  return {
    noun,
    segment,
    parameter,
    identity: recordOperation?.parameters.find(({ name, in: location }) => location === 'path' && name === parameter)
      ?.shape,
    offers: new Set(['list', ...operationsByKind.keys()]),
    operations: operationsByKind,
    description,
    record,
    item: list?.items,
    isPaged: list?.form !== 'array',
    summary: lists.find(({ variant }) => variant === 'summary')?.items,
    detail: lists.find(({ variant }) => variant === 'detail')?.items,
    list: list?.operation,
    by: lookups.map(({ field }) => field),
    parents: parents.flatMap((parent) => nounName(parent.segment) ?? []),
    group: sorted,
    references: new Map([...references].flatMap(([name, target]) => [[name, nounName(target) ?? target]])),
  }
}

function depthOf({ key }: DocumentCollection): number {
  return key.split('/{}').length
}

export function nameOf({ method, path }: DocumentOperation): string {
  return `${method.toUpperCase()} ${path}`
}
