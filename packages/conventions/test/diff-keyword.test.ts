/** Every keyword of JSON Schema 2020-12, in requests and responses, added, removed, tightened and loosened. */
import { describe, expect, it } from 'vitest'
import { diff, type Json, type OpenApiDocument } from '../src/index.ts'
import { applicatorRows } from './diff-keyword/applicator.ts'
import type { Verdict } from './diff-keyword/keyword-row.ts'
import { validationRows } from './diff-keyword/validation.ts'

const rows = [...validationRows, ...applicatorRows]

function documentWith(use: 'request' | 'response', schema: Json): OpenApiDocument {
  const record = (value: Json) => ({
    'application/json': { schema: { type: 'object', properties: { value, other: { type: 'string' } } } },
  })
  const plain: Json = { type: 'string' }
  return {
    openapi: '3.1.0',
    info: { title: 't', version: '1' },
    paths: {
      '/thing/{id}': {
        put: {
          requestBody: { content: record(use === 'request' ? schema : plain) },
          responses: { '200': { description: 'd', content: record(use === 'response' ? schema : plain) } },
        },
      },
    },
    components: { schemas: { Text: { type: 'string' }, Number: { type: 'number' } } },
  }
}

function verdictOf(use: 'request' | 'response', old: Json, next: Json): Verdict {
  const { changes } = diff(documentWith(use, old), documentWith(use, next))
  return changes.some(({ isBreaking }) => isBreaking) ? 'breaks' : changes.length > 0 ? 'keeps' : 'none'
}

describe.each(['request', 'response'] as const)('in a %s', (use) => {
  it.each(rows)('$keyword', ({ old, next, [use]: [forward, backward] }) => {
    expect([verdictOf(use, old, next), verdictOf(use, next, old)]).toEqual([forward, backward])
  })
})

it('covers every keyword', () => {
  const keywords = `$anchor $comment $defs $dynamicAnchor $dynamicRef $id $ref additionalProperties allOf anyOf const contains
    contentEncoding contentMediaType contentSchema default dependentRequired dependentSchemas deprecated description else enum
    examples exclusiveMaximum exclusiveMinimum format if items maxContains maxItems maxLength maxProperties maximum minContains
    minItems minLength minProperties minimum multipleOf not oneOf pattern patternProperties prefixItems properties propertyNames
    readOnly required then title type unevaluatedItems unevaluatedProperties uniqueItems writeOnly`
  const used = JSON.stringify(rows)
  expect(keywords.split(/\s+/).filter((keyword) => !used.includes(`"${keyword}":`))).toEqual([])
})
