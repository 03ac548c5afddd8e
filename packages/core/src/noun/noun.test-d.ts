import { expectTypeOf, it } from 'vitest'
import {
  boolean,
  choice,
  createdAt,
  createdBy,
  date,
  decimal,
  email,
  guid,
  type IdentityOf,
  identity,
  integer,
  link,
  noun,
  number,
  type RecordOf,
  reference,
  text,
  timestamp,
  updatedAt,
  updatedBy,
  url,
  type ValueOf,
} from '../index.ts'

const owner = noun('owner', { id: identity('guid'), name: text() })
const department = noun('department', {
  id: identity(),
  name: text(),
  // Two nouns that reference each other.
  head: reference(() => user)
    .nullable()
    .clearedOnDelete(),
})
const user = noun(
  'user',
  {
    id: identity(),
    name: text({ maxLength: 80 }).unique(),
    nick: text().nullable(),
    username: text().unique().defaultFrom('email'),
    email: email().unique(),
    homepage: url().nullable(),
    key: guid(),
    age: integer({ min: 0 }),
    weight: number().nullable(),
    salary: decimal({ precision: 12, scale: 2 }),
    retired: boolean().default(false),
    status: choice('ACTIVE', 'SUSPENDED').default('ACTIVE'),
    stage: choice({ DRAFT: ['SENT'], SENT: [] }),
    review: choice({ null: ['ASKED'], ASKED: [null] }).nullable(),
    mood: choice('GOOD', 'BAD').nullable(),
    birthday: date(),
    seen: timestamp().nullable(),
    department: reference(() => department),
    supervisor: reference(() => user)
      .nullable()
      .clearedOnDelete(),
    owner: reference(() => owner),
    patron: reference(() => owner).nullable(),
    hash: text().managed(),
    old: text().indexed().renamedFrom('ancient'),
    created: createdAt(),
    createdBy: createdBy(() => user),
    lastUpdated: updatedAt(),
    updatedBy: updatedBy(() => user),
  },
  { label: ['name', 'email'], unique: [['name', 'department']] },
)

type User = RecordOf<typeof user>

it('has the exact type of a stored record', () => {
  expectTypeOf<User>().toEqualTypeOf<{
    id: number
    name: string
    nick: string | null
    username: string
    email: string
    homepage: string | null
    key: string
    age: number
    weight: number | null
    salary: string
    retired: boolean
    status: 'ACTIVE' | 'SUSPENDED'
    stage: 'DRAFT' | 'SENT'
    review: 'ASKED' | null
    mood: 'GOOD' | 'BAD' | null
    birthday: string
    seen: string | null
    department: number
    supervisor: number | null
    owner: string
    patron: string | null
    hash: string
    old: string
    created: string
    createdBy: number | null
    lastUpdated: string
    updatedBy: number | null
  }>()
})

it('resolves references to itself, to each other and to a guid', () => {
  expectTypeOf<RecordOf<typeof department>>().toEqualTypeOf<{ id: number; name: string; head: number | null }>()
  expectTypeOf<IdentityOf<typeof user>>().toEqualTypeOf<number>()
  expectTypeOf<IdentityOf<typeof owner>>().toEqualTypeOf<string>()
})

it('contains no any', () => {
  expectTypeOf(user).not.toBeAny()
  expectTypeOf(department).not.toBeAny()
  expectTypeOf(user.fields).not.toBeAny()
  expectTypeOf(user.fields.supervisor).not.toBeAny()
  expectTypeOf<User>().not.toBeAny()
  expectTypeOf<IdentityOf<typeof user>>().not.toBeAny()
  type NotAny = { [K in keyof User]: 0 extends 1 & User[K] ? K : never }[keyof User]
  expectTypeOf<NotAny>().toBeNever()
  expectTypeOf(text().nullable().unique().default('x').managed()).not.toBeAny()
  expectTypeOf(text().spec).not.toBeAny()
})

it('keeps the literal types of its name and options', () => {
  expectTypeOf(user.name).toEqualTypeOf<'user'>()
  expectTypeOf(user.options.label).toEqualTypeOf<readonly ['name', 'email']>()
})

it('has the type of a single value', () => {
  expectTypeOf<ValueOf<typeof user.fields.stage>>().toEqualTypeOf<'DRAFT' | 'SENT'>()
  const nullable = choice('A', 'B').nullable()
  expectTypeOf<ValueOf<typeof nullable>>().toEqualTypeOf<'A' | 'B' | null>()
})

it('accepts only a default of its own type', () => {
  choice('ON', 'OFF').default('ON')
  // @ts-expect-error: not a value of the choice
  choice('ON', 'OFF').default('MAYBE')
  // @ts-expect-error: not a number
  integer().default('1')
  // @ts-expect-error: not a boolean
  boolean().default('true')
  // @ts-expect-error: a decimal is a string
  decimal({ scale: 2 }).default(12.5)
  // @ts-expect-error: a reference has no default
  reference(() => department).default(1)
})

it('accepts only the limits of its own kind', () => {
  // @ts-expect-error: a decimal has a scale
  decimal({ precision: 3 })
  // @ts-expect-error: a text has no range
  text({ min: 1 })
  // @ts-expect-error: limits of a decimal are decimals
  decimal({ scale: 1, min: 1 })
  // @ts-expect-error: an e-mail address has no minLength
  email({ minLength: 3 })
  // @ts-expect-error: a pattern is a regular expression
  text({ pattern: '^a$' })
  // @ts-expect-error: only text has a pattern
  url({ pattern: /^a$/ })
  text().nullable().example(null)
  // @ts-expect-error: an example is a value of the field
  text().example(7)
  // @ts-expect-error: DONE is not a value of the choice
  choice('OPEN').description('How far it is.', { DONE: 'Nothing is left to do.' })
  // @ts-expect-error: there is no such identity
  identity('integer')
  // @ts-expect-error: only a reference can be cleared
  text().nullable().clearedOnDelete()
})

it('accepts only transitions to values of the choice', () => {
  // @ts-expect-error: PAYED is not a value of the choice
  choice({ DRAFT: ['SENT'], SENT: ['PAYED'] })
})

it('accepts only its own fields in label and unique', () => {
  // @ts-expect-error: no field of that name
  noun('user', { id: identity(), name: text() }, { label: 'nam' })
  // @ts-expect-error: no field of that name
  noun('user', { id: identity(), name: text() }, { label: ['name', 'lastName'] })
  // @ts-expect-error: no field of that name
  noun('user', { id: identity(), name: text() }, { unique: [['name', 'typ']] })
  // @ts-expect-error: a field is declared with one of the kinds
  noun('user', { id: identity(), name: 'text' })
})

it('allows a link to share only fields of both nouns', () => {
  const group = noun('group', { id: identity(), department: reference(() => department) })
  expectTypeOf(link(user, group, { sharing: 'department' }).nouns).toEqualTypeOf<readonly [typeof user, typeof group]>()
  // @ts-expect-error: a group has no owner
  link(user, group, { sharing: 'owner' })
})
