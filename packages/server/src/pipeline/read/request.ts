/** The first stage of the request line: text in, a typed ask out, or a problem. */
import { type FieldSpec, type Operation, ProblemError, problem, readText, specOf, type Value } from '@nomen/core'
import { hashed } from '../../auth/user-key.ts'
import { quoted } from '../../foundation/quoted.ts'
import { missingRecord } from '../answer/refusal-problem.ts'
import { readEntityTags } from '../entity-tag.ts'
import type { Ask, RawRequest } from './ask.ts'
import { bodyReader } from './body.ts'
import { customReader } from './custom.ts'
import { listReader, refuseParameters } from './list.ts'
import { parseQuery } from './query-string.ts'
import { refuseConditions } from './refuse-condition.ts'
import { readStrictly } from './strict.ts'

/** Specialises the reading of one operation's requests at start. */
export function requestReader(operation: Operation): (raw: RawRequest) => Ask {
  const { kind, levels, lookup, path } = operation
  const last = levels.length - 1
  const specs = levels.map(({ resource }) => specOf(resource.noun, resource.noun.identity))
  // In a path the empty text stands for itself, never for null.
  if (lookup) specs[last] = withoutNull(lookup.spec)
  const isOnOne = kind !== 'list' && kind !== 'create'
  const readList = operation.list && listReader(operation)
  const readBody = bodyReader(operation)
  const readCustom = operation.custom && customReader(operation)
  const isRead = operation.method === 'GET'
  const isCreate = kind === 'create'

  return (raw) => {
    if (isRead && hasBody(raw)) refuseBody(operation)
    const ancestors: Value[] = []
    let key: Value = null
    raw.parameters.forEach((text, level) => {
      const spec = specs[level]
      // What is no guid is nobody's, and not every database would take it for one to compare with, or to store.
      const reading = spec && (spec.guid ? readStrictly(spec, text) : readText(spec, text))
      if (!reading || 'fault' in reading) throw missingRecord(operation, raw.parameters, level)
      if (level < last) ancestors.push(reading.value)
      else key = reading.value
    })
    const ifMatch = readEntityTags(raw.headers['if-match'])
    if (readList) return withMatch({ raw, ancestors, key, list: readList(raw.query) }, ifMatch)
    const given = parseQuery(raw.query)
    if (readCustom) return withMatch({ raw, ancestors, key, custom: readCustom(raw, given) }, ifMatch)
    if (given.size > 0) refuseParameters(given, path)
    const values = readBody?.(raw, ancestors, key)
    if (isCreate) refuseConditions(operation, raw)
    const ifNoneMatch = readEntityTags(raw.headers['if-none-match'])
    const idempotency = isCreate ? readIdempotency(path, ancestors, raw) : undefined
    return {
      raw,
      ancestors,
      key: isOnOne ? key : null,
      ...(values && { values }),
      ...(ifMatch && { ifMatch }),
      ...(ifNoneMatch && { ifNoneMatch }),
      ...(idempotency && { idempotency }),
    }
  }
}

/** Most requests have none, and are left as they are. */
function withMatch(ask: Ask, ifMatch: Ask['ifMatch']): Ask {
  return ifMatch ? { ...ask, ifMatch } : ask
}

function withoutNull({ nullable: _, ...spec }: FieldSpec): FieldSpec {
  return spec
}

function hasBody({ headers }: RawRequest): boolean {
  const length = headers['content-length']
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
}

function refuseBody({ method, path }: Operation): never {
  throw new ProblemError(
    problem('body-not-allowed', {
      detail: `${method} ${path} came with a body.`,
      hint: 'Put what you want to say into query parameters.',
    }),
  )
}

function readIdempotency(path: string, ancestors: readonly Value[], { headers, body }: RawRequest): Ask['idempotency'] {
  const key = headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new ProblemError(
      problem('invalid-header', {
        detail: `Idempotency-Key is ${quoted(key)}.`,
        hint: 'Send 1 to 255 visible ASCII characters, such as a new guid for each record to be created.',
      }),
    )
  }
  // By values: an identity may be spelt in several ways.
  return { key: JSON.stringify([path, ancestors, key]), fingerprint: hashed(body ?? '') }
}
