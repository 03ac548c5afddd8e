/** Bodies for writes: valid values that resemble those of an existing record. */

import { compilePattern, type DocumentOperation, PatternError, type Shape } from '@nomen/core/openapi'
import type { Json, JsonObject } from '../../document/read-document.ts'
import type { Survey } from '../survey.ts'
import { absentValue } from './absent-value.ts'

/** The writable properties of a PUT or PATCH. */
export function mutableNames({ collection, identityName }: Survey): string[] {
  const { replace, update, create, detail } = collection
  const body = replace?.body?.shape ?? update?.body?.shape ?? create?.body?.shape
  return [...(body?.properties.values() ?? [])].flatMap(({ name, isReadOnly }) => {
    const detailProperty = detail?.properties.get(name)
    return isReadOnly || !detailProperty || detailProperty.isReadOnly || name === identityName ? [] : [name]
  })
}

/** The body of a POST: all properties, or only the required ones. */
export function draft(
  survey: Survey,
  operation: DocumentOperation,
  existing: JsonObject | undefined,
  isMinimal: boolean,
) {
  const { detail } = survey.collection
  const bodyShape = operation.body?.shape
  const properties = bodyShape && bodyShape.properties.size > 0 ? bodyShape.properties : detail?.properties
  const body: Record<string, Json> = {}
  for (const { name, shape, isRequired, isReadOnly } of properties?.values() ?? []) {
    const detailProperty = detail?.properties.get(name)
    if (isReadOnly || detailProperty?.isReadOnly) continue
    const isKnownProperty = detailProperty !== undefined && name !== survey.identityName
    if (!isRequired && (isMinimal || !isKnownProperty)) continue
    const value = valueFor(survey, shape, existing?.[name])
    if (value !== undefined) body[name] = value
  }
  return body as JsonObject
}

/** A valid value: new for free text, otherwise the value of the other record. */
function valueFor(survey: Survey, { schema, types }: Shape, existing: Json | undefined): Json | undefined {
  if (existing === null) return null
  if (Array.isArray(schema.enum)) return existing ?? schema.enum.find((value) => value !== null)
  if (schema.const !== undefined) return schema.const
  if (types.has('boolean')) return existing ?? schema.default ?? false
  if (types.has('number') || types.has('integer')) return existing ?? schema.default ?? schema.minimum ?? 1
  if (types.has('string') || types.size === 0) return textFor(survey, schema, existing)
  return existing ?? schema.default ?? (types.has('array') ? [] : undefined)
}

function textFor(survey: Survey, schema: JsonObject, existing: Json | undefined): Json {
  if (schema.format === 'email' || schema.format === 'uuid') return absentValue(survey.random, schema, '')
  if (schema.format === 'date-time')
    return existing ?? schema['x-nomen-minimum'] ?? schema['x-nomen-maximum'] ?? '2026-01-02T03:04:05.000Z'
  if (schema.format === 'date')
    return existing ?? schema['x-nomen-minimum'] ?? schema['x-nomen-maximum'] ?? '2026-01-02'
  // Never the URL of another record: a new webhook would send to a real receiver.
  if (schema.format === 'uri') return 'https://nomen-check.invalid/'
  if (schema.format !== undefined)
    return existing ?? schema.default ?? schema['x-nomen-minimum'] ?? matchingText(survey, schema) ?? ''
  if (schema.pattern !== undefined) return matchingText(survey, schema) ?? existing ?? schema.default ?? ''
  return freeText(survey, schema)
}

/** A new string that matches the pattern; undefined if the pattern cannot be compiled, or nothing of the length matches. */
function matchingText(survey: Survey, schema: JsonObject): string | undefined {
  const { pattern, minLength, maxLength } = schema
  if (typeof pattern !== 'string') return undefined
  try {
    return compilePattern(pattern).sample({
      minLength: typeof minLength === 'number' ? minLength : undefined,
      maxLength: typeof maxLength === 'number' ? maxLength : undefined,
      pick: survey.random.below,
    })
  } catch (error) {
    if (error instanceof PatternError) return undefined
    throw error
  }
}

function freeText(survey: Survey, schema: JsonObject): string {
  const maxLength = typeof schema.maxLength === 'number' ? schema.maxLength : 40
  const minLength = typeof schema.minLength === 'number' ? schema.minLength : 0
  return `nomen-check-${survey.random.word(10)}`.slice(0, maxLength).padEnd(minLength, 'x')
}

/** A property of the record with free text, and a new text for it. */
export function textChange(survey: Survey, record: JsonObject): readonly [name: string, value: Json] | undefined {
  for (const name of mutableNames(survey)) {
    const { schema = {}, types } = survey.collection.detail?.properties.get(name)?.shape ?? {}
    const isFree = !schema.enum && !schema.format && types?.has('string')
    if (!isFree || typeof record[name] !== 'string') continue
    const text = schema.pattern === undefined ? freeText(survey, schema) : matchingText(survey, schema)
    if (text !== undefined && text !== record[name]) return [name, text]
  }
  return undefined
}

/** Another value of the same type, for an immutable property. */
export function otherValue(value: Json | undefined): Json {
  if (typeof value === 'number') return value + 987_654
  if (typeof value === 'boolean') return !value
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)) return '2001-02-03T04:05:06.007Z'
  return typeof value === 'string' ? `${value}x` : 987_654
}
