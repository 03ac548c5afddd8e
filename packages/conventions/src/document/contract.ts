/** What a document promises, operation by operation, with its inner references followed. */
import type { Json, JsonObject, OpenApiDocument } from './read-document.ts'

export type Method = 'get' | 'put' | 'post' | 'delete' | 'patch' | 'head' | 'options' | 'trace'
export const methods: readonly Method[] = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options', 'trace']

export interface ContractParameter {
  readonly name: string
  readonly in: 'query' | 'path' | 'header' | 'cookie'
  readonly isRequired: boolean
  readonly schema: JsonObject
  /** As it stands in the document. */
  readonly raw: JsonObject
}

export interface ContractBody {
  /** By media type. */
  readonly schemas: ReadonlyMap<string, JsonObject>
  readonly isRequired: boolean
}

export interface ContractResponse {
  readonly schemas: ReadonlyMap<string, JsonObject>
  readonly headers: ReadonlyMap<string, JsonObject>
}

export interface ContractOperation {
  readonly method: Method
  /** The template, such as `/user/{id}`. */
  readonly path: string
  /** Where it stands in the document, as a JSON pointer. */
  readonly pointer: string
  /** Those of the path and its own. */
  readonly parameters: readonly ContractParameter[]
  readonly body?: ContractBody
  /** By status, such as `200`, `4XX` or `default`. */
  readonly responses: ReadonlyMap<string, ContractResponse>
  /** As it stands in the document. */
  readonly raw: JsonObject
}

/** Every operation of a document, in its order. */
export function contractOf(document: OpenApiDocument): readonly ContractOperation[] {
  const found: ContractOperation[] = []
  for (const [path, item] of entriesOf(document.paths)) {
    const shared = follow(document, item)
    for (const method of methods) {
      const raw = shared[method]
      if (!isObject(raw)) continue
      const pointer = `/paths/${path.replaceAll('~', '~0').replaceAll('/', '~1')}/${method}`
      const own = [...listOf(shared.parameters), ...listOf(raw.parameters)].map((one) => follow(document, one))
      const byName = new Map(own.map((one) => [`${one.in} ${one.name}`, parameterOf(document, one)]))
      const body = bodyOf(document, raw.requestBody)
      found.push({
        method,
        path,
        pointer,
        parameters: [...byName.values()],
        ...(body && { body }),
        responses: responsesOf(document, raw.responses),
        raw,
      })
    }
  }
  return found
}

/** Whether it is an operation of the service's own: the conventions say nothing of what it does. */
export function isCustom({ raw }: ContractOperation): boolean {
  return raw['x-nomen-kind'] === 'custom'
}

/** What a value stands for: itself, or what its `$ref` leads to within the document. Circles end in an empty object. */
export function follow(document: OpenApiDocument, value: Json | undefined): JsonObject {
  const seen = new Set<string>()
  let found = value
  while (isObject(found) && typeof found.$ref === 'string') {
    if (seen.has(found.$ref)) return {}
    seen.add(found.$ref)
    const target = at(document, found.$ref)
    // OpenAPI 3.1 lets other keywords stand beside a reference: they come on top.
    const { $ref: _, ...more } = found
    found = isObject(target) ? { ...target, ...more } : undefined
  }
  return isObject(found) ? found : {}
}

/** What a pointer within the document leads to. */
function at(document: OpenApiDocument, reference: string): Json | undefined {
  if (!reference.startsWith('#')) return undefined
  let found: Json | undefined = document
  for (const part of reference.slice(1).split('/').slice(1)) {
    const name = decoded(part).replaceAll('~1', '/').replaceAll('~0', '~')
    found = isObject(found) || Array.isArray(found) ? (found as JsonObject)[name] : undefined
  }
  return found
}

/** A reference is part of an address; one with a stray % stands for itself. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

function parameterOf(document: OpenApiDocument, raw: JsonObject): ContractParameter {
  const [[, content] = []] = entriesOf(raw.content)
  return {
    name: `${raw.name}`,
    in: raw.in as ContractParameter['in'],
    isRequired: raw.required === true,
    schema: follow(document, raw.schema ?? (isObject(content) ? content.schema : undefined)),
    raw,
  }
}

function bodyOf(document: OpenApiDocument, given: Json | undefined): ContractBody | undefined {
  if (given === undefined) return undefined
  const body = follow(document, given)
  return { schemas: schemasOf(document, body.content), isRequired: body.required === true }
}

function responsesOf(document: OpenApiDocument, given: Json | undefined): ReadonlyMap<string, ContractResponse> {
  return new Map(
    entriesOf(given).map(([status, one]) => {
      const response = follow(document, one)
      const headers = entriesOf(response.headers).map(([name, header]) => [name, follow(document, header)] as const)
      return [status, { schemas: schemasOf(document, response.content), headers: new Map(headers) }]
    }),
  )
}

function schemasOf(document: OpenApiDocument, content: Json | undefined): ReadonlyMap<string, JsonObject> {
  return new Map(
    entriesOf(content).map(([type, media]) => [type, follow(document, isObject(media) ? media.schema : undefined)]),
  )
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function entriesOf(value: Json | undefined): [string, Json][] {
  return isObject(value) ? Object.entries(value) : []
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : []
}
