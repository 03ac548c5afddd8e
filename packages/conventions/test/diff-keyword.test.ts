/** Every keyword of JSON Schema 2020-12, wherever a schema can be: added, removed, tightened and loosened. */
import { describe, expect, it } from 'vitest'
import { type Difference, diff, type Json, type OpenApiDocument } from '../src/index.ts'
import { applicatorRows } from './diff-keyword/applicator.ts'
import type { KeywordRow, Verdict } from './diff-keyword/keyword-row.ts'
import { type SchemaLocation, schemaLocations } from './diff-keyword/schema-location.ts'
import { validationRows } from './diff-keyword/validation.ts'

const rows = [...validationRows, ...applicatorRows]
const pathOf = (row: KeywordRow) => `/thing-${rows.indexOf(row)}/{id}`

/** One document with an operation for each row, because a comparison has fixed costs. */
function documentWith({ operation }: SchemaLocation, schemaOf: (row: KeywordRow) => Json): OpenApiDocument {
  return {
    openapi: '3.1.0',
    info: { title: 't', version: '1' },
    paths: Object.fromEntries(rows.map((row) => [pathOf(row), { put: operation(schemaOf(row)) }])),
    components: {
      schemas: { Text: { type: 'string' }, Number: { type: 'number' }, TextOrNumber: { type: ['string', 'number'] } },
    },
  }
}

function verdictOf({ changes }: Difference, row: KeywordRow): Verdict {
  const own = changes.filter(({ operations }) => operations.includes(`PUT ${pathOf(row)}`))
  return own.some(({ isBreaking }) => isBreaking) ? 'breaking' : own.length > 0 ? 'compatible' : 'none'
}

describe.each(schemaLocations)('$name', (location) => {
  const [old, next] = [documentWith(location, (row) => row.old), documentWith(location, (row) => row.next)]
  const [forward, backward] = [diff(old, next), diff(next, old)]

  it.each(rows)('$keyword', (row) => {
    expect([verdictOf(forward, row), verdictOf(backward, row)]).toEqual(location.verdicts(row))
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
