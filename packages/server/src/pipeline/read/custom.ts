/** Reads the query parameters and the body of a custom operation, and fills in defaults. */
import {
  type FieldError,
  hasDefault,
  type Operation,
  ProblemError,
  type Property,
  problem,
  type Value,
} from '@nomen/core'
import { quoted } from '../../foundation/quoted.ts'
import type { Values } from '../../store/plan.ts'
import { bodyReader } from './body.ts'
import { invalidParameter, rejectUnknown, repeatedDetail } from './parameter-problem.ts'
import type { CustomInput, RawRequest } from './parsed-request.ts'
import type { Query } from './query-string.ts'
import { readStrictly } from './read-strictly.ts'
import { rejectConditions } from './reject-conditions.ts'

/** Creates the reader of one operation at start. */
export function customReader(operation: Operation): (raw: RawRequest, query: Query) => CustomInput {
  const { body, custom, path, method } = operation
  const parameters = custom?.query ?? []
  const names = new Set(parameters.map(({ name }) => name))
  const readBody = bodyReader(operation)
  return (raw, query) => {
    rejectUnknown(query, names, path)
    if (!readBody && raw.body && raw.body.length > 0)
      throw bodyNotAllowed(operation, 'Send the request without a body.')
    if (raw.headers['idempotency-key'] !== undefined && method === 'POST') throw keyNotSupported(path)
    if (method !== 'GET') rejectConditions(operation, raw)
    return {
      query: withDefaults(parameters, readQuery(parameters, query)),
      ...(readBody && body && { body: withDefaults(body.properties, readBody(raw, [], null)) }),
    }
  }
}

function readQuery(parameters: readonly Property[], query: Query): Values {
  const errors: FieldError[] = []
  const values: Record<string, Value> = {}
  for (const { name, spec } of parameters) {
    const texts = query.get(name) ?? []
    const [text] = texts
    const result = text === undefined ? undefined : readStrictly(spec, text)
    if (texts.length > 1) errors.push({ parameter: name, detail: repeatedDetail(texts) })
    else if (!result) {
      if (!hasDefault(spec)) errors.push({ parameter: name, detail: 'is missing' })
    } else if ('fault' in result) errors.push({ parameter: name, detail: `${result.fault}, not ${quoted(text)}` })
    else values[name] = result.value
  }
  if (errors.length > 0) throw invalidParameter(errors)
  return values
}

/** The values of all properties; missing ones get their defaults. */
export function withDefaults(properties: readonly Property[], values: Values): Values {
  const specs = new Map(properties.map((property) => [property.name, property.spec]))
  const resolve = (name: string): Value => {
    const value = values[name]
    if (value !== undefined) return value
    const { default: defaultValue, defaultFrom } = specs.get(name) ?? {}
    if (defaultValue !== undefined) return defaultValue
    return defaultFrom === undefined ? null : resolve(defaultFrom)
  }
  return Object.fromEntries(properties.map(({ name }) => [name, resolve(name)]))
}

export function bodyNotAllowed({ method, path }: Operation, hint: string): ProblemError {
  return new ProblemError(problem('body-not-allowed', { detail: `${method} ${path} does not accept a body.`, hint }))
}

/** Clients rely on an Idempotency-Key, so it must not be ignored. */
function keyNotSupported(path: string): ProblemError {
  const detail = `POST ${path} does not support Idempotency-Key: a retry would run the operation again.`
  return new ProblemError(problem('invalid-header', { detail, hint: 'Remove the header.' }))
}
