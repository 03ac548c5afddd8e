/** The operation table of a declared API, read from the document that it makes. */
import { type AnyApi, operations } from '@nomen/core'
import { child, type DocumentNode, namesOf, type OpenApiTable, openapi, readOpenApi } from '@nomen/core/openapi'
import { below, type LintFile, type Place } from './place.ts'

export interface DeclaredTable {
  readonly table: OpenApiTable
  /** Segments that are declared as singular. */
  readonly singular: readonly string[]
  /** The place in the declaration of a value in the document: `/directory/user.list/response/email`. */
  readonly locate: (pointer: string) => Place
}

export function declaredTable(api: AnyApi, file: LintFile): DeclaredTable {
  const document = openapi(api)
  const root: DocumentNode = { pointer: '', value: JSON.parse(JSON.stringify(document)) }
  const at = (reference: string) => namesOf(reference.slice(1)).reduce(child, root).value
  // A declaration has no components: each operation has its own copy.
  const table = readOpenApi(root.value, { resolve: (reference, { pointer }) => ({ pointer, value: at(reference) }) })
  // A path has the place of its first operation.
  const places = new Map<string, string>()
  for (const { pointer, pathPointer, raw } of table.operations.toReversed())
    for (const key of [pointer, pathPointer]) places.set(key, `${raw.operationId}`)
  return {
    table,
    singular: singularSegments(api),
    locate: (pointer) => placeOf(pointer, places, table, below({ file, pointer: '' }, api.name)),
  }
}

const parts: Readonly<Record<string, string>> = { requestBody: 'body', responses: 'response', parameters: 'parameter' }

function placeOf(pointer: string, places: ReadonlyMap<string, string>, table: OpenApiTable, root: Place): Place {
  const [holder = '', rest = ''] = /^((?:\/[^/]*){0,3})(.*)$/.exec(pointer)?.slice(1) ?? []
  const id = places.get(holder)
  if (id === undefined) return root
  const place = below(root, id)
  const [part = '', index] = namesOf(rest)
  if (!(part in parts)) return place
  const operation = table.operations.find((operation) => operation.pointer === holder)
  const parameter = operation?.parameters.find((parameter) => parameter.pointer === `${holder}/parameters/${index}`)
  const name = parameter?.name ?? namesOf(/\/properties(\/[^/]*)$/.exec(rest)?.[1] ?? '')[0]
  return below(place, `${parts[part]}`, ...(name === undefined ? [] : [name]))
}

function singularSegments(api: AnyApi): readonly string[] {
  const resources = operations(api).flatMap(({ levels }) => levels.map(({ resource }) => resource))
  const singular = resources.filter(({ noun }) => noun.options.isSingular === true)
  return [...new Set(singular.map(({ noun, options }) => options.path ?? noun.name))]
}
