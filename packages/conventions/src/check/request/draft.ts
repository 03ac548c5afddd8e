/** Bodies for writes: values that fit the document, and look like those of a record that is there. */
import type { DocumentOperation, Shape } from '@nomen/core/openapi'
import type { Json, JsonObject } from '../../document/read-document.ts'
import type { Survey } from '../survey.ts'

/** The properties that a PUT or a PATCH may change. */
export function mutableNames({ collection, identityName }: Survey): string[] {
  const { replace, update, create, detail } = collection
  const body = replace?.body?.shape ?? update?.body?.shape ?? create?.body?.shape
  return [...(body?.properties.values() ?? [])].flatMap(({ name, isReadOnly }) => {
    const shown = detail?.properties.get(name)
    return isReadOnly || !shown || shown.isReadOnly || name === identityName ? [] : [name]
  })
}

/** What a POST takes: all that can be given, or only what must be. */
export function draft(survey: Survey, operation: DocumentOperation, like: JsonObject | undefined, isLeast: boolean) {
  const { detail } = survey.collection
  const own = operation.body?.shape
  const properties = own && own.properties.size > 0 ? own.properties : detail?.properties
  const body: Record<string, Json> = {}
  for (const { name, shape, isRequired, isReadOnly } of properties?.values() ?? []) {
    const shown = detail?.properties.get(name)
    if (isReadOnly || shown?.isReadOnly) continue
    const isShown = shown !== undefined && name !== survey.identityName
    if (!isRequired && (isLeast || !isShown)) continue
    const value = valueFor(survey, shape, like?.[name])
    if (value !== undefined) body[name] = value
  }
  return body as JsonObject
}

/** One that fits: new where it is free text, that of the other record where it may mean something. */
function valueFor(survey: Survey, { schema, types }: Shape, like: Json | undefined): Json | undefined {
  if (like === null) return null
  if (Array.isArray(schema.enum)) return like ?? schema.enum.find((one) => one !== null)
  if (schema.const !== undefined) return schema.const
  if (types.has('boolean')) return like ?? schema.default ?? false
  if (types.has('number') || types.has('integer')) return like ?? schema.default ?? schema.minimum ?? 1
  if (types.has('string') || types.size === 0) return textFor(survey, schema, like)
  return like ?? schema.default ?? (types.has('array') ? [] : undefined)
}

function textFor(survey: Survey, schema: JsonObject, like: Json | undefined): Json {
  if (schema.format === 'email' || schema.format === 'uuid') return survey.absentValue(schema, '')
  if (schema.format === 'date-time') return like ?? '2026-01-02T03:04:05.000Z'
  if (schema.format === 'date') return like ?? '2026-01-02'
  if (schema.format === 'uri') return like ?? 'https://example.com/'
  if (schema.pattern !== undefined || schema.format !== undefined) return like ?? schema.default ?? ''
  return freeText(survey, schema)
}

function freeText(survey: Survey, schema: JsonObject): string {
  const most = typeof schema.maxLength === 'number' ? schema.maxLength : 40
  const least = typeof schema.minLength === 'number' ? schema.minLength : 0
  return `nomen-check-${survey.random.word(10)}`.slice(0, most).padEnd(least, 'x')
}

/** A property of the record that can be given any other text, and such a text. */
export function change(survey: Survey, record: JsonObject): readonly [name: string, value: Json] | undefined {
  for (const name of mutableNames(survey)) {
    const { schema = {}, types } = survey.collection.detail?.properties.get(name)?.shape ?? {}
    const isFree = !schema.enum && !schema.format && !schema.pattern && types?.has('string')
    if (isFree && typeof record[name] === 'string') return [name, freeText(survey, schema)]
  }
  return undefined
}

/** Another value of the same kind, for what must not change. */
export function otherValue(value: Json | undefined): Json {
  if (typeof value === 'number') return value + 987_654
  if (typeof value === 'boolean') return !value
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)) return '2001-02-03T04:05:06.007Z'
  return typeof value === 'string' ? `${value}x` : 987_654
}
