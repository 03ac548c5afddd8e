/** Validators for schemas of an OpenAPI document. */
import { isObject } from '@nomen/core/openapi'
import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js'
import type { Json, JsonObject, OpenApiDocument } from '../document/read-document.ts'
import { Skip } from './finding.ts'

/** A validator for a schema of the document; skips the check if the schema is invalid. */
export function validatorOf(schema: JsonObject, document: OpenApiDocument, ajv: Ajv2020): ValidateFunction {
  const { openapi, info, ...members } = document
  // References of the document start at its root, which is this schema now.
  const root = { ...members, ...schema }
  try {
    return ajv.compile(openapi.startsWith('3.0') ? (toJsonSchema(root) as JsonObject) : root)
  } catch (error) {
    throw new Skip(`its schema in the document is invalid: ${error instanceof Error ? error.message : error}`)
  }
}

/** Converts a schema of OpenAPI 3.0, in which a boolean makes a limit exclusive, and null is allowed with `nullable`. */
function toJsonSchema(value: Json): Json {
  if (Array.isArray(value)) return value.map(toJsonSchema)
  if (!isObject(value)) return value
  const entries = Object.entries(value).flatMap(([name, member]): [string, Json][] => {
    const limit = { exclusiveMinimum: value.minimum, exclusiveMaximum: value.maximum }[name]
    if (typeof member !== 'boolean' || !/^exclusiveM..imum$/.test(name)) return [[name, toJsonSchema(member)]]
    return member && limit !== undefined ? [[name, limit]] : []
  })
  const { nullable, ...schema } = Object.fromEntries(entries)
  // Ajv supports `nullable` only beside a type.
  if (nullable === true && value.type === undefined) return { anyOf: [schema, { type: 'null' }] }
  return Object.fromEntries(entries)
}
