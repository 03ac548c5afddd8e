/** Checks of every kind of answer that came, whatever it was asked for. */
import { isObject } from '@nomen/core/openapi'
import type { Ajv2020 } from 'ajv/dist/2020.js'
import type { Json, JsonObject, OpenApiDocument } from '../../document/read-document.ts'
import type { Code } from '../catalogue.ts'
import { expect, Skip } from '../finding.ts'
import { type Answer, isJsonType } from '../request/exchange.ts'

export interface ObservedCheck {
  readonly code: Code
  readonly run: (answers: readonly Answer[], document: OpenApiDocument, ajv: Ajv2020) => void
}

function fitsDocument(answers: readonly Answer[], document: OpenApiDocument, ajv: Ajv2020): void {
  const success = answers[0]?.ask.operation?.success
  const schema = success?.isJson ? success.shape?.raw : undefined
  if (schema === undefined) throw new Skip('the document shows no JSON answer of it')
  const validate = validatorOf(schema, document, ajv)
  for (const answer of answers) {
    if (answer.json === undefined) continue
    expect(validate(answer.json) === true, () => {
      const [error] = validate.errors ?? []
      const where = error?.instancePath || 'the body'
      const more = error?.params && 'additionalProperty' in error.params ? ` "${error.params.additionalProperty}"` : ''
      return { expected: 'the shape that the document promises', actual: `${where} ${error?.message}${more}`, answer }
    })
  }
}

/** A validator of a schema in the document; skipped where it cannot be used. */
export function validatorOf(schema: JsonObject, document: OpenApiDocument, ajv: Ajv2020) {
  // references within the document begin at its root, which is this schema now
  const whole = { ...schema, components: document.components ?? {} }
  try {
    return ajv.compile(document.openapi.startsWith('3.0') ? (modern(whole) as JsonObject) : whole)
  } catch (error) {
    throw new Skip(`its schema in the document cannot be used: ${error instanceof Error ? error.message : error}`)
  }
}

/** OpenAPI 3.0 says by a flag that a bound is exclusive; its flag for null is understood as it is. */
function modern(value: Json): Json {
  if (Array.isArray(value)) return value.map(modern)
  if (!isObject(value)) return value
  const entries = Object.entries(value).flatMap(([name, one]): [string, Json][] => {
    const bound = { exclusiveMinimum: value.minimum, exclusiveMaximum: value.maximum }[name]
    if (typeof one !== 'boolean' || !/^exclusiveM..imum$/.test(name)) return [[name, modern(one)]]
    return one && bound !== undefined ? [[name, bound]] : []
  })
  return Object.fromEntries(entries)
}

function mediaType(answers: readonly Answer[]): void {
  for (const answer of answers) {
    const type = answer.headers.get('content-type')
    expect(answer.text === '' || isJsonType(type ?? ''), () => ({
      expected: 'a media type of JSON',
      actual: `content-type is ${type ?? 'missing'}`,
      answer,
    }))
  }
}

const metadata = /^(request|transaction|correlation|trace|session)-?_?id$|^(authorization|accessToken|clientInfo)$/i

function headersOnly(answers: readonly Answer[]): void {
  for (const answer of answers)
    for (const one of objectsOf(answer.json)) {
      const name = Object.keys(one).find((property) => metadata.test(property))
      expect(name === undefined, () => ({
        expected: 'what is said about a request to be in headers',
        actual: `the body has "${name}"`,
        answer,
      }))
    }
}

/** An object of an id and a name is one property. */
function flat(answers: readonly Answer[]): void {
  for (const answer of answers)
    for (const record of recordsOf(answer.json))
      for (const [name, value] of Object.entries(record)) {
        const inner = isObject(value) ? Object.keys(value) : []
        const isPair =
          inner.length > 0 && inner.length <= 2 && inner.some((one) => /^(id|ref|guid|key)$|(Id|Ref)$/.test(one))
        expect(!isPair, () => ({
          expected: `"${name}" as a single property, an identity or a display value`,
          actual: `it is an object of ${inner.join(' and ')}`,
          answer,
        }))
      }
}

function recordsOf(json: Json | undefined): JsonObject[] {
  const given = isObject(json) && Array.isArray(json.results) ? json.results : json
  return (Array.isArray(given) ? given : [given]).filter(isObject)
}

function objectsOf(json: Json | undefined): JsonObject[] {
  const envelope = isObject(json) && isObject(json.pageInfo) ? [json, json.pageInfo] : []
  return [...envelope, ...recordsOf(json)]
}

export const observedChecks: readonly ObservedCheck[] = [
  { code: 'document-agrees', run: fitsDocument },
  { code: 'json-media-type', run: mediaType },
  { code: 'metadata-in-header', run: headersOnly },
  { code: 'flat-record', run: flat },
]
