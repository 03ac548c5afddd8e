/** Bodies of writes: the model's own check of what was sent. */

import type { Place } from './collection.ts'
import { isMutable, type Property, propertyOf } from './face.ts'
import type { Faults } from './refusal.ts'
import type { Request } from './request.ts'
import { isStorable, readInteger, type Value } from './value.ts'

/** Stored fields with the values that the body gives them. */
export type Given = Record<string, Value>

export function readBody(place: Place, { method, headers, text }: Request, faults: Faults): Given {
  const { properties } = place.collection.face
  const given: Given = {}
  if (!isAccepted(method, headers['content-type'])) {
    faults.add('unsupported-media-type')
    // A request without any body, or with one of no length, may as well be told that it has none.
    if (!text) faults.add('invalid-body')
    if (!text) faults.add('malformed-json')
    return given
  }
  const body = parse(text, faults)
  if (body === undefined) return given
  for (const [name, value] of Object.entries(body)) {
    const property = propertyOf(place.collection.face, name)
    if (property?.type === 'identity') {
      if (method !== 'POST') compareIdentity(value, String(place.ids.at(-1)), name, faults)
    } else if (name === parentOf(place)) {
      compareIdentity(value, String(place.ids[0]), name, faults)
    } else if (!property) faults.add('invalid-body', name)
    else if (isMutable(property) && !fits(property, value)) faults.add('invalid-body', name)
    else if (isMutable(property)) given[property.field] = normal(property, value as Value)
  }
  for (const property of properties) {
    const isRequired = method === 'PUT' || (method === 'POST' && !property.isOptional)
    if (isRequired && isMutable(property) && !(property.name in body)) faults.add('invalid-body', property.name)
  }
  return given
}

function isAccepted(method: string, contentType = ''): boolean {
  const [type] = contentType.split(';')
  return type === 'application/json' || (method === 'PATCH' && type === 'application/merge-patch+json')
}

function parse(text: string | undefined, faults: Faults): object | undefined {
  let body: unknown
  try {
    body = JSON.parse(text ?? '')
  } catch {
    faults.add('malformed-json')
    // An empty body is no JSON, and no object either.
    if (text === undefined || text === '') faults.add('invalid-body')
    return undefined
  }
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body
  faults.add('invalid-body')
  return undefined
}

/** The property by which a nested body may name its parent. */
function parentOf({ collection: { segments } }: Place): string | undefined {
  return segments.at(-1) === 'preference' ? 'user' : undefined
}

function compareIdentity(value: unknown, inPath: string, name: string, faults: Faults): void {
  if (typeof value === 'number' && value === readInteger(inPath)) return
  faults.add('identity-mismatch', name)
  if (!isIdentity(value)) faults.add('invalid-body', name)
}

function isIdentity(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 1
}

function fits({ type, isNullable, isNonEmpty }: Property, value: unknown): boolean {
  if (value === null) return isNullable === true
  if (type === 'boolean') return typeof value === 'boolean'
  if (type === 'reference') return isIdentity(value)
  if (typeof value !== 'string' || !isStorable(value)) return false
  if (type === 'choice') return value === 'ACTIVE' || value === 'SUSPENDED'
  if (type === 'email') return /^[!-~]+@[A-Za-z0-9.-]+$/.test(value) && value.split('@').length === 2
  if (type === 'guid') return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value)
  return !isNonEmpty || value !== ''
}

function normal({ type }: Property, value: Value): Value {
  return type === 'guid' ? String(value).toLowerCase() : value
}
