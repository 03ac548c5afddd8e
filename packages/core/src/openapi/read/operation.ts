/** The operations of an OpenAPI document: parameters, bodies and responses, with references resolved. */
import { descriptionIn } from './description.ts'
import { child, type DocumentNode, elements, type Follow, isObject, type JsonObject, members } from './node.ts'
import { pathKey, type Segment, segmentsOf } from './path.ts'
import type { ReadShape, Shape } from './shape.ts'

/** An HTTP method of an OpenAPI document, in lower case. OpenAPI 3.2 allows any method, such as `copy`. */
export type DocumentMethod =
  | (typeof methods)[number]
  // Editors still suggest the usual methods.
  | (string & {})
const methods = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options', 'trace', 'query'] as const

/** An operation of an OpenAPI document, with references resolved. */
export interface DescribedOperation {
  readonly method: DocumentMethod
  /** The template: `/user/{id}`. */
  readonly path: string
  /** The path with unnamed parameters: `/user/{}`. */
  readonly key: string
  readonly segments: readonly Segment[]
  readonly pointer: string
  readonly pathPointer: string
  /** The keys from the path item to the operation: `['get']`, or `['additionalOperations', 'COPY']` of OpenAPI 3.2. */
  readonly keys: readonly string[]
  readonly description: string | undefined
  /** The parameters of the path item and of the operation. */
  readonly parameters: readonly DescribedParameter[]
  readonly body: DocumentContent | undefined
  /** By status, such as `200`, `4XX` or `default`. */
  readonly responses: ReadonlyMap<string, DocumentContent>
  /** The response of success. */
  readonly success: DocumentContent | undefined
  /** The operation object of the document. */
  readonly raw: JsonObject
}

export interface DescribedParameter {
  readonly name: string
  readonly in: 'query' | 'path' | 'header' | 'cookie'
  readonly pointer: string
  readonly isRequired: boolean
  readonly description: string | undefined
  readonly shape: Shape
  readonly raw: JsonObject
}

/** The body of a request or a response. */
export interface DocumentContent {
  readonly pointer: string
  /** By media type; undefined if the document does not describe it. */
  readonly media: ReadonlyMap<string, Shape | undefined>
  /** The shape of the JSON content, or of the first media type. */
  readonly shape: Shape | undefined
  readonly isJson: boolean
  readonly headers: ReadonlyMap<string, JsonObject>
  readonly raw: JsonObject
}

/** The operations of all path items of an object: `paths`, `webhooks`, or a callback. A reference may stand for any part. */
export function describedOperations(paths: DocumentNode, follow: Follow, read: ReadShape): DescribedOperation[] {
  const childOf = (node: DocumentNode, name: string) => follow(child(node, name))
  return members(follow(paths)).flatMap(([path, item]) => {
    // A path item may have members beside its reference.
    const parts = [follow(item), item]
    const parameters = [...new Set(parts)].flatMap((part) => elements(childOf(part, 'parameters')))
    return operationKeys(parts, follow).flatMap(({ method, keys }) => {
      const operation = parts.map((part) => keys.reduce(childOf, part)).find(({ value }) => isObject(value))
      if (!operation || !isObject(operation.value)) return []
      const responses = members(childOf(operation, 'responses'))
      const contents = new Map(responses.map(([status, node]) => [status, contentOf(node, follow, read)]))
      const body = childOf(operation, 'requestBody')
      return {
        method,
        path,
        key: pathKey(path),
        segments: segmentsOf(path),
        pointer: operation.pointer,
        pathPointer: item.pointer,
        keys,
        description: descriptionIn(operation.value),
        parameters: parametersOf([...parameters, ...elements(childOf(operation, 'parameters'))], follow, read),
        body: isObject(body.value) ? contentOf(body, follow, read) : undefined,
        responses: contents,
        success: successOf(contents),
        raw: operation.value,
      }
    })
  })
}

