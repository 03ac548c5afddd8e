import { describe, expect, it } from 'vitest'
import { hasDefault, isSettable } from './field.ts'
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
import { createdAt, createdBy, updatedAt, updatedBy } from './managed-kinds.ts'

const target = () => ({})

describe('a kind of field', () => {
  it.each([
    ['identity()', identity(), { kind: 'identity', managed: 'identity' }],
    ["identity('guid')", identity('guid'), { kind: 'identity', managed: 'identity', guid: true }],
    ['integer()', integer({ min: 0, max: 9 }), { kind: 'integer', min: 0, max: 9 }],
    ['number()', number({ max: 0.5 }), { kind: 'number', max: 0.5 }],
    ['decimal()', decimal({ scale: 2 }), { kind: 'decimal', precision: 18, scale: 2 }],
    ['decimal() with a precision', decimal({ precision: 5, scale: 0 }), { kind: 'decimal', precision: 5, scale: 0 }],
    ['text()', text({ minLength: 1, maxLength: 80 }), { kind: 'text', minLength: 1, maxLength: 80 }],
    ['email()', email(), { kind: 'email', maxLength: 254 }],
    ['url()', url({ maxLength: 2000 }), { kind: 'url', maxLength: 2000 }],
    ['guid()', guid(), { kind: 'guid' }],
    ['boolean()', boolean(), { kind: 'boolean' }],
    ['choice()', choice('ON', 'OFF'), { kind: 'choice', choices: ['ON', 'OFF'] }],
    [
      'choice() with transitions',
      choice({ ON: ['OFF'], OFF: [] }),
      { kind: 'choice', choices: ['ON', 'OFF'], transitions: { ON: ['OFF'], OFF: [] } },
    ],
    ['date()', date({ min: '2000-01-01' }), { kind: 'date', min: '2000-01-01' }],
    ['timestamp()', timestamp(), { kind: 'timestamp' }],
    ['reference()', reference(target), { kind: 'reference', target }],
    ['createdAt()', createdAt(), { kind: 'timestamp', managed: 'created-at' }],
    ['updatedAt()', updatedAt(), { kind: 'timestamp', managed: 'updated-at' }],
    [
      'createdBy()',
      createdBy(target),
      { kind: 'reference', target, managed: 'created-by', nullable: true, clearedOnDelete: true },
    ],
    [
      'updatedBy()',
      updatedBy(target),
      { kind: 'reference', target, managed: 'updated-by', nullable: true, clearedOnDelete: true },
    ],
  ])('is plain data: %s', (_name, { spec }, expected) => {
    expect(spec).toEqual(expected)
  })
})

describe('a modifier', () => {
  it.each([
    ['nullable', text().nullable(), { nullable: true }],
    ['unique', text().unique(), { unique: true }],
    ['default', text().default('x'), { default: 'x' }],
    ['defaultFrom', text().defaultFrom('name'), { defaultFrom: 'name' }],
    ['managed', text().managed(), { managed: 'service' }],
    ['indexed', text().indexed(), { indexed: true }],
    ['unindexed', boolean().unindexed(), { kind: 'boolean', indexed: false }],
    ['renamedFrom', text().renamedFrom('label'), { renamedFrom: 'label' }],
  ])('extends the field: %s', (_name, { spec }, change) => {
    expect(spec).toEqual({ kind: 'text', ...change })
  })

  it('does not change the field that it is called on', () => {
    const plain = reference(target)
    const before = { ...plain.spec }
    plain.nullable().unique().managed().indexed().renamedFrom('owner').clearedOnDelete()
    expect(plain.spec).toEqual(before)
  })

  it('can follow any other modifier', () => {
    const { spec } = reference(target).clearedOnDelete().renamedFrom('owner').indexed().unique().nullable()
    expect(spec).toEqual({
      kind: 'reference',
      target,
      clearedOnDelete: true,
      renamedFrom: 'owner',
      indexed: true,
      unique: true,
      nullable: true,
    })
  })
})

describe('isSettable and hasDefault', () => {
  it.each([
    ['a text', text(), true, false],
    ['a nullable text', text().nullable(), true, true],
    ['a text with the empty default', text().default(''), true, true],
    ['a boolean that is false by default', boolean().default(false), true, true],
    ['an integer that is 0 by default', integer().default(0), true, true],
    ['a text that takes the value of another', text().defaultFrom('email'), true, true],
    ['an identity', identity(), false, false],
    ['a creation time', createdAt(), false, false],
    ['a creator', createdBy(target), false, true],
    ['a field that the service sets', text().managed(), false, false],
  ])('describe %s', (_name, { spec }, mutable, withDefault) => {
    expect([isSettable(spec), hasDefault(spec)]).toEqual([mutable, withDefault])
  })
})
