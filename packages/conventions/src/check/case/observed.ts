/** Checks for all responses of the run. */
import { isObject } from '@nomen/core/openapi'
import type { Ajv2020 } from 'ajv/dist/2020.js'
import type { Json, JsonObject, OpenApiDocument } from '../../document/read-document.ts'
import type { Code } from '../catalog.ts'
import { expect, Skip } from '../finding.ts'
import { validatorOf } from '../json-schema.ts'
import { type CheckResponse, isJsonType } from '../request/exchange.ts'

export interface ObservedCheck {
  readonly code: Code
  readonly run: (responses: readonly CheckResponse[], document: OpenApiDocument, ajv: Ajv2020) => void
}

function checkDocument(responses: readonly CheckResponse[], document: OpenApiDocument, ajv: Ajv2020): void {
  const success = responses[0]?.request.operation?.success
  const schema = success?.isJson ? success.shape?.raw : undefined
  if (schema === undefined) throw new Skip('the document has no JSON response for it')
  const validate = validatorOf(schema, document, ajv)
  for (const response of responses) {
    if (response.json === undefined) continue
    expect(validate(response.json) === true, () => {
      const [error] = validate.errors ?? []
      const errorLocation = error?.instancePath || 'the body'
      const propertyText =
        error?.params && 'additionalProperty' in error.params ? ` "${error.params.additionalProperty}"` : ''
      return {
        expected: 'the shape in the document',
        actual: `${errorLocation} ${error?.message}${propertyText}`,
        response,
      }
    })
  }
}

function checkMediaType(responses: readonly CheckResponse[]): void {
  for (const response of responses) {
    const type = response.headers.get('content-type')
    expect(response.text === '' || isJsonType(type ?? ''), () => ({
      expected: 'a JSON media type',
      actual: `content-type is ${type ?? 'missing'}`,
      response,
    }))
  }
}

const metadataName = /^(request|transaction|correlation|trace|session)-?_?id$|^(authorization|accessToken|clientInfo)$/i

function checkMetadata(responses: readonly CheckResponse[]): void {
  for (const response of responses)
    for (const object of objectsOf(response.json)) {
      const name = Object.keys(object).find((property) => metadataName.test(property))
      expect(name === undefined, () => ({
        expected: 'metadata of a request only in headers',
        actual: `the body has "${name}"`,
        response,
      }))
    }
}

/** A reference must not be an object with an ID and a name. */
function checkFlat(responses: readonly CheckResponse[]): void {
  for (const response of responses)
    for (const record of recordsOf(response.json))
      for (const [name, value] of Object.entries(record)) {
        const innerNames = isObject(value) ? Object.keys(value) : []
        const isPair =
          innerNames.length > 0 &&
          innerNames.length <= 2 &&
          innerNames.some((property) => /^(id|ref|guid|key)$|(Id|Ref)$/.test(property))
        expect(!isPair, () => ({
          expected: `"${name}" as one value, an ID or a label`,
          actual: `an object with ${innerNames.join(' and ')}`,
          response,
        }))
      }
}

function recordsOf(json: Json | undefined): JsonObject[] {
  const value = isObject(json) && Array.isArray(json.results) ? json.results : json
  return (Array.isArray(value) ? value : [value]).filter(isObject)
}

function objectsOf(json: Json | undefined): JsonObject[] {
  const envelope = isObject(json) && isObject(json.pageInfo) ? [json, json.pageInfo] : []
  return [...envelope, ...recordsOf(json)]
}

export const observedChecks: readonly ObservedCheck[] = [
  { code: 'document-agrees', run: checkDocument },
  { code: 'json-media-type', run: checkMediaType },
  { code: 'metadata-in-header', run: checkMetadata },
  { code: 'flat-record', run: checkFlat },
]
