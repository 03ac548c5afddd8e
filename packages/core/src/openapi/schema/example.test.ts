// The service accepts each example of a document unchanged.
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { api } from '../../api/api.ts'
import type { AnyField } from '../../field/field.ts'
import { date, decimal, email, identity, integer, number, text, timestamp, url } from '../../field/kinds.ts'
import { readValue } from '../../field/read-value.ts'
import { noun } from '../../noun/noun.ts'
import { resource } from '../../resource/resource.ts'
import { openapi } from '../document.ts'

const ajv = new Ajv2020({ allowUnionTypes: true, strict: false, validateFormats: false })

/** The schema of the create of a noun with this field, and its example. */
function createSchemaOf(field: AnyField) {
  const thing = noun('thing', { id: identity(), value: field })
  const document = openapi(api('shop', { versioning: 'per-noun', writes: 'nested', resources: [resource(thing)] }))
  const schema = document.components.schemas?.ThingCreate as { readonly examples: readonly [{ value: unknown }] }
  return { schema, example: schema.examples[0] }
}

const fields: [string, AnyField][] = [
  ['an integer with a minimum', integer({ min: 7 })],
  ['an integer with a maximum', integer({ max: -7 })],
  ['a number with a maximum', number({ max: 0.5 })],
  ['a text', text({ minLength: 6, maxLength: 6 })],
  ['a short text', text({ maxLength: 2 })],
  ['an e-mail address', email()],
  ['a decimal', decimal({ scale: 2 })],
  ['a decimal with a minimum', decimal({ scale: 2, min: '7.5' })],
  ['a decimal with a maximum', decimal({ scale: 2, max: '0.5' })],
  ['a negative decimal', decimal({ scale: 0, min: '-9', max: '-7' })],
  ['a day', date()],
  ['a date with a minimum', date({ min: '2030-01-01' })],
  ['a date with a maximum', date({ max: '1999-12-31' })],
  ['a date with both limits', date({ min: '1990-01-01', max: '1999-12-31' })],
  ['a timestamp', timestamp()],
  ['a timestamp with a minimum', timestamp({ min: '2030-01-01T00:00:00.000Z' })],
  ['a timestamp with a maximum', timestamp({ max: '1999-12-31T00:00:00.000Z' })],
  ['a URL', url()],
  ['a short URL', url({ maxLength: 15 })],
  ['a very short URL', url({ maxLength: 8 })],
  ['a long URL', url({ minLength: 60, maxLength: 61 })],
]

describe.each(fields)('the example of %s', (_, field) => {
  const { schema, example } = createSchemaOf(field)

  it('fits its schema', () => {
    expect(ajv.validate(schema, example), ajv.errorsText()).toBe(true)
  })

  it('is a value that the service accepts unchanged', () => {
    expect(readValue(field.spec, example.value)).toEqual({ value: example.value })
  })
})
