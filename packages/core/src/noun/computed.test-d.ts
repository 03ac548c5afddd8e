import { expectTypeOf, it } from 'vitest'
import {
  api,
  type CreateOf,
  choice,
  createdAt,
  type DetailOf,
  identity,
  integer,
  type ListItemOf,
  noun,
  type RecordOf,
  reference,
  resource,
  text,
  type UpdateOf,
} from '../index.ts'
import type { DataOf } from '../mocks/mocks-of.ts'

const user = noun(
  'user',
  {
    id: identity(),
    firstName: text(),
    lastName: text(),
    // A noun that references itself.
    supervisor: reference(() => user).nullable(),
    created: createdAt(),
  },
  { label: 'lastName', computed: { fullName: text(), age: integer().nullable(), size: choice('S', 'L') } },
)

it('is not part of the stored record', () => {
  expectTypeOf(user).not.toBeAny()
  expectTypeOf<keyof RecordOf<typeof user>>().toEqualTypeOf<
    'id' | 'firstName' | 'lastName' | 'supervisor' | 'created'
  >()
})

it('is read and never written', () => {
  const shown = resource(user)
  expectTypeOf<DetailOf<typeof shown>>().toEqualTypeOf<{
    id: number
    firstName: string
    lastName: string
    supervisor: number | null
    created: string
    fullName: string
    age: number | null
    size: 'S' | 'L'
  }>()
  expectTypeOf<UpdateOf<typeof shown>>().toEqualTypeOf<{
    firstName: string
    lastName: string
    supervisor: number | null
  }>()
  expectTypeOf<CreateOf<typeof shown>>().toEqualTypeOf<{
    firstName: string
    lastName: string
    supervisor?: number | null
  }>()
})

it('has the declared name and is in the declared shapes', () => {
  const shown = resource(user, { rename: { name: 'fullName' }, complete: ['id', 'name', 'age'], list: ['id', 'name'] })
  expectTypeOf<DetailOf<typeof shown>>().toEqualTypeOf<{ id: number; name: string; age: number | null }>()
  expectTypeOf<ListItemOf<typeof shown>>().toEqualTypeOf<{ id: number; name: string }>()
  expectTypeOf<UpdateOf<typeof shown>>().toEqualTypeOf<Record<never, never>>()
  // @ts-expect-error: it has another name here
  resource(user, { rename: { name: 'fullName' }, complete: ['id', 'fullName'] })
  // @ts-expect-error: another name does not make it stored
  resource(user, { rename: { name: 'fullName' }, search: ['name'] })
})

it('is required in the fixtures of mocks', () => {
  const directory = api('directory', { versioning: 'per-noun', writes: 'nested', resources: [resource(user)] })
  type Fixture = DataOf<typeof directory>['user'][number]
  expectTypeOf<Fixture['fullName']>().toEqualTypeOf<string>()
})

it('has a kind with values, and only nullable() as a modifier', () => {
  const fields = { id: identity(), name: text() }
  noun('user', fields, { computed: { initials: text({ maxLength: 3 }).nullable() } })
  // @ts-expect-error: it is stored already
  noun('user', fields, { computed: { name: text() } })
  // @ts-expect-error: only stored fields can be unique
  noun('user', fields, { computed: { initials: text().unique() } })
  // @ts-expect-error: clients do not send it, so it needs no default
  noun('user', fields, { computed: { initials: text().default('') } })
  // @ts-expect-error: the server always sets it
  noun('user', fields, { computed: { initials: text().managed() } })
  // @ts-expect-error: a record has one identity, which is stored
  noun('user', fields, { computed: { key: identity() } })
  // @ts-expect-error: a reference is stored
  noun('user', fields, { computed: { friend: reference(() => user) } })
  // @ts-expect-error: a field is declared with one of the kinds
  noun('user', fields, { computed: { initials: 'text' } })
})
