/** A request in the words of others: as a line of curl, and as a call of the typed client. */

import { pathKey } from '@nomen/core/openapi'
import { idsIn } from './address.ts'
import type { Operation } from './service/operation.ts'
import type { Api, Collection, Service } from './service/service.ts'

export interface Sent {
  readonly method: string
  /** Below the base of the api, without the query. */
  readonly path: string
  readonly query: string
  readonly base: string
  readonly headers: { readonly [name: string]: string }
  readonly body: unknown
}

/** A token is worth too much to stand in a line that is copied around. */
const secret = /^authorization$/i

export function curlOf({ method, base, path, query, headers, body }: Sent): string {
  const url = `${base}${path}${query && `?${query}`}`
  const shown = Object.entries(headers).filter(([name]) => !/^accept$/i.test(name))
  return [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${quoted(url)}`,
    ...shown.map(
      ([name, value]) => `  -H ${secret.test(name) ? '"authorization: Bearer $TOKEN"' : quoted(`${name}: ${value}`)}`,
    ),
    ...(body === undefined ? [] : [`  -d ${quoted(JSON.stringify(body))}`]),
  ].join(' \\\n')
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** The call that makes this request; undefined where the client has none for it. */
export function clientCallOf(service: Service, sent: Sent): string | undefined {
  const found = operationOf(service, sent)
  if (!found) return undefined
  const { collection, operation, ids } = found
  const steps: string[] = []
  for (let at: Collection | undefined = collection; at; at = at.parent) steps.unshift(member(at.segment))
  if (isAction(collection, operation)) return ownCallOf(collection, operation, { steps, ids, sent })
  const above = ids.slice(0, steps.length - 1)
  const id = literal(idOf(ids.at(-1)))
  const etag = sent.headers['if-match']
  const options = etag === undefined ? '' : ', { etag }'
  return `await api${chainOf(steps, above)}${callOf(operation, { id, sent, options })}`
}

/** Each step with the record that the next one stands below. */
function chainOf(steps: readonly string[], ids: readonly string[]): string {
  return steps.map((step, index) => `${step}${index < ids.length ? `.of(${literal(idOf(ids[index]))})` : ''}`).join('')
}

interface OwnCall {
  readonly steps: readonly string[]
  readonly ids: readonly string[]
  readonly sent: Sent
}

/** `api.ticket.of(7).reopening.post({ … })`: an operation of the service's own, by its method. */
function ownCallOf(
  { key }: Collection,
  { path, method }: Operation,
  { steps, ids, sent }: OwnCall,
): string | undefined {
  const rest = pathKey(path)
    .slice(key.length)
    .replace(/^\/\{\}/, '')
  const isDirect = /^\/[^/{}]+$/.test(rest)
  if (!isDirect || !['GET', 'POST', 'PUT', 'DELETE'].includes(method)) return undefined
  const given = method === 'GET' ? queryLiteral(sent.query) : sent.body === undefined ? '' : literal(sent.body)
  return `await api${chainOf(steps, ids)}${member(rest.slice(1))}.${method.toLowerCase()}(${given})`
}

function callOf(operation: Operation, { id, sent, options }: { id: string; sent: Sent; options: string }): string {
  const body = literal(sent.body ?? {})
  switch (operation.kind) {
    case 'list': {
      const [, variant] = /-(detail|summary)$/.exec(operation.path) ?? []
      return `${variant ? `.${variant}` : ''}.list(${queryLiteral(sent.query)})`
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

/** The operation that a request is for. What is fixed in a path beats what may be anything. */
function operationOf(service: Service, { method, path, base }: Pick<Sent, 'method' | 'path' | 'base'>) {
  const found = service.apis
    .filter((api) => api.base === base)
    .flatMap((api) => api.operations.map((operation) => ({ api, operation, ids: idsIn(operation.path, path) })))
    .filter(({ operation, ids }) => ids !== undefined && operation.method === method)
    .sort((one, other) => (one.ids?.length ?? 0) - (other.ids?.length ?? 0))[0]
  if (!found?.ids) return undefined
  const collection = found.api.collections.find((one) => belongs(one, found.operation))
  return collection && { api: found.api as Api, collection, operation: found.operation, ids: found.ids }
}

function belongs(collection: Collection, operation: Operation): boolean {
  const { operations, variants } = collection
  const isListed = variants.some((one) => one.operation === operation)
  return isListed || operations[operation.kind] === operation || isAction(collection, operation)
}

function isAction({ actions }: Collection, operation: Operation): boolean {
  return [...actions.record, ...actions.collection].some((one) => one.operation === operation)
}

function queryLiteral(query: string): string {
  const given = new URLSearchParams(query)
  const names = [...new Set(given.keys())]
  if (names.length === 0) return ''
  const values = names.map((name) => {
    const all = given.getAll(name).map((text) => (text === '' ? null : idOf(text)))
    return [name, all.length === 1 ? all[0] : all] as const
  })
  return literal(Object.fromEntries(values))
}

/** Numbers travel as text in a path and a query. */
function idOf(text: string | undefined): unknown {
  if (text === undefined) return undefined
  if (text === 'true' || text === 'false') return text === 'true'
  return /^-?(0|[1-9]\d{0,14})$/.test(text) ? Number(text) : text
}

/** As a person writes it. */
function literal(value: unknown): string {
  if (typeof value === 'string') return quotedText(value)
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  const entries = Object.entries(value).map(
    ([name, one]) => `${/^[A-Za-z_$][\w$]*$/.test(name) ? name : quotedText(name)}: ${literal(one)}`,
  )
  if (entries.length === 0) return '{}'
  const line = `{ ${entries.join(', ')} }`
  return line.length <= 72 ? line : `{\n${entries.map((one) => `  ${one},\n`).join('')}}`
}

function quotedText(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}

function member(segment: string): string {
  const name = camel(segment)
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${quotedText(segment)}]`
}

/** As the client calls it: a hyphen before a digit stays. */
function camel(kebab: string): string {
  return kebab.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
