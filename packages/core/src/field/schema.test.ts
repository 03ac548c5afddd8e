import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import {
  boolean,
  choice,
  date,
  decimal,
  email,
  guid,
  identity,
  integer,
  number,
  reference,
  text,
  timestamp,
  url,
} from './kinds.ts'
import { createdAt, createdBy } from './managed-kinds.ts'
import { fieldSchema } from './schema.ts'

const maxSafe = 9007199254740991
const target = () => ({})

const cases = [
  ['an identity', identity(), { type: 'integer', format: 'int64', minimum: 1, maximum: maxSafe, readOnly: true }],
  ['a guid identity', identity('guid'), { type: 'string', format: 'uuid', readOnly: true }],
  ['an integer', integer(), { type: 'integer', format: 'int64', minimum: -maxSafe, maximum: maxSafe }],
  ['an integer with limits', integer({ min: 0, max: 9 }), { type: 'integer', minimum: 0, maximum: 9 }],
  [
    'the largest integer of 32 bits',
    integer({ min: 0, max: 2 ** 31 - 1 }),
    { type: 'integer', minimum: 0, maximum: 2 ** 31 - 1 },
  ],
  [
    'an integer beyond 32 bits',
    integer({ min: 0, max: 2 ** 31 }),
    { type: 'integer', format: 'int64', minimum: 0, maximum: 2 ** 31 },
  ],
  ['a number', number(), { type: 'number' }],
  ['a number with limits', number({ min: -0.5, max: 0.5 }), { type: 'number', minimum: -0.5, maximum: 0.5 }],
  [
    'a decimal',
    decimal({ precision: 5, scale: 2 }),
    { type: 'string', format: 'decimal', pattern: '^-?0*\\d{1,3}(\\.\\d{1,2})?$' },
  ],
  ['a whole decimal', decimal({ scale: 0 }), { type: 'string', format: 'decimal', pattern: '^-?0*\\d{1,18}$' }],
  ['a text', text(), { type: 'string' }],
  ['a text with limits', text({ minLength: 1, maxLength: 80 }), { type: 'string', minLength: 1, maxLength: 80 }],
  ['an e-mail address', email(), { type: 'string', format: 'email', maxLength: 254 }],
  ['a flag', boolean(), { type: 'boolean' }],
  ['a choice', choice('ON', 'OFF'), { type: 'string', enum: ['ON', 'OFF'] }],
  ['a date', date(), { type: 'string', format: 'date' }],
  ['a timestamp', timestamp(), { type: 'string', format: 'date-time' }],
  ['a guid', guid(), { type: 'string', format: 'uuid' }],
  ['a reference', reference(target), { type: 'integer', format: 'int64', minimum: 1, maximum: maxSafe }],
  ['a creation time', createdAt(), { type: 'string', format: 'date-time', readOnly: true }],
  ['a nullable text', text().nullable(), { type: ['string', 'null'], default: null }],
  [
    'a nullable choice',
    choice('ON', 'OFF').nullable(),
    { type: ['string', 'null'], enum: ['ON', 'OFF', null], default: null },
  ],
  ['a default', boolean().default(false), { type: 'boolean', default: false }],
  ['a nullable field with a default', text().nullable().default(''), { type: ['string', 'null'], default: '' }],
  [
    'a nullable field that takes the value of another',
    text().nullable().defaultFrom('email'),
    { type: ['string', 'null'] },
  ],
  [
    'a creator, null without authentication',
    createdBy(target),
    { type: ['integer', 'null'], format: 'int64', minimum: 1, maximum: maxSafe, readOnly: true },
  ],
] as const

describe('fieldSchema', () => {
  it.each(cases)('describes %s', (_name, { spec }, schema) => {
    expect(fieldSchema(spec)).toEqual(schema)
  })

  it('describes a URL', () => {
    expect(fieldSchema(url({ maxLength: 99 }).spec)).toMatchObject({ type: 'string', format: 'uri', maxLength: 99 })
  })

  it('returns a valid schema for every kind', () => {
    const judge = new Ajv2020({ validateFormats: false })
    for (const [, { spec }] of cases) expect(judge.validateSchema(fieldSchema(spec)), judge.errorsText()).toBe(true)
  })

  it('leaves out options that only the store needs', () => {
    expect(fieldSchema(text().indexed().renamedFrom('label').spec)).toEqual({ type: 'string' })
  })

  it('returns a new schema for each call', () => {
    const { spec } = choice('ON', 'OFF').nullable()
    expect(fieldSchema(spec)).not.toBe(fieldSchema(spec))
    expect(spec.choices).toEqual(['ON', 'OFF'])
  })
})
