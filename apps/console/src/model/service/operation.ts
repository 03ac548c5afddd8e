/** The operations of a document, and what each of them does by the conventions. */
import { follow, isObject, type Json, type Schema, schemaOf } from './openapi.ts'

/** `custom` is an operation of the service's own, `other` what the conventions have no name for. */
export type Kind =
  | 'list'
  | 'read'
  | 'lookup'
  | 'create'
  | 'replace'
  | 'update'
  | 'delete'
  | 'link'
  | 'unlink'
  | 'custom'
  | 'other'

export interface Deprecation {
  readonly since?: string
  readonly sunset?: string
  readonly successor?: string
  readonly gone?: boolean
}

export interface Operation {
  readonly method: string
  /** With its parameters in braces. */
  readonly path: string
  readonly kind: Kind
  readonly summary: string | undefined
  readonly description: string | undefined
  readonly parameters: readonly Json[]
  readonly body: Schema | undefined
  /** What the body must be of, where it cannot be JSON: `multipart/form-data`. */
  readonly foreignBody: string | undefined
  /** Of the answer that all goes well with. */
  readonly answer: Schema
  readonly isDeprecated: boolean
  readonly deprecation: Deprecation | undefined
  readonly isConditional: boolean
  /** Each a way to show who asks. */
  readonly security: readonly Json[]
}

const methods = ['get', 'post', 'put', 'patch', 'delete']

export function operationsOf(document: Json): readonly Operation[] {
  const paths = isObject(document.paths) ? document.paths : {}
  const all = Object.entries(paths).flatMap(([path, value]) => {
    const item = follow(document, value)
    return methods.flatMap((method) => (isObject(item[method]) ? [operationOf(document, path, method, item)] : []))
  })
  return all.map((one) => ({ ...one, kind: linkKind(one, all) ?? one.kind }))
}

function operationOf(document: Json, path: string, method: string, item: Json): Operation {
  const raw = item[method] as Json
  const shared = Array.isArray(item.parameters) ? item.parameters : []
  const own = Array.isArray(raw.parameters) ? raw.parameters : []
  const parameters = [...shared, ...own].map((one) => follow(document, one))
  const requestBody = follow(document, raw.requestBody)
  const body = contentSchema(document, requestBody)
  const answer = contentSchema(document, successOf(document, raw)) ?? schemaOf(document, {})
  const told = raw['x-nomen-kind']
  return {
    method: method.toUpperCase(),
    path,
    kind: typeof told === 'string' ? (told as Kind) : kindOf(document, method, path, answer),
    summary: typeof raw.summary === 'string' ? raw.summary : undefined,
    description: typeof raw.description === 'string' ? raw.description : undefined,
    parameters,
    body,
    foreignBody: body === undefined && isObject(requestBody.content) ? Object.keys(requestBody.content)[0] : undefined,
    answer,
    isDeprecated: raw.deprecated === true,
    deprecation: isObject(raw['x-nomen-deprecation']) ? raw['x-nomen-deprecation'] : undefined,
    security: Array.isArray(raw.security) ? raw.security.filter(isObject) : [],
    isConditional: parameters.some(({ name, required }) => name === 'If-Match' && required === true),
  }
}

function successOf(document: Json, { responses }: Json): Json {
  const known = isObject(responses) ? responses : {}
  const status = Object.keys(known).find((one) => /^2/.test(one)) ?? 'default'
  return follow(document, known[status])
}

function contentSchema(document: Json, { content }: Json): Schema | undefined {
  if (!isObject(content)) return undefined
  const type = Object.keys(content).find((one) => /json/i.test(one))
  const media = type === undefined ? undefined : content[type]
  return isObject(media) ? schemaOf(document, media.schema ?? {}) : undefined
}

/** What the conventions make of a method and a path, where nothing else says so. */
function kindOf(document: Json, method: string, path: string, answer: Schema): Kind {
  const segments = path.split('/').filter(Boolean)
  const isOne = segments.at(-1)?.startsWith('{') === true
  if (isOne && /^by-/.test(segments.at(-2) ?? '')) return method === 'get' ? 'lookup' : 'other'
  switch (method) {
    case 'get':
      return isOne ? 'read' : itemsOf(document, answer) ? 'list' : 'other'
    case 'post':
      return isOne ? 'other' : 'create'
    case 'put':
      return isOne ? 'replace' : 'other'
    case 'patch':
      return isOne ? 'update' : 'other'
    default:
      return isOne ? 'delete' : 'other'
  }
}

/** The records of a list: those of a page's `results`, or of a plain array. */
export function itemsOf(
  document: Json,
  answer: Schema,
): { readonly items: Schema; readonly isPaginated: boolean } | undefined {
  if (answer.type === 'array') return { items: schemaOf(document, answer.items), isPaginated: false }
  if (!('pageInfo' in answer.properties && 'results' in answer.properties)) return undefined
  return { items: schemaOf(document, schemaOf(document, answer.properties.results).items), isPaginated: true }
}

/** A PUT below a parent that takes no body links two records, and the DELETE there unlinks them. */
function linkKind({ kind, path, body }: Operation, all: readonly Operation[]): Kind | undefined {
  const isLinked = () => all.some((one) => one.path === path && one.method === 'PUT' && one.body === undefined)
  if ((path.match(/\{/g)?.length ?? 0) < 2) return undefined
  if (kind === 'replace' && body === undefined) return 'link'
  return kind === 'delete' && isLinked() ? 'unlink' : undefined
}
