/** What a schema of the document says of records, without a validator. */
import { type ContractOperation, follow } from '../../document/contract.ts'
import type { Json, JsonObject, OpenApiDocument } from '../../document/read-document.ts'
import { isObject } from './exchange.ts'

export interface Properties {
  readonly schemas: ReadonlyMap<string, JsonObject>
  readonly required: ReadonlySet<string>
}

/** The properties of an object, those of its parts with it. */
export function propertiesOf(document: OpenApiDocument, given: Json | undefined): Properties {
  const schemas = new Map<string, JsonObject>()
  const required = new Set<string>()
  const visit = (value: Json | undefined, depth: number) => {
    if (depth > 8) return
    const schema = follow(document, value)
    for (const part of ['allOf', 'anyOf', 'oneOf']) {
      const parts = schema[part]
      if (Array.isArray(parts)) for (const one of parts) visit(one, depth + 1)
    }
    if (isObject(schema.properties))
      for (const [name, one] of Object.entries(schema.properties)) schemas.set(name, follow(document, one))
    if (Array.isArray(schema.required)) for (const name of schema.required) required.add(`${name}`)
  }
  visit(given, 0)
  return { schemas, required }
}

/** The schema of a successful answer in JSON. */
export function answerSchema(operation: ContractOperation | undefined): JsonObject | undefined {
  for (const [status, { schemas }] of operation?.responses ?? [])
    if (/^2/.test(status)) for (const [type, schema] of schemas) if (isJsonType(type)) return schema
  return undefined
}

export function bodySchema(operation: ContractOperation | undefined): JsonObject | undefined {
  for (const [type, schema] of operation?.body?.schemas ?? []) if (isJsonType(type)) return schema
  return undefined
}

export function isJsonType(type: string): boolean {
  return /^application\/([\w.+-]+\+)?json\b/i.test(type)
}

/** The types that a value may have, null apart. */
export function typesOf(document: OpenApiDocument, given: Json | undefined): ReadonlySet<string> {
  const schema = follow(document, given)
  const found = new Set<string>()
  for (const type of [schema.type].flat()) if (typeof type === 'string' && type !== 'null') found.add(type)
  for (const part of ['anyOf', 'oneOf', 'allOf']) {
    const parts = schema[part]
    if (Array.isArray(parts)) for (const one of parts) for (const type of typesOf(document, one)) found.add(type)
  }
  if (found.has('integer')) found.add('number')
  return found
}

/** The first schema among the choices that is not null's. */
export function valueSchema(document: OpenApiDocument, given: JsonObject): JsonObject {
  const parts = given.anyOf ?? given.oneOf ?? given.allOf
  if (!Array.isArray(parts)) return given
  const found = parts.map((one) => follow(document, one)).find((one) => one.type !== 'null')
  return { ...given, ...found }
}
