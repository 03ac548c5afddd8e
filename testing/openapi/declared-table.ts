/** The operation table of a declaration, in the form of a table that was read from a document. */
import { type AnyApi, type ListParameter, type Operation, operations, type Property, problems } from '@nomen/core'
import {
  type DocumentCollection,
  type DocumentOperation,
  type OpenApiTable,
  pathKey,
  type Shape,
} from '@nomen/core/openapi'

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
  /** The description of the noun. */
  readonly nounDescription: string | undefined
  /** Descriptions of the operation, its filters, and its properties with their values and examples. */
  readonly descriptions: readonly string[]
}

const byOperation = (a: Entry, b: Entry) => (a.operation < b.operation ? -1 : 1)

export function declaredEntries(api: AnyApi): readonly Entry[] {
  const table = operations(api)
  const standard = table.filter(({ kind }) => kind !== 'custom')
  // Records that can only be created do not form a collection.
  const readable = standard.filter(({ kind }) => kind !== 'create')
  const keys = new Set(readable.map((operation) => ownKey(operation)))
  return table.map((operation) => declaredEntry(operation, keys)).sort(byOperation)
}

function declaredEntry(operation: Operation, keys: ReadonlySet<string>): Entry {
  const { method, path, kind, version, resource, levels, list, shape, custom, body, deprecation } = operation
  const isGone = deprecation?.gone === true
  const ownLevel = ownKey(operation)
  const parents = levels.slice(0, -1).map(({ resource: parent }, index) => {
    return {
      noun: parent.noun.name as string,
      key: ownLevel
        .split('/{}')
        .slice(0, index + 1)
        .join('/{}'),
    }
  })
  const parameters = (list?.parameters ?? []).map((parameter) => {
    const role = { pageNumber: 'page', pageSize: 'page', equal: 'filter', range: 'filter', custom: 'filter' } as const
    const { name, kind: kindOf } = parameter
    const range = kindOf === 'range' ? ` ${parameter.bound} ${parameter.range}` : ''
    const { nullable, choices = [] } = kindOf === 'equal' || kindOf === 'custom' ? parameter.spec : {}
    const text = `${role[kindOf as keyof typeof role] ?? kindOf} ${name}${range}`
    return parameterText(text, nullable === true, choices)
  })
  const isOwned = kind !== 'custom' && keys.has(ownLevel)
  return {
    operation: `${method} ${path}`,
    role: kind,
    version,
    noun: isOwned ? resource.noun.name : undefined,
    parent: isOwned ? parents.findLast(({ key }) => keys.has(key))?.noun : undefined,
    list: list && (isGone ? 'unknown' : list.isPaginated ? 'page results' : 'array'),
    parameters,
    properties: isGone ? [] : (custom ? (custom.response ?? []) : shape.properties).map(({ name }) => name),
    body: isGone ? [] : (body?.properties ?? []).map(({ name }) => name).sort(),
    isDeprecated: deprecation !== undefined,
    isGone,
    problems: operation.problems.map((code) => `${problems[code][0]} ${code}`).sort(),
    nounDescription: isOwned ? resource.noun.options.description : undefined,
    descriptions: [
      ...(operation.description === undefined ? [] : [operation.description]),
      ...(list?.parameters ?? []).flatMap((parameter) => describedParameter(parameter) ?? []),
      ...(isGone ? [] : (custom ? (custom.response ?? []) : shape.properties).map(describedProperty)).filter(Boolean),
    ],
  }
}

function parameterText(text: string, isNullable: boolean, choices: readonly unknown[]): string {
  return [text, ...(isNullable ? ['or null'] : []), ...choices].join(' ')
}

function describedParameter(parameter: ListParameter): string | undefined {
  if (parameter.kind !== 'equal' && parameter.kind !== 'range') return undefined
  const text = parameter.description ?? parameter.spec.description
  return text === undefined ? undefined : `${parameter.name}: ${text}`
}

function describedProperty({ name, spec, label }: Property): string {
  const { description, valueDescriptions = {}, example } = label ? { description: spec.description } : spec
  const values = Object.entries(valueDescriptions).map((pair) => pair.join(' '))
  return description === undefined
    ? ''
    : [name, description, ...values, ...(example === undefined ? [] : [example])].join(' | ')
}

/** The path of an operation's collection. */
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
  const entriesByOperation = new Map(declared.map((entry) => [entry.operation, entry]))
  return table.operations
    .map((operation) => readEntry(operation, owners.get(operation), table.collections, entriesByOperation))
    .sort(byOperation)
}

function readEntry(
  operation: DocumentOperation,
  owner: DocumentCollection | undefined,
  collections: readonly DocumentCollection[],
  entriesByOperation: ReadonlyMap<string, Entry>,
): Entry {
  const { method, path, role, version, list, parameters, success, body, isDeprecated, isGone } = operation
  const name = `${method.toUpperCase()} ${path}`
  const shape = list ? list.items : success?.shape
  // A document also has the problems of every request.
  const codes = operation.problems.flatMap(({ status, codes: problemCodes }) =>
    problemCodes.map((code) => `${status} ${code}`),
  )
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
      const { isNullable, schema } = parameter.shape.items ?? parameter.shape
      const choices = parameter.role === 'filter' && Array.isArray(schema.enum) ? schema.enum : []
      return parameterText(`${parameter.role} ${parameter.name}${range}`, isNullable, choices)
    }),
    properties: [...(shape?.properties.keys() ?? [])],
    body: properties.flatMap((property) => (property.isReadOnly ? [] : property.name)).sort(),
    isDeprecated,
    isGone,
    problems: codes.filter((code) => entriesByOperation.get(name)?.problems.includes(code)).sort(),
    nounDescription: owner?.description,
    // A document adds text that applies to every operation and filter of the kind.
    descriptions: (entriesByOperation.get(name)?.descriptions ?? []).filter((text) =>
      descriptionsOf(operation, shape).some((description) => description.startsWith(text)),
    ),
  }
}

function descriptionsOf({ description, parameters }: DocumentOperation, shape: Shape | undefined): readonly string[] {
  const properties = [...(shape?.properties.values() ?? [])].map(({ name, shape: property }) => {
    const values = [...property.valueDescriptions].map((pair) => pair.join(' '))
    const example = property.example === undefined ? [] : [property.example]
    return [name, property.description, ...values, ...example].join(' | ')
  })
  return [
    ...(description === undefined ? [] : [description]),
    ...parameters.map((parameter) => `${parameter.name}: ${parameter.description}`),
    ...properties,
  ]
}

function operationsOf({ operations: ownLevel, lists, lookups }: DocumentCollection): readonly DocumentOperation[] {
  return [...Object.values(ownLevel), ...[...lists, ...lookups].map(({ operation }) => operation)]
}
