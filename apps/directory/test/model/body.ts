/** Validates request bodies in the model. */

import type { Target } from './collection.ts'
import type { Faults } from './refusal.ts'
import type { Request } from './request.ts'
import { isGuid, isStorable, readInteger, type Value } from './value.ts'
import { isSettable, type Property, propertyOf } from './view.ts'

/** The values in the body by stored field. */
export type BodyValues = Record<string, Value>

export function readBody(target: Target, { method, headers, text }: Request, faults: Faults): BodyValues {
  const { properties } = target.collection.view
  const values: BodyValues = {}
  if (!isAcceptedType(method, headers['content-type'])) {
    faults.add('unsupported-media-type')
    // For a missing or empty body, the service may report either fault.
    if (!text) faults.add('invalid-body')
    if (!text) faults.add('malformed-json')
    return values
  }
  const body = parse(text, faults)
  if (body === undefined) return values
  for (const [name, value] of Object.entries(body)) {
    const property = propertyOf(target.collection.view, name)
    if (property?.type === 'identity') {
      if (method !== 'POST') compareIdentity(value, String(target.ids.at(-1)), name, faults)
    } else if (name === parentProperty(target)) {
      compareIdentity(value, String(target.ids[0]), name, faults)
    } else if (!property) faults.add('invalid-body', name)
    else if (isSettable(property) && !isValid(property, value)) faults.add('invalid-body', name)
    else if (isSettable(property)) values[property.field] = normalize(property, value as Value)
  }
  for (const property of properties) {
    const isRequired = method === 'PUT' || (method === 'POST' && !property.isOptional)
    if (isRequired && isSettable(property) && !(property.name in body)) faults.add('invalid-body', property.name)
  }
  return values
}

function isAcceptedType(method: string, contentType = ''): boolean {
  const [type] = contentType.split(';')
  return type === 'application/json' || (method === 'PATCH' && type === 'application/merge-patch+json')
}

function parse(text: string | undefined, faults: Faults): object | undefined {
  let body: unknown
  try {
    body = JSON.parse(text ?? '')
  } catch {
    faults.add('malformed-json')
    // An empty body is neither valid JSON nor an object, so the service may report either fault.
    if (text === undefined || text === '') faults.add('invalid-body')
    return undefined
  }
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body
  faults.add('invalid-body')
  return undefined
}

/** The property of a nested body that may contain the parent. */
function parentProperty({ collection: { segments } }: Target): string | undefined {
  return segments.at(-1) === 'preference' ? 'user' : undefined
}

function compareIdentity(value: unknown, pathId: string, name: string, faults: Faults): void {
  if (typeof value === 'number' && value === readInteger(pathId)) return
  faults.add('identity-mismatch', name)
  if (!isIdentity(value)) faults.add('invalid-body', name)
}

function isIdentity(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 1
}

function isValid({ type, isNullable, isNonEmpty }: Property, value: unknown): boolean {
  if (value === null) return isNullable === true
  if (type === 'boolean') return typeof value === 'boolean'
  if (type === 'reference') return isIdentity(value)
  if (typeof value !== 'string' || !isStorable(value)) return false
  if (type === 'choice') return value === 'ACTIVE' || value === 'SUSPENDED'
  if (type === 'email') return /^[!-~]+@[A-Za-z0-9.-]+$/.test(value) && value.split('@').length === 2
  if (type === 'guid') return isGuid(value)
  return !isNonEmpty || value !== ''
}

function normalize({ type }: Property, value: Value): Value {
  return type === 'guid' ? String(value).toLowerCase() : value
}
