/** The first stage of the pipeline: parses and validates a request, or throws a problem. */
import { type FieldSpec, type Operation, ProblemError, problem, readText, specOf, type Value } from '@nomen/core'
import { quoted } from '../../foundation/quoted.ts'
import { sha256 } from '../../foundation/sha256.ts'
import { readEntityTags } from '../entity-tag.ts'
import { missingRecord } from '../respond/rejection-problem.ts'
import { bodyReader, handlerBodyReader } from './body.ts'
import { bodyNotAllowed, customReader } from './custom.ts'
import { listReader } from './list.ts'
import { invalidParameter, rejectUnknown, repeatedDetail } from './parameter-problem.ts'
import type { ParsedRequest, RawRequest } from './parsed-request.ts'
import { parseQuery, type Query } from './query-string.ts'
import { readStrictly } from './read-strictly.ts'
import { rejectConditions } from './reject-conditions.ts'

/** Creates the request reader of one operation at start. Assignments set the `assignedFields`. */
export function requestReader(
  operation: Operation,
  assignedFields: readonly string[] = [],
): (raw: RawRequest) => ParsedRequest {
  const { kind, levels, lookup, path } = operation
  const lastLevel = levels.length - 1
  const specs = levels.map(({ resource }) => specOf(resource.noun, resource.noun.identity))
  // In a path, the empty string is a value and does not mean null.
  if (lookup) specs[lastLevel] = withoutNull(lookup.spec)
  const isOnRecord = kind !== 'list' && kind !== 'create'
  const readList = operation.list && listReader(operation)
  const readBody = bodyReader(operation)
  const readHandlerBody = handlerBodyReader(operation, assignedFields) ?? readBody
  const readCustom = operation.custom && customReader(operation)
  const isRead = operation.method === 'GET'
  const isCreate = kind === 'create'

  return (raw) => {
    if (isRead && hasBody(raw)) throw bodyNotAllowed(operation, 'Use query parameters.')
    const ancestors: Value[] = []
    let key: Value = null
    raw.parameters.forEach((text, level) => {
      const spec = specs[level]
      const result = spec && readText(spec, text)
      if (!result || 'fault' in result) throw missingRecord(operation, raw.parameters, level)
      if (level < lastLevel) ancestors.push(result.value)
      else key = result.value
    })
    const ifMatch = readEntityTags(raw.headers['if-match'])
    if (readList) return withMatch({ raw, ancestors, key, list: readList(raw.query) }, ifMatch)
    const query = parseQuery(raw.query)
    if (readCustom) return withMatch({ raw, ancestors, key, custom: readCustom(raw, query) }, ifMatch)
    if (query.size > 0 && operation.at) return withMatch({ raw, ancestors, key, at: readAt(operation, query) }, ifMatch)
    if (query.size > 0) rejectUnknown(query, new Set(), path)
    if (isCreate || kind === 'restore' || kind === 'erase') rejectConditions(operation, raw)
    const ifNoneMatch = readEntityTags(raw.headers['if-none-match'])
    const idempotency = isCreate ? readIdempotency(path, ancestors, raw) : undefined
    const values = (raw.isFromHandler ? readHandlerBody : readBody)?.(raw, ancestors, key)
    return {
      raw,
      ancestors,
      key: isOnRecord ? key : null,
      ...(values && { values }),
      ...(ifMatch && { ifMatch }),
      ...(ifNoneMatch && { ifNoneMatch }),
      ...(idempotency && { idempotency }),
    }
  }
}

/** Reads the query parameter `at`. */
function readAt({ at: spec, path }: Operation, query: Query): string {
  rejectUnknown(query, new Set(['at']), path)
  const texts = query.get('at') ?? []
  const [text = ''] = texts
  if (texts.length > 1) throw invalidParameter([{ parameter: 'at', detail: repeatedDetail(texts) }])
  const result = readStrictly(spec as FieldSpec, text)
  if ('fault' in result) throw invalidParameter([{ parameter: 'at', detail: `${result.fault}, not ${quoted(text)}` }])
  return result.value as string
}

/** Most requests have no If-Match and are not copied. */
function withMatch(request: ParsedRequest, ifMatch: ParsedRequest['ifMatch']): ParsedRequest {
  return ifMatch ? { ...request, ifMatch } : request
}

function withoutNull({ nullable: _, ...spec }: FieldSpec): FieldSpec {
  return spec
}

function hasBody({ headers }: RawRequest): boolean {
  const length = headers['content-length']
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
}

function readIdempotency(
  path: string,
  ancestors: readonly Value[],
  { headers, body }: RawRequest,
): ParsedRequest['idempotency'] {
  const key = headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new ProblemError(
      problem('invalid-header', {
        detail: `Idempotency-Key ${quoted(key)} is invalid.`,
        hint: 'Send 1 to 255 visible ASCII characters, such as a new GUID for each record that you create.',
      }),
    )
  }
  // Uses the parsed identities, because the same identity may be written in several ways.
  return { key: JSON.stringify([path, ancestors, key]), fingerprint: sha256(body ?? '') }
}
