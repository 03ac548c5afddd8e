/** The operation table of a declared api, from its OpenAPI document. */
import { type AnyApi, operations } from '@nomen/core'
import { child, type DocumentNode, namesOf, type OpenApiTable, openapi, readOpenApi } from '@nomen/core/openapi'
import { below, type LintFile, type Location } from './location.ts'

export interface DeclaredTable {
  readonly table: OpenApiTable
  /** Segments that are declared as singular. */
  readonly singular: readonly string[]
  /** The location in the declaration of a value in the document: `/directory/user.list/response/email`. */
  readonly locate: (pointer: string) => Location
}

export function declaredTable(api: AnyApi, file: LintFile): DeclaredTable {
  const document = openapi(api)
  const root: DocumentNode = { pointer: '', value: JSON.parse(JSON.stringify(document)) }
  const valueAt = (reference: string) => namesOf(reference.slice(1)).reduce(child, root).value
  // A declaration has no components: each operation has its own copy.
  const table = readOpenApi(root.value, {
    resolve: (reference, { pointer }) => ({ pointer, value: valueAt(reference) }),
  })
  // A path has the location of its first operation.
  const idByPointer = new Map<string, string>()
  for (const { pointer, pathPointer, raw } of table.operations.toReversed())
    for (const key of [pointer, pathPointer]) idByPointer.set(key, `${raw.operationId}`)
  return {
    table,
    singular: singularSegments(api),
    locate: (pointer) => locationOf(pointer, idByPointer, table, below({ file, pointer: '' }, api.name)),
  }
}

const locationNames: Readonly<Record<string, string>> = {
  requestBody: 'body',
  responses: 'response',
  parameters: 'parameter',
}

function locationOf(
  pointer: string,
  idByPointer: ReadonlyMap<string, string>,
  table: OpenApiTable,
  root: Location,
): Location {
  const [operationPointer = '', pointerInOperation = ''] = /^((?:\/[^/]*){0,3})(.*)$/.exec(pointer)?.slice(1) ?? []
  const id = idByPointer.get(operationPointer)
  if (id === undefined) return root
  const location = below(root, id)
  const [keyword = '', index] = namesOf(pointerInOperation)
  if (!(keyword in locationNames)) return location
  const operation = table.operations.find((operation) => operation.pointer === operationPointer)
  const parameter = operation?.parameters.find(
    (parameter) => parameter.pointer === `${operationPointer}/parameters/${index}`,
  )
  const name = parameter?.name ?? namesOf(/\/properties(\/[^/]*)$/.exec(pointerInOperation)?.[1] ?? '')[0]
  return below(location, `${locationNames[keyword]}`, ...(name === undefined ? [] : [name]))
}

function singularSegments(api: AnyApi): readonly string[] {
  const resources = operations(api).flatMap(({ levels }) => levels.map(({ resource }) => resource))
  const singular = resources.filter(({ noun }) => noun.options.isSingular === true)
  return [...new Set(singular.map(({ noun, options }) => options.path ?? noun.name))]
}
