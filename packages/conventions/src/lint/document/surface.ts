/** An OpenAPI document as a surface. */

import { type Shape, type Surface, type SurfaceContent, type SurfaceParameter, segmentsOf } from '../surface.ts'
import { isObject } from './json-object.ts'
import { child, type DocumentNode, elements, type Follow, members } from './node.ts'
import { shapeReader } from './schema-shape.ts'

const methods = new Set(['get', 'put', 'post', 'delete', 'patch', 'head', 'options', 'trace'])

/** Whatever is not as OpenAPI wants it is passed over: other tools check that. */
export function documentSurface(root: DocumentNode, follow: Follow): Surface {
  const read = shapeReader(follow)
  const own = members(child(root, 'paths')).filter(([path]) => path.startsWith('/'))
  const placed = own.flatMap(([path, item]) => operationsAt(item, follow).map((one) => ({ path, item, ...one })))
  const sent = [
    ...members(child(root, 'webhooks')),
    ...placed.flatMap(({ operation }) => callbacksOf(operation, follow)),
  ].flatMap(([path, item]) => operationsAt(item, follow).map((one) => ({ path, item, ...one })))
  return {
    root: root.place,
    operations: placed.map((one) => ({ ...operationOf(one, follow, read), segments: segmentsOf(one.path) })),
    messages: sent.map((one) => ({ ...operationOf(one, follow, read), segments: [] })),
  }
}

interface Placed {
  readonly path: string
  /** As it is given: perhaps by a reference. */
  readonly item: DocumentNode
  readonly method: string
  readonly operation: DocumentNode
}

function operationsAt(item: DocumentNode, follow: Follow): readonly Pick<Placed, 'method' | 'operation'>[] {
  return members(follow(item))
    .filter(([method, { value }]) => methods.has(method) && isObject(value))
    .map(([method, operation]) => ({ method, operation }))
}

/** What an operation has called back, by the expressions for its addresses. */
function callbacksOf(operation: DocumentNode, follow: Follow): readonly [string, DocumentNode][] {
  return members(child(operation, 'callbacks')).flatMap(([, callback]) => members(follow(callback)))
}

function operationOf({ path, item, method, operation }: Placed, follow: Follow, read: Read) {
  const body = child(operation, 'requestBody')
  return {
    method,
    path,
    place: operation.place,
    pathPlace: item.place,
    isCustom: isObject(operation.value) && operation.value['x-nomen-kind'] === 'custom',
    parameters: parametersOf(follow(item), operation, follow, read),
    ...(isObject(body.value) && { body: contentOf(follow(body), read) }),
    responses: new Map(
      members(child(operation, 'responses')).map(([status, one]) => [status, contentOf(follow(one), read)]),
    ),
  }
}

type Read = (schema: DocumentNode) => Shape

/** Those of the path and those of the operation, which come on top. */
function parametersOf(item: DocumentNode, operation: DocumentNode, follow: Follow, read: Read): SurfaceParameter[] {
  const found = new Map<string, SurfaceParameter>()
  for (const given of [...elements(child(item, 'parameters')), ...elements(child(operation, 'parameters'))]) {
    const node = follow(given)
    if (!isObject(node.value) || node.value.in !== 'query' || typeof node.value.name !== 'string') continue
    const { name } = node.value
    const [[, media] = []] = members(child(node, 'content'))
    const schema = media ? child(media, 'schema') : child(node, 'schema')
    found.set(name, { name, place: node.place, isRequired: node.value.required === true, shape: read(schema) })
  }
  return [...found.values()]
}

/** The shape of the JSON in a body, else that of whatever else it may be. */
function contentOf(node: DocumentNode, read: Read): SurfaceContent {
  const content = members(child(node, 'content'))
  const [, media] = content.find(([type]) => /json/i.test(type)) ?? content[0] ?? []
  const schema = media && child(media, 'schema')
  return { place: node.place, ...(schema && isObject(schema.value) && { shape: read(schema) }) }
}
