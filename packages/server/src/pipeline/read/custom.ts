/** Reads what an operation of the service's own is given: its query parameters, or its body; defaults are filled in. */
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
import type { CustomAsk, RawRequest } from './ask.ts'
import { bodyReader } from './body.ts'
import { givenOnce, invalidParameter, refuseUnknown } from './parameter-problem.ts'
import { refuseConditions } from './refuse-condition.ts'
import { readStrictly } from './strict.ts'

type Given = ReadonlyMap<string, readonly string[]>

/** Specialises the reading of one operation at start. */
export function customReader(operation: Operation): (raw: RawRequest, given: Given) => CustomAsk {
  const { body, custom, path, method } = operation
  const query = custom?.query ?? []
  const names = new Set(query.map(({ name }) => name))
  const readBody = bodyReader(operation)
  return (raw, given) => {
    refuseUnknown(given, names, path)
    if (!readBody && raw.body && raw.body.length > 0) throw noBody(method, path)
    if (raw.headers['idempotency-key'] !== undefined && method === 'POST') throw noKey(path)
    if (method !== 'GET') refuseConditions(operation, raw)
    return {
      query: withDefaults(query, readQuery(query, given)),
      ...(readBody && body && { body: withDefaults(body.properties, readBody(raw, [], null)) }),
    }
  }
}

function readQuery(query: readonly Property[], given: Given): Values {
  const errors: FieldError[] = []
  const values: Record<string, Value> = {}
  for (const { name, spec } of query) {
    const texts = given.get(name) ?? []
    const [text] = texts
    const reading = text === undefined ? undefined : readStrictly(spec, text)
    if (texts.length > 1) errors.push({ parameter: name, detail: givenOnce(texts) })
    else if (!reading) {
      if (!hasDefault(spec)) errors.push({ parameter: name, detail: 'is missing' })
    } else if ('fault' in reading) errors.push({ parameter: name, detail: `${reading.fault}, not ${quoted(text)}` })
    else values[name] = reading.value
  }
  if (errors.length > 0) throw invalidParameter(errors)
  return values
}

/** All of the properties, those that are not given with what they have by default. */
export function withDefaults(properties: readonly Property[], given: Values): Values {
  const byName = new Map(properties.map((property) => [property.name, property.spec]))
  const settled = (name: string): Value => {
    const value = given[name]
    if (value !== undefined) return value
    const { default: usual, defaultFrom } = byName.get(name) ?? {}
    if (usual !== undefined) return usual
    return defaultFrom === undefined ? null : settled(defaultFrom)
  }
  return Object.fromEntries(properties.map(({ name }) => [name, settled(name)]))
}

function noBody(method: string, path: string): ProblemError {
  const parts = { detail: `${method} ${path} came with a body.`, hint: 'Send none: it takes nothing.' }
  return new ProblemError(problem('body-not-allowed', parts))
}

/** A client that sends a key relies on it: it must not be passed over. */
function noKey(path: string): ProblemError {
  const detail = `POST ${path} keeps no Idempotency-Key: sent again, it would be done again.`
  return new ProblemError(problem('invalid-header', { detail, hint: 'Send it without one.' }))
}
