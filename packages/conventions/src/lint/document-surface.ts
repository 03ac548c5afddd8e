/** An OpenAPI document as a surface. */
import { child, type DocumentNode, elements, type Follow, members } from './document-node.ts'
import { isObject } from './json-object.ts'
import { shapeReader } from './schema-shape.ts'
import {
  type Shape,
  type Surface,
  type SurfaceContent,
  type SurfaceOperation,
  type SurfaceParameter,
  segmentsOf,
} from './surface.ts'

const methods = new Set(['get', 'put', 'post', 'delete', 'patch', 'head', 'options', 'trace'])

/** Whatever is not as OpenAPI wants it is passed over: other tools check that. */
export function documentSurface(root: DocumentNode, follow: Follow): Surface {
  const read = shapeReader(follow)
  const operations: SurfaceOperation[] = []
  for (const [path, given] of members(child(root, 'paths'))) {
    if (!path.startsWith('/')) continue
    const item = follow(given)
    for (const [method, operation] of members(item)) {
      if (!methods.has(method) || !isObject(operation.value)) continue
      const body = child(operation, 'requestBody')
      operations.push({
        method,
        path,
        place: operation.place,
        pathPlace: given.place,
        segments: segmentsOf(path),
        isCustom: operation.value['x-nomen-kind'] === 'custom',
        parameters: parametersOf(item, operation, follow, read),
        ...(isObject(body.value) && { body: contentOf(follow(body), read) }),
        responses: new Map(
          members(child(operation, 'responses')).map(([status, one]) => [status, contentOf(follow(one), read)]),
        ),
      })
    }
  }
  return { root: root.place, operations }
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
