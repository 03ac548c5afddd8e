/** Converts a property of a schema to a field. */
import { DeclarationError, identity, noun } from '@nomen/core'
import { compilePattern, type Json, type JsonObject, PatternError, type Shape } from '@nomen/core/openapi'
import { type Call, call, type FieldPlan, planField, type Target } from '../field-plan.ts'

export interface Property {
  readonly name: string
  readonly shape: Shape
  readonly isRequired: boolean
  /** The referenced noun, if the name or the schema shows one. */
  readonly target?: Target | undefined
}

/** The field, or the reason why the property is left out. */
export function schemaField({ name, shape, isRequired, target }: Property): FieldPlan | string {
  const kind = target && shape.type !== 'array' ? call('reference', target) : kindOf(name, shape)
  if (typeof kind === 'string') return kind
  if (kind.name === 'createdAt' || kind.name === 'updatedAt') return [kind]
  const defaultValue = shape.schema.default
  const hasDefault = defaultValue !== undefined && defaultValue !== null && kind.name !== 'reference'
  const defaults: Call[] =
    hasDefault && isDeclarable([kind, exactCall('default', defaultValue)]) ? [exactCall('default', defaultValue)] : []
  const isNullable = shape.isNullable || (!isRequired && defaults.length === 0)
  return [kind, ...(isNullable ? [call('nullable')] : []), ...defaults]
}

/** A call with this argument, even if it is empty. */
function exactCall(name: string, value: Json): Call {
  return { name, args: [value] }
}

/** Whether the default is a value of the field. */
function isDeclarable(plan: FieldPlan): boolean {
  try {
    return noun('trial', { id: identity(), trial: planField(plan) }) !== undefined
  } catch (error) {
    if (error instanceof DeclarationError) return false
    throw error
  }
}

function kindOf(name: string, { type, schema }: Shape): Call | string {
  switch (type) {
    case 'boolean':
      return call('boolean')
    case 'integer':
      return call('integer', limits(schema))
    case 'number':
      return call('number', limits(schema))
    case 'string':
      return textKind(name, schema)
    case 'array':
      return 'Left out: a field cannot be an array. Declare a noun for its values, as a child or with a link.'
    case 'object':
      return 'Left out: a field cannot be an object. Declare its properties as fields, or a noun and a reference.'
    default:
      return 'Left out: its schema has no type.'
  }
}

function textKind(name: string, schema: JsonObject): Call | string {
  if (Array.isArray(schema.enum)) {
    const choices = schema.enum.filter((value: Json) => value !== null)
    return choices.every((value: Json) => typeof value === 'string')
      ? call('choice', ...choices)
      : 'Left out: its values have several types.'
  }
  switch (schema.format) {
    case 'email':
      return call('email')
    case 'uri':
    case 'url':
      return call('url')
    case 'uuid':
      return call('guid')
    case 'date':
      return call('date', textRange(schema))
    case 'date-time':
      return timestampKind(name, schema)
    case 'binary':
    case 'byte':
      return 'Left out: a field cannot be binary data.'
    default:
      return call('text', { ...lengths(schema), ...patternOf(schema) })
  }
}

/** Recognizes timestamps that the service sets by their names. */
function timestampKind(name: string, schema: JsonObject): Call {
  if (/^(created?|creation)(at|on|date|time)?$/i.test(name)) return call('createdAt')
  if (/^(last)?(updated?|modified|changed)(at|on|date|time)?$/i.test(name)) return call('updatedAt')
  return call('timestamp', textRange(schema))
}

function textRange({ 'x-nomen-minimum': min, 'x-nomen-maximum': max }: JsonObject): object {
  return { ...(typeof min === 'string' && { min }), ...(typeof max === 'string' && { max }) }
}

/** The limits of a number, without those beyond the exact integers. */
function limits({ minimum, maximum }: JsonObject): object {
  const isLimit = (value: unknown) => typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER
  return { ...(isLimit(minimum) && { min: minimum }), ...(isLimit(maximum) && { max: maximum }) }
}

/** A pattern that can be declared. */
function patternOf({ pattern }: JsonObject): object {
  return typeof pattern === 'string' && patternFault(pattern) === undefined ? { pattern: new RegExp(pattern, 'u') } : {}
}

/** Why a pattern of a document cannot be declared; undefined if it can. */
export function patternFault(pattern: string): string | undefined {
  try {
    compilePattern(pattern)
    return undefined
  } catch (error) {
    if (error instanceof PatternError) return error.message
    throw error
  }
}

function lengths({ minLength, maxLength }: JsonObject): object {
  return {
    ...(typeof minLength === 'number' && minLength > 0 && { minLength }),
    ...(typeof maxLength === 'number' && { maxLength }),
  }
}
