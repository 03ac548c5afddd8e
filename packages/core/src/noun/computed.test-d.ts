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
    // A noun that points at itself.
    supervisor: reference(() => user).nullable(),
    created: createdAt(),
  },
  { label: 'lastName', computed: { fullName: text(), age: integer().nullable(), size: choice('S', 'L') } },
)

it('is no part of the stored record', () => {
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

it('is shown under the name and in the shapes that say so', () => {
  const shown = resource(user, { rename: { name: 'fullName' }, complete: ['id', 'name', 'age'], list: ['id', 'name'] })
  expectTypeOf<DetailOf<typeof shown>>().toEqualTypeOf<{ id: number; name: string; age: number | null }>()
  expectTypeOf<ListItemOf<typeof shown>>().toEqualTypeOf<{ id: number; name: string }>()
  expectTypeOf<UpdateOf<typeof shown>>().toEqualTypeOf<Record<never, never>>()
  // @ts-expect-error: it bears another name here
  resource(user, { rename: { name: 'fullName' }, complete: ['id', 'fullName'] })
  // @ts-expect-error: another name does not make it stored
  resource(user, { rename: { name: 'fullName' }, search: ['name'] })
})

it('is given by the fixtures of mocks', () => {
  const directory = api('directory', { versioning: 'per-noun', writes: 'nested', resources: [resource(user)] })
  type Fixture = DataOf<typeof directory>['user'][number]
  expectTypeOf<Fixture['fullName']>().toEqualTypeOf<string>()
})

it('is of a kind that a value can have, and is said nothing of but null', () => {
  const fields = { id: identity(), name: text() }
  noun('user', fields, { computed: { initials: text({ maxLength: 3 }).nullable() } })
  // @ts-expect-error: it is stored already
  noun('user', fields, { computed: { name: text() } })
  // @ts-expect-error: nothing is stored that could be unique
  noun('user', fields, { computed: { initials: text().unique() } })
  // @ts-expect-error: nobody gives it, so nobody leaves it out
  noun('user', fields, { computed: { initials: text().default('') } })
  // @ts-expect-error: the server sets it anyhow
  noun('user', fields, { computed: { initials: text().managed() } })
  // @ts-expect-error: a record has one identity, which is stored
  noun('user', fields, { computed: { key: identity() } })
  // @ts-expect-error: a reference is stored
  noun('user', fields, { computed: { friend: reference(() => user) } })
  // @ts-expect-error: a field is declared with one of the kinds
  noun('user', fields, { computed: { initials: 'text' } })
})
