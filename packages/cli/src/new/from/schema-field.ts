/** A property of a schema as a field. */
import type { Json, JsonObject, Shape } from '@nomen/core/openapi'
import { type Call, call, type FieldPlan, type Target } from './field-plan.ts'

export interface Property {
  readonly name: string
  readonly shape: Shape
  readonly isRequired: boolean
  /** The noun that it points at, where its name or its schema says so. */
  readonly target?: Target | undefined
}

/** The field, or in words why there is none. */
export function schemaField({ name, shape, isRequired, target }: Property): FieldPlan | string {
  const kind = target && shape.type !== 'array' ? call('reference', target) : kindOf(name, shape)
  if (typeof kind === 'string') return kind
  if (kind.name === 'createdAt' || kind.name === 'updatedAt') return [kind]
  const modifiers: Call[] = []
  const initial = shape.schema.default
  if (shape.isNullable || (!isRequired && initial === undefined)) modifiers.push(call('nullable'))
  else if (initial !== undefined && initial !== null && kind.name !== 'reference') {
    modifiers.push({ name: 'default', given: [initial] })
  }
  return [kind, ...modifiers]
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
      return 'Left out: a list of values has no place in a record. Declare a noun for them, as a child or by a link.'
    case 'object':
      return 'Left out: an object within a record. Declare its properties one by one, or a noun of its own and a reference.'
    default:
      return 'Left out: its schema does not say what it holds.'
  }
}

function textKind(name: string, schema: JsonObject): Call | string {
  if (Array.isArray(schema.enum)) {
    const choices = schema.enum.filter((one: Json) => one !== null)
    return choices.every((one: Json) => typeof one === 'string')
      ? call('choice', ...choices)
      : 'Left out: its values are of several kinds.'
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
      return call('date')
    case 'date-time':
      return momentKind(name)
    case 'binary':
    case 'byte':
      return 'Left out: records hold no files.'
    default:
      return call('text', lengths(schema))
  }
}

/** Moments that the service itself sets are known by their names. */
function momentKind(name: string): Call {
  if (/^(created?|creation)(at|on|date|time)?$/i.test(name)) return call('createdAt')
  if (/^(last)?(updated?|modified|changed)(at|on|date|time)?$/i.test(name)) return call('updatedAt')
  return call('timestamp')
}

/** Limits beyond which no number is exact anyway are none. */
function limits({ minimum, maximum }: JsonObject): object {
  const isLimit = (value: unknown) => typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER
  return { ...(isLimit(minimum) && { min: minimum }), ...(isLimit(maximum) && { max: maximum }) }
}

function lengths({ minLength, maxLength }: JsonObject): object {
  return {
    ...(typeof minLength === 'number' && minLength > 0 && { minLength }),
    ...(typeof maxLength === 'number' && { maxLength }),
  }
}
