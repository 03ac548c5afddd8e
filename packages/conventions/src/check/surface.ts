/** What a document offers, as the conventions see it: collections, their records, lookups and variants. */
import { type ContractOperation, contractOf, follow, isCustom } from '../document/contract.ts'
import type { JsonObject, OpenApiDocument } from '../document/read-document.ts'
import { answerSchema, bodySchema, type Properties, propertiesOf } from './request/schema.ts'

export interface Lookup {
  readonly operation: ContractOperation
  /** As the path has it, after `by-`. */
  readonly field: string
}

export interface Collection {
  /** The template of its list: `/user/{userId}/preference`. */
  readonly path: string
  /** The last word of the path. */
  readonly noun: string
  readonly list: ContractOperation
  /** Whether the document promises an envelope, and not a plain array. */
  readonly isPaginated: boolean
  readonly isNested: boolean
  /** Of one record in the list. */
  readonly item: Properties
  /** Of a single record. */
  readonly detail: Properties
  readonly read?: ContractOperation
  readonly create?: ContractOperation
  readonly replace?: ContractOperation
  readonly update?: ContractOperation
  readonly remove?: ContractOperation
  readonly lookups: readonly Lookup[]
  /** The default list that this one is a smaller or larger form of. */
  readonly variantOf?: { readonly path: string; readonly kind: 'summary' | 'detail' }
  /** The names by which the identity may go, the likeliest first. */
  readonly identityNames: readonly string[]
}

export interface Surface {
  readonly document: OpenApiDocument
  readonly operations: readonly ContractOperation[]
  readonly collections: readonly Collection[]
}

/** Templates that differ in the names of their parameters only are one path. */
export function keyOf(path: string): string {
  return path.replaceAll(/\{[^}]*\}/g, '{}')
}

export function surfaceOf(document: OpenApiDocument): Surface {
  // Nobody knows what operations of the service's own do: they are not called.
  const operations = contractOf(document).filter((one) => !isCustom(one))
  const byKey = new Map(operations.map((one) => [`${one.method} ${keyOf(one.path)}`, one]))
  const lists = operations.filter((one) => one.method === 'get' && isList(document, one, byKey))
  const paths = new Set(lists.map(({ path }) => keyOf(path)))
  const collections = lists.map((list): Collection => {
    const at = (method: string, rest: string) => byKey.get(`${method} ${keyOf(list.path)}${rest}`)
    const [read, replace, update, remove] = ['get', 'put', 'patch', 'delete'].map((method) => at(method, '/{}'))
    const create = at('post', '')
    const noun = list.path.slice(list.path.lastIndexOf('/') + 1)
    const variantOf = variantAt(list.path, paths)
    const single = read ?? replace ?? update ?? (variantOf && byKey.get(`get ${keyOf(variantOf.path)}/{}`))
    const parameter = /\{([^}]*)\}$/.exec(single?.path ?? '')?.[1]
    return {
      path: list.path,
      noun,
      list,
      isPaginated: isEnvelope(document, answerSchema(list)),
      isNested: list.path.includes('{'),
      item: propertiesOf(document, itemSchema(document, answerSchema(list))),
      detail: propertiesOf(document, answerSchema(single) ?? bodySchema(single)),
      ...(read && { read }),
      ...(create && { create }),
      ...(replace && { replace }),
      ...(update && { update }),
      ...(remove && { remove }),
      lookups: lookupsOf(operations, list.path),
      ...(variantOf && { variantOf }),
      identityNames: identityNames(variantOf ? noun.replace(/-(summary|detail)$/, '') : noun, parameter),
    }
  })
  return { document, operations, collections }
}

/** It answers a list, or a single record lies below it. */
function isList(document: OpenApiDocument, { path }: ContractOperation, byKey: ReadonlyMap<string, ContractOperation>) {
  if (path.endsWith('}') || /\/by-[^/]+$/.test(path)) return false
  const operation = byKey.get(`get ${keyOf(path)}`)
  const schema = answerSchema(operation)
  if (schema?.type === 'array' || isEnvelope(document, schema)) return true
  return ['get', 'put', 'patch', 'delete'].some((method) => byKey.has(`${method} ${keyOf(path)}/{}`))
}

function isEnvelope(document: OpenApiDocument, schema: JsonObject | undefined): boolean {
  const { schemas } = propertiesOf(document, schema)
  return schemas.has('pageInfo') || schemas.has('results')
}

function itemSchema(document: OpenApiDocument, schema: JsonObject | undefined): JsonObject | undefined {
  if (schema === undefined) return undefined
  const array = schema.type === 'array' ? schema : propertiesOf(document, schema).schemas.get('results')
  return array && follow(document, array.items)
}

function variantAt(path: string, paths: ReadonlySet<string>): Collection['variantOf'] {
  const [, base = '', kind] = /^(.*[^/])-(summary|detail)$/.exec(path) ?? []
  return paths.has(keyOf(base)) ? { path: base, kind: kind as 'summary' | 'detail' } : undefined
}

function lookupsOf(operations: readonly ContractOperation[], path: string): Lookup[] {
  return operations.flatMap((operation) => {
    const start = `${keyOf(path)}/by-`
    const rest = keyOf(operation.path).startsWith(start) ? keyOf(operation.path).slice(start.length) : ''
    const field = /^([^/]+)\/\{\}$/.exec(rest)?.[1]
    return operation.method === 'get' && field !== undefined ? [{ operation, field }] : []
  })
}

function identityNames(noun: string, parameter: string | undefined): string[] {
  const name = noun.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
  return [...(parameter ? [parameter] : []), 'id', `${name}Ref`, `${name}Id`, 'ref', 'guid', 'uuid', 'key']
}
