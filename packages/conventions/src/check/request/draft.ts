/** Bodies for writes: values that fit the document, and look like those of a record that is there. */
import type { ContractOperation } from '../../document/contract.ts'
import type { Json, JsonObject } from '../../document/read-document.ts'
import type { Survey } from '../survey.ts'
import { bodySchema, propertiesOf, typesOf, valueSchema } from './schema.ts'

/** The properties that a PUT or a PATCH may change. */
export function mutableNames(survey: Survey): string[] {
  const { replace, update, create, detail } = survey.collection
  const { document } = survey.world.surface
  const given = propertiesOf(document, bodySchema(replace) ?? bodySchema(update) ?? bodySchema(create))
  return [...given.schemas].flatMap(([name, schema]) => {
    const isStatic = schema.readOnly === true || detail.schemas.get(name)?.readOnly === true
    return isStatic || name === survey.identityName || !detail.schemas.has(name) ? [] : [name]
  })
}

/** What a POST takes: all that can be given, or only what must be. */
export function draft(survey: Survey, operation: ContractOperation, like: JsonObject | undefined, isLeast: boolean) {
  const { detail } = survey.collection
  const { document } = survey.world.surface
  const own = propertiesOf(document, bodySchema(operation))
  const { schemas, required } = own.schemas.size > 0 ? own : detail
  const body: Record<string, Json> = {}
  for (const [name, schema] of schemas) {
    if (schema.readOnly === true || detail.schemas.get(name)?.readOnly === true) continue
    const isShown = detail.schemas.has(name) && name !== survey.identityName
    if (!required.has(name) && (isLeast || !isShown)) continue
    const value = valueFor(survey, schema, like?.[name])
    if (value !== undefined) body[name] = value
  }
  return body as JsonObject
}

/** One that fits: new where it is free text, that of the other record where it may mean something. */
function valueFor(survey: Survey, given: JsonObject, like: Json | undefined): Json | undefined {
  const { document } = survey.world.surface
  const schema = valueSchema(document, given)
  const types = typesOf(document, given)
  if (like === null) return null
  if (Array.isArray(schema.enum)) return like ?? schema.enum.find((one) => one !== null)
  if (schema.const !== undefined) return schema.const
  if (types.has('boolean')) return like ?? schema.default ?? false
  if (types.has('number')) return like ?? schema.default ?? schema.minimum ?? 1
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
  const { document } = survey.world.surface
  for (const name of mutableNames(survey)) {
    const schema = valueSchema(document, survey.collection.detail.schemas.get(name) ?? {})
    const isFree = !schema.enum && !schema.format && !schema.pattern && typesOf(document, schema).has('string')
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
