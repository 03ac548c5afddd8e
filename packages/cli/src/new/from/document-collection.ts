/** The collections of a document by their nouns, and notes on the operations that are about none. */
import type { DocumentCollection, DocumentOperation, OpenApiTable, Shape } from '@nomen/core/openapi'
import { nounName } from './names.ts'
import type { Note } from './note.ts'

export interface Collection {
  readonly noun: string
  /** The segment in the paths. */
  readonly segment: string
  /** The name of the identity in path templates. */
  readonly parameter: string | undefined
  /** The shape of that parameter. */
  readonly identity: Shape | undefined
  readonly offers: ReadonlySet<string>
  readonly record: Shape
  readonly item: Shape | undefined
  readonly isPaged: boolean
  /** The items of `/user-summary` and `/user-detail`, if there are such lists. */
  readonly summary: Shape | undefined
  readonly detail: Shape | undefined
  readonly list: DocumentOperation | undefined
  /** Properties that a record can be looked up by. */
  readonly by: readonly string[]
  /** The nouns in whose paths it is a child. */
  readonly parents: readonly string[]
  /** The nouns that its properties point at. */
  readonly references: ReadonlyMap<string, string>
}

/** The version of all paths; undefined if they have none, or several. */
export function versionOf({ operations }: OpenApiTable): number | undefined {
  const versions = new Set(operations.map(({ version }) => version))
  return versions.size === 1 ? [...versions][0] : undefined
}

const notANoun =
  'Left out: a path is a noun, or a noun and its identity. Something done is a change of a record, or a record of its own.'

const ofItsOwn =
  'Left out: what it does stands in no document. Declare it with operation(), and handle it in the service file.'

export function collectionsOf(table: OpenApiTable, note: (note: Note) => void): readonly Collection[] {
  const keys = new Set(table.collections.map(({ key }) => key))
  const isNoun = ({ key, segment }: DocumentCollection) =>
    nounName(segment) !== undefined && !keys.has(key.replace(/\/[^/{}]*$/, ''))
  const nouns = table.collections.filter(isNoun)
  const covered = new Set(nouns.flatMap(operationsOf))
  for (const operation of new Set([...table.actions, ...table.operations]))
    if (!covered.has(operation))
      note({ place: nameOf(operation), text: operation.role === 'custom' ? ofItsOwn : notANoun })
  const byNoun = Map.groupBy(nouns, ({ segment }) => nounName(segment) ?? '')
  return [...byNoun].flatMap(([noun, group]) => collectionOf(noun, group, table, note) ?? [])
}

function operationsOf({ operations, lists, lookups }: DocumentCollection): readonly DocumentOperation[] {
  return [...Object.values(operations), ...[...lists, ...lookups].map(({ operation }) => operation)]
}

/** What is offered nearest to the root counts; the others say whose child it is. */
function collectionOf(
  noun: string,
  group: readonly DocumentCollection[],
  { collections }: OpenApiTable,
  note: (note: Note) => void,
): Collection | undefined {
  const [own] = group.toSorted((a, b) => depthOf(a) - depthOf(b))
  const { record, operations, lists, lookups, segment, references } = own as DocumentCollection
  const { read, create, replace, update, delete: remove } = operations
  const list = lists.find(({ variant }) => variant === 'list')
  if (!record || (!list && !read)) {
    const text = record
      ? 'Left out: there is neither a list of them nor a single one to read.'
      : 'Left out: nothing says what a record holds.'
    for (const operation of group.flatMap(operationsOf)) note({ place: nameOf(operation), text })
    return undefined
  }
  const single = read ?? replace ?? update ?? remove
  const parameter = /\{([^}]*)\}\/?$/.exec(single?.path ?? '')?.[1]
  const offers = { list: true, create, read, replace, update, delete: remove }
  const parents = collections.filter(({ key }) => group.some(({ parent }) => parent === key))
  return {
    noun,
    segment,
    parameter,
    identity: single?.parameters.find(({ name, in: place }) => place === 'path' && name === parameter)?.shape,
    offers: new Set(Object.entries(offers).flatMap(([name, offer]) => (offer ? [name] : []))),
    record,
    item: list?.items,
    isPaged: list?.form !== 'array',
    summary: lists.find(({ variant }) => variant === 'summary')?.items,
    detail: lists.find(({ variant }) => variant === 'detail')?.items,
    list: list?.operation,
    by: lookups.map(({ field }) => field),
    parents: parents.flatMap((parent) => nounName(parent.segment) ?? []),
    references: new Map([...references].flatMap(([name, target]) => [[name, nounName(target) ?? target]])),
  }
}

function depthOf({ key }: DocumentCollection): number {
  return key.split('/{}').length
}

export function nameOf({ method, path }: DocumentOperation): string {
  return `${method.toUpperCase()} ${path}`
}
