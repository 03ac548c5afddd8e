/** A schema of a document as one object: references followed, parts merged, null set apart. */
import { follow, type Json, type JsonObject, type OpenApiDocument } from '@nomen/conventions'

export interface FlatSchema extends JsonObject {
  readonly type?: string
  readonly nullable?: boolean
  readonly properties?: JsonObject
  readonly required?: readonly string[]
}

/** `allOf` is merged; of `oneOf` and `anyOf` only null beside a single other is understood. */
export function flatSchema(document: OpenApiDocument, given: Json | undefined, depth = 0): FlatSchema {
  const schema = follow(document, given)
  // A schema within itself ends here.
  if (depth > 8) return {}
  const { allOf, oneOf, anyOf, type, ...rest } = schema
  const parts = (Array.isArray(allOf) ? allOf : []).map((part) => flatSchema(document, part, depth + 1))
  const choices = [oneOf, anyOf].find(Array.isArray) as readonly Json[] | undefined
  const others = choices?.filter((one) => follow(document, one).type !== 'null') ?? []
  const only = others.length === 1 ? flatSchema(document, others[0], depth + 1) : {}
  const types = (Array.isArray(type) ? type : [type]).filter((one) => typeof one === 'string') as readonly string[]
  const own = types.filter((one) => one !== 'null')
  const isNullable =
    schema.nullable === true || own.length < types.length || (choices !== undefined && others.length < choices.length)
  const all = [...parts, only, rest as FlatSchema]
  return Object.assign({}, ...all, {
    ...(own.length === 1 && { type: own[0] }),
    ...(isNullable && { nullable: true }),
    properties: Object.assign({}, ...all.map((one) => one.properties ?? {})),
    required: all.flatMap((one) => (Array.isArray(one.required) ? one.required : [])),
  })
}
