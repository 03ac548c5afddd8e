/** The operation table of a declaration in the words of a table that was read from a document. */
import { type AnyApi, type Operation, operations, problems } from '@nomen/core'
import { type DocumentCollection, type DocumentOperation, type OpenApiTable, pathKey } from '@nomen/core/openapi'

export interface Entry {
  readonly operation: string
  readonly role: string
  readonly version: number | undefined
  readonly noun: string | undefined
  readonly parent: string | undefined
  readonly list: string | undefined
  readonly parameters: readonly string[]
  readonly properties: readonly string[]
  readonly body: readonly string[]
  readonly isDeprecated: boolean
  readonly isGone: boolean
  readonly problems: readonly string[]
}

const byOperation = (a: Entry, b: Entry) => (a.operation < b.operation ? -1 : 1)

export function declaredEntries(api: AnyApi): readonly Entry[] {
  const table = operations(api)
  const standard = table.filter(({ kind }) => kind !== 'custom')
  // Records that can only be created are not a collection.
  const seen = standard.filter(({ kind }) => kind !== 'create')
  const keys = new Set(seen.map((operation) => ownKey(operation)))
  return table.map((operation) => declaredEntry(operation, keys)).sort(byOperation)
}

function declaredEntry(operation: Operation, keys: ReadonlySet<string>): Entry {
  const { method, path, kind, version, resource, levels, list, shape, custom, body, deprecation } = operation
  const isGone = deprecation?.gone === true
  const own = ownKey(operation)
  const above = levels.slice(0, -1).map(({ resource: parent }, index) => {
    return {
      noun: parent.noun.name as string,
      key: own
        .split('/{}')
        .slice(0, index + 1)
        .join('/{}'),
    }
  })
  const parameters = (list?.parameters ?? []).map((parameter) => {
    const role = { pageNumber: 'page', pageSize: 'page', equal: 'filter', range: 'filter', custom: 'filter' } as const
    const { name, kind: kindOf } = parameter
    const range = kindOf === 'range' ? ` ${parameter.bound} ${parameter.range}` : ''
    return `${role[kindOf as keyof typeof role] ?? kindOf} ${name}${range}`
  })
  const isOwned = kind !== 'custom' && keys.has(own)
  return {
    operation: `${method} ${path}`,
    role: kind,
    version,
    noun: isOwned ? resource.noun.name : undefined,
    parent: isOwned ? above.findLast(({ key }) => keys.has(key))?.noun : undefined,
    list: list && (isGone ? 'unknown' : list.isPaginated ? 'page results' : 'array'),
    parameters,
    properties: isGone ? [] : (custom ? (custom.answer ?? []) : shape.properties).map(({ name }) => name),
    body: isGone ? [] : (body?.properties ?? []).map(({ name }) => name).sort(),
    isDeprecated: deprecation !== undefined,
    isGone,
    problems: operation.problems.map((code) => `${problems[code][0]} ${code}`).sort(),
  }
}

/** The path of the collection that an operation is about. */
function ownKey({ path, kind, list, shape }: Operation): string {
  const key = pathKey(path)
  if (list) return shape.name === 'list' ? key : key.replace(/-(summary|detail)$/, '')
  if (kind === 'create') return key
  return kind === 'lookup' ? key.replace(/\/by-[^/]*\/\{\}$/, '') : key.replace(/\/\{\}$/, '')
}

export function readEntries(table: OpenApiTable, declared: readonly Entry[]): readonly Entry[] {
  const owners = new Map(
    table.collections.flatMap((owner) => operationsOf(owner).map((operation) => [operation, owner])),
  )
  const known = new Map(declared.map((entry) => [entry.operation, new Set(entry.problems)]))
  return table.operations
    .map((operation) => readEntry(operation, owners.get(operation), table.collections, known))
    .sort(byOperation)
}

function readEntry(
  operation: DocumentOperation,
  owner: DocumentCollection | undefined,
  collections: readonly DocumentCollection[],
  known: ReadonlyMap<string, ReadonlySet<string>>,
): Entry {
  const { method, path, role, version, list, parameters, success, body, isDeprecated, isGone } = operation
  const name = `${method.toUpperCase()} ${path}`
  const shape = list ? list.items : success?.shape
  // A document has the problems of every request beside those of the operation.
  const codes = operation.problems.flatMap(({ status, codes: all }) => all.map((code) => `${status} ${code}`))
  const properties = [...(body?.shape?.properties.values() ?? [])]
  return {
    operation: name,
    role,
    version,
    noun: owner?.noun,
    parent: collections.find(({ key }) => key === owner?.parent)?.noun,
    list: list && [list.form, ...(list.property === undefined ? [] : [list.property])].join(' '),
    parameters: parameters.flatMap((parameter) => {
      if (parameter.role === undefined) return []
      const range = parameter.range ? ` ${parameter.range.bound} ${parameter.range.name}` : ''
      return `${parameter.role} ${parameter.name}${range}`
    }),
    properties: [...(shape?.properties.keys() ?? [])],
    body: properties.flatMap((property) => (property.isReadOnly ? [] : property.name)).sort(),
    isDeprecated,
    isGone,
    problems: codes.filter((code) => known.get(name)?.has(code)).sort(),
  }
}

function operationsOf({ operations: own, lists, lookups }: DocumentCollection): readonly DocumentOperation[] {
  return [...Object.values(own), ...[...lists, ...lookups].map(({ operation }) => operation)]
}
