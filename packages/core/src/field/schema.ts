/** The JSON Schema (2020-12) of a field. */
import type { FieldSpec } from './field.ts'

/** A JSON Schema object. */
export type JsonSchema = { readonly [keyword: string]: unknown }

/**
 * Returns the JSON Schema of a field's value, in responses and request bodies.
 *
 * @example
 * ```ts
 * fieldSchema(boolean().nullable().spec) // { type: ['boolean', 'null'], default: null }
 * ```
 */
export function fieldSchema(spec: FieldSpec): JsonSchema {
  const schema: Record<string, unknown> = valueSchema(spec)
  if (spec.nullable) {
    schema.type = [schema.type, 'null']
    if (spec.choices) schema.enum = [...spec.choices, null]
  }
  if (spec.managed) schema.readOnly = true
  if (spec.default !== undefined) schema.default = spec.default
  else if (spec.nullable && !spec.managed && spec.defaultFrom === undefined && !spec.databaseDefault)
    schema.default = null
  if (spec.description !== undefined) schema.description = spec.description
  // Scalar, Redoc and others show this extension. `oneOf` with `const` would make many generators create a class per value.
  if (spec.valueDescriptions) schema['x-enumDescriptions'] = spec.valueDescriptions
  if (spec.example !== undefined) schema.examples = [spec.example]
  return schema
}

function valueSchema(spec: FieldSpec): Record<string, unknown> {
  switch (spec.kind) {
    case 'identity':
    case 'reference':
      return spec.guid ? { type: 'string', format: 'uuid' } : integerSchema(1, Number.MAX_SAFE_INTEGER)
    case 'integer':
      return integerSchema(Number(spec.min ?? Number.MIN_SAFE_INTEGER), Number(spec.max ?? Number.MAX_SAFE_INTEGER))
    case 'number':
      return {
        type: 'number',
        ...(spec.min !== undefined && { minimum: spec.min }),
        ...(spec.max !== undefined && { maximum: spec.max }),
      }
    case 'decimal':
      return { type: 'string', format: 'decimal', pattern: decimalPattern(spec), ...textRange(spec) }
    case 'boolean':
      return { type: 'boolean' }
    case 'choice':
      return { type: 'string', enum: spec.choices }
    case 'date':
      return { type: 'string', format: 'date', ...textRange(spec) }
    case 'timestamp':
      return { type: 'string', format: 'date-time', ...textRange(spec) }
    case 'guid':
      return { type: 'string', format: 'uuid' }
    case 'email':
      return { type: 'string', format: 'email', ...lengths(spec) }
    case 'url':
      return { type: 'string', format: 'uri', pattern: '^[Hh][Tt][Tt][Pp][Ss]?://', ...lengths(spec) }
    default:
      return { type: 'string', ...lengths(spec), ...(spec.pattern && { pattern: sourceOf(spec.pattern) }) }
  }
}

/** Without the format, generators for Java, C# and Go use integers of 32 bits. */
function integerSchema(minimum: number, maximum: number): Record<string, unknown> {
  const isLong = minimum < -(2 ** 31) || maximum >= 2 ** 31
  return { type: 'integer', ...(isLong && { format: 'int64' }), minimum, maximum }
}

function decimalPattern({ precision = 18, scale = 0 }: FieldSpec): string {
  const fraction = scale === 0 ? '' : `(\\.\\d{1,${scale}})?`
  return `^-?0*\\d{1,${precision - scale}}${fraction}$`
}

/** Extensions, because JSON Schema has no minimum and maximum for strings. */
function textRange({ min, max }: FieldSpec) {
  return {
    ...(min !== undefined && { 'x-nomen-minimum': min }),
    ...(max !== undefined && { 'x-nomen-maximum': max }),
  }
}

/** The source of a pattern without the backslashes before slashes, which only JavaScript needs. */
function sourceOf({ source }: RegExp): string {
  return source.replace(/\\(.)/gs, (escaped, character) => (character === '/' ? '/' : escaped))
}

function lengths(spec: FieldSpec) {
  return {
    ...(spec.minLength !== undefined && { minLength: spec.minLength }),
    ...(spec.maxLength !== undefined && { maxLength: spec.maxLength }),
  }
}