/**
 * Returns the methods that a path item may have, with the keys of their operations: `query` and `additionalOperations` of
 * OpenAPI 3.2 too. `parts` are the path item and the targets of its reference.
 *
 * @example
 * ```ts
 * const item = { pointer: '', value: { additionalOperations: { COPY: {} } } }
 * operationKeys([item], (node) => node).at(-1) // { method: 'copy', keys: ['additionalOperations', 'COPY'] }
 * ```
 */
export function operationKeys(parts: readonly DocumentNode[], follow: Follow): readonly OperationKeys[] {
  const additionalNames = parts.flatMap((part) =>
    members(follow(child(part, 'additionalOperations'))).map(([name]) => name),
  )
  return [
    ...methods.map((method) => ({ method, keys: [method] })),
    ...[...new Set(additionalNames)].map((name) => ({
      method: name.toLowerCase(),
      keys: ['additionalOperations', name],
    })),
  ]
}

/** A method of a path item, and the keys of its operation. */
export type OperationKeys = Pick<DescribedOperation, 'method' | 'keys'>

/** An operation's own parameters replace those of its path. */
function parametersOf(nodes: readonly DocumentNode[], follow: Follow, read: ReadShape): DescribedParameter[] {
  const parameters = new Map<string, DescribedParameter>()
  for (const node of nodes.map(follow)) {
    if (!isObject(node.value) || typeof node.value.name !== 'string') continue
    const { name, in: location, required } = node.value
    const [[, media] = []] = members(follow(child(node, 'content')))
    parameters.set(JSON.stringify([location, name]), {
      name,
      in: location as DescribedParameter['in'],
      pointer: node.pointer,
      isRequired: required === true,
      description: descriptionIn(node.value),
      shape: read(child(media ? follow(media) : node, 'schema')),
      raw: node.value,
    })
  }
  return [...parameters.values()]
}

function contentOf(node: DocumentNode, follow: Follow, read: ReadShape): DocumentContent {
  const target = follow(node)
  const shapes = members(follow(child(target, 'content'))).map(([type, media]): [string, Shape | undefined] => {
    const schema = child(follow(media), 'schema')
    return [type, isObject(schema.value) ? read(schema) : undefined]
  })
  const json = shapes.find(([type]) => isJson(type))
  const headers = members(follow(child(target, 'headers'))).map(
    ([name, header]) => [name, objectOf(follow(header))] as const,
  )
  return {
    pointer: target.pointer,
    media: new Map(shapes),
    shape: (json ?? shapes[0])?.[1],
    isJson: json !== undefined,
    headers: new Map(headers),
    raw: objectOf(target),
  }
}

/** Also any media type: `*` + `/*` is what generators write for JSON. */
function isJson(type: string): boolean {
  return /json|^(\*|application)\/\*/i.test(type)
}

/** 200 before 201 before others, and the first one that has a shape. `default` may be a failure, and counts last. */
function successOf(responses: ReadonlyMap<string, DocumentContent>): DocumentContent | undefined {
  const usualContents = ['200', '201', '2XX'].flatMap((status) => responses.get(status) ?? [])
  const successContents = [...responses].filter(([status]) => isSuccess(status)).map(([, content]) => content)
  const fallback = successContents.length === 0 ? responses.get('default') : undefined
  return (
    [...usualContents, ...successContents].find(({ isJson, shape }) => isJson && shape) ??
    usualContents[0] ??
    successContents[0] ??
    withShape(fallback)
  )
}

function withShape(content: DocumentContent | undefined): DocumentContent | undefined {
  return content?.isJson && content.shape ? content : undefined
}

/**
 * Returns whether a status of an OpenAPI document is a success: `200` or `2XX`.
 *
 * @example
 * ```ts
 * isSuccess('201') // true
 * isSuccess('default') // false
 * ```
 */
export function isSuccess(status: string): boolean {
  return /^2(\d\d|XX)$/i.test(status)
}

function objectOf({ value }: DocumentNode): JsonObject {
  return isObject(value) ? value : {}
}
