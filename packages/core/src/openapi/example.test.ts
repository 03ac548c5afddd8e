// The examples in documents: each one could be sent as it stands.
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { api } from '../api/api.ts'
import type { AnyField } from '../field/field.ts'
import { date, decimal, email, identity, integer, number, text, timestamp, url } from '../field/kinds.ts'
import { readValue } from '../field/read-value.ts'
import { noun } from '../noun/noun.ts'
import { resource } from '../resource/resource.ts'
import { openapi } from './document.ts'

const ajv = new Ajv2020({ allowUnionTypes: true, strict: false, validateFormats: false })

/** The schema of a create of a noun with this field, and the example that stands there. */
function createOf(field: AnyField) {
  const thing = noun('thing', { id: identity(), given: field })
  const document = openapi(api('shop', { versioning: 'per-noun', writes: 'nested', resources: [resource(thing)] }))
  const schema = document.components.schemas?.ThingCreate as { readonly examples: readonly [{ given: unknown }] }
  return { schema, example: schema.examples[0] }
}

const fields: [string, AnyField][] = [
  ['an integer from a number on', integer({ min: 7 })],
  ['an integer up to a number', integer({ max: -7 })],
  ['a number up to another', number({ max: 0.5 })],
  ['a text', text({ minLength: 6, maxLength: 6 })],
  ['a short text', text({ maxLength: 2 })],
  ['an e-mail address', email()],
  ['a decimal', decimal({ scale: 2 })],
  ['a decimal from a number on', decimal({ scale: 2, min: '7.5' })],
  ['a decimal up to a number', decimal({ scale: 2, max: '0.5' })],
  ['a decimal below zero', decimal({ scale: 0, min: '-9', max: '-7' })],
  ['a day', date()],
  ['a day from another on', date({ min: '2030-01-01' })],
  ['a day up to another', date({ max: '1999-12-31' })],
  ['a day between others', date({ min: '1990-01-01', max: '1999-12-31' })],
  ['a moment', timestamp()],
  ['a moment from another on', timestamp({ min: '2030-01-01T00:00:00.000Z' })],
  ['a moment up to another', timestamp({ max: '1999-12-31T00:00:00.000Z' })],
  ['an address', url()],
  ['a short address', url({ maxLength: 15 })],
  ['a very short address', url({ maxLength: 8 })],
  ['a long address', url({ minLength: 60, maxLength: 61 })],
]

describe.each(fields)('the example of %s', (_, field) => {
  const { schema, example } = createOf(field)

  it('fits its schema', () => {
    expect(ajv.validate(schema, example), ajv.errorsText()).toBe(true)
  })

  it('is a value that the service takes as it stands', () => {
    expect(readValue(field.spec, example.given)).toEqual({ value: example.given })
  })
})
