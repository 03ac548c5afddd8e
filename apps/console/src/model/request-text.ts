/** A request as a curl command and as a call of the typed client. */

import { pathKey } from '@nomen/core/openapi'
import { idsIn } from './route.ts'
import type { Operation } from './service/operation.ts'
import type { Api, Collection, Service } from './service/service.ts'

export interface SentRequest {
  readonly method: string
  /** Relative to the base URL of the API, without the query. */
  readonly path: string
  readonly query: string
  readonly base: string
  readonly headers: { readonly [name: string]: string }
  readonly body: unknown
}

/** Copied commands must not contain the token. */
const secret = /^authorization$/i

export function curlOf({ method, base, path, query, headers, body }: SentRequest): string {
  const url = `${base}${path}${query && `?${query}`}`
  const shownHeaders = Object.entries(headers).filter(([name]) => !/^accept$/i.test(name))
  return [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${quoteForShell(url)}`,
    ...shownHeaders.map(
      ([name, value]) =>
        `  -H ${secret.test(name) ? '"authorization: Bearer $TOKEN"' : quoteForShell(`${name}: ${value}`)}`,
    ),
    ...(body === undefined ? [] : [`  -d ${quoteForShell(JSON.stringify(body))}`]),
  ].join(' \\\n')
}

function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** The client call for this request; undefined if the client has none. */
export function clientCallOf(service: Service, request: SentRequest): string | undefined {
  const call = operationOf(service, request)
  if (!call) return undefined
  const { collection, operation, ids } = call
  const steps: string[] = []
  for (let ancestor: Collection | undefined = collection; ancestor; ancestor = ancestor.parent)
    steps.unshift(member(ancestor.segment))
  if (isAction(collection, operation)) return customCallOf(collection, operation, { steps, ids, request })
  const parentIds = ids.slice(0, steps.length - 1)
  const id = literal(parsedValue(ids.at(-1)))
  const etag = request.headers['if-match']
  const options = etag === undefined ? '' : ', { etag }'
  return `await api${chainOf(steps, parentIds)}${callOf(operation, { id, request, options })}`
}

/** The steps of the client, with `.of(id)` after each parent: `.user.of(7).preference`. */
function chainOf(steps: readonly string[], ids: readonly string[]): string {
  return steps
    .map((step, index) => `${step}${index < ids.length ? `.of(${literal(parsedValue(ids[index]))})` : ''}`)
    .join('')
}

interface CustomCall {
  readonly steps: readonly string[]
  readonly ids: readonly string[]
  readonly request: SentRequest
}

/** `api.ticket.of(7).reopening.post({ … })`: a custom operation, by its method. */
function customCallOf(
  { key }: Collection,
  { path, method }: Operation,
  { steps, ids, request }: CustomCall,
): string | undefined {
  const pathBelow = pathKey(path)
    .slice(key.length)
    .replace(/^\/\{\}/, '')
  const isDirect = /^\/[^/{}]+$/.test(pathBelow)
  if (!isDirect || !['GET', 'POST', 'PUT', 'DELETE'].includes(method)) return undefined
  const argument =
    method === 'GET' ? queryLiteral(request.query) : request.body === undefined ? '' : literal(request.body)
  return `await api${chainOf(steps, ids)}${member(pathBelow.slice(1))}.${method.toLowerCase()}(${argument})`
}

function callOf(
  operation: Operation,
  { id, request, options }: { id: string; request: SentRequest; options: string },
): string {
  const body = literal(request.body ?? {})
  switch (operation.kind) {
    case 'list': {
      const [, variant] = /-(detail|summary)$/.exec(operation.path) ?? []
      return `${variant ? `.${variant}` : ''}.list(${queryLiteral(request.query)})`
    }
    case 'lookup':
      return `.by.${camel(/\/by-([^/]*)\//.exec(operation.path)?.[1] ?? '')}(${id})`
    case 'create':
      return `.create(${body})`
    case 'replace':
    case 'update':
      return `.${operation.kind}(${id}, ${body}${options})`
    case 'read':
      return `.read(${id})`
    default:
      return `.${operation.kind}(${id}${options})`
  }
}

/** The operation of a request. A fixed segment takes precedence over a parameter. */
function operationOf(service: Service, { method, path, base }: Pick<SentRequest, 'method' | 'path' | 'base'>) {
  const match = service.apis
    .filter((api) => api.base === base)
    .flatMap((api) => api.operations.map((operation) => ({ api, operation, ids: idsIn(operation.path, path) })))
    .filter(({ operation, ids }) => ids !== undefined && operation.method === method)
    .sort((a, b) => (a.ids?.length ?? 0) - (b.ids?.length ?? 0))[0]
  if (!match?.ids) return undefined
  const collection = match.api.collections.find((candidate) => belongs(candidate, match.operation))
  return collection && { api: match.api as Api, collection, operation: match.operation, ids: match.ids }
}

function belongs(collection: Collection, operation: Operation): boolean {
  const { operations, variants } = collection
  const isListed = variants.some((variant) => variant.operation === operation)
  return isListed || operations[operation.kind] === operation || isAction(collection, operation)
}

function isAction({ actions }: Collection, operation: Operation): boolean {
  return [...actions.record, ...actions.collection].some((action) => action.operation === operation)
}

function queryLiteral(query: string): string {
  const parameters = new URLSearchParams(query)
  const names = [...new Set(parameters.keys())]
  if (names.length === 0) return ''
  const values = names.map((name) => {
    const parameterValues = parameters.getAll(name).map((text) => (text === '' ? null : parsedValue(text)))
    return [name, parameterValues.length === 1 ? parameterValues[0] : parameterValues] as const
  })
  return literal(Object.fromEntries(values))
}

/** Reads text of a path or query as a number or boolean, if it looks like one. */
function parsedValue(text: string | undefined): unknown {
  if (text === undefined) return undefined
  if (text === 'true' || text === 'false') return text === 'true'
  return /^-?(0|[1-9]\d{0,14})$/.test(text) ? Number(text) : text
}

/** A value as source code. */
function literal(value: unknown): string {
  if (typeof value === 'string') return stringLiteral(value)
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  const entries = Object.entries(value).map(
    ([name, member]) => `${/^[A-Za-z_$][\w$]*$/.test(name) ? name : stringLiteral(name)}: ${literal(member)}`,
  )
  if (entries.length === 0) return '{}'
  const oneLine = `{ ${entries.join(', ')} }`
  return oneLine.length <= 72 ? oneLine : `{\n${entries.map((entry) => `  ${entry},\n`).join('')}}`
}

function stringLiteral(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}

function member(segment: string): string {
  const name = camel(segment)
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${stringLiteral(segment)}]`
}

/** The name in the client: a hyphen before a digit stays. */
function camel(kebab: string): string {
  return kebab.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
