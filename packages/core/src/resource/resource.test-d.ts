import { expectTypeOf, it } from 'vitest'
import {
  boolean,
  type CreateOf,
  choice,
  createdAt,
  createdBy,
  type DetailOf,
  email,
  equal,
  identity,
  type ListItemOf,
  noun,
  range,
  reference,
  resource,
  text,
  type UpdateOf,
  updatedAt,
} from '../index.ts'

const tag = noun('tag', { id: identity('guid'), name: text() })
const department = noun('department', { id: identity(), name: text() }, { label: 'name' })
const user = noun(
  'user',
  {
    id: identity(),
    name: text(),
    email: email().unique(),
    phone: text().default(''),
    username: text().unique().defaultFrom('email'),
    color: text().nullable(),
    status: choice('ACTIVE', 'SUSPENDED').default('ACTIVE'),
    retired: boolean(),
    department: reference(() => department),
    departmentRef: reference(() => department),
    supervisor: reference(() => user)
      .nullable()
      .clearedOnDelete(),
    tag: reference(() => tag),
    hash: text().managed(),
    created: createdAt(),
    createdBy: createdBy(() => user),
    lastUpdated: updatedAt(),
  },
  { label: ['name'] },
)

const plain = resource(user)
const shaped = resource(user, {
  rename: { createdDate: 'created', mail: 'email' },
  complete: ['id', 'name', 'mail', 'phone', 'color', 'department', 'departmentRef', 'supervisor', 'tag', 'createdDate'],
  list: ['id', 'name', 'department', 'departmentRef', 'supervisor', 'tag'],
  summary: ['id', 'name'],
  detail: ['id', 'name', 'mail', 'department', 'departmentRef', 'supervisor', 'tag', 'createdDate'],
  by: ['mail'],
  search: ['name', 'mail'],
  defaultFilter: { color: null },
  filters: { changed: range('createdDate', 'lastUpdated'), anyDepartment: equal('department', 'departmentRef') },
})

interface Detail {
  id: number
  name: string
  email: string
  phone: string
  username: string
  color: string | null
  status: 'ACTIVE' | 'SUSPENDED'
  retired: boolean
  department: number
  departmentRef: number
  supervisor: number | null
  tag: string
  hash: string
  created: string
  createdBy: number | null
  lastUpdated: string
}

it('has the type of a record, with references as identities', () => {
  expectTypeOf<DetailOf<typeof plain>>().toEqualTypeOf<Detail>()
  expectTypeOf<DetailOf<typeof shaped>>().toEqualTypeOf<{
    id: number
    name: string
    mail: string
    phone: string
    color: string | null
    department: number
    departmentRef: number
    supervisor: number | null
    tag: string
    createdDate: string
  }>()
})

it('has the type of a list item, with labels of references except for names in Ref and targets without a label', () => {
  expectTypeOf<ListItemOf<typeof shaped>>().toEqualTypeOf<{
    id: number
    name: string
    department: string
    departmentRef: number
    supervisor: string | null
    tag: string
  }>()
  expectTypeOf<ListItemOf<typeof shaped, 'list'>>().toEqualTypeOf<ListItemOf<typeof shaped>>()
})

it('has the types of the list variants', () => {
  expectTypeOf<ListItemOf<typeof shaped, 'summary'>>().toEqualTypeOf<{ id: number; name: string }>()
  expectTypeOf<ListItemOf<typeof shaped, 'detail'>>().toEqualTypeOf<{
    id: number
    name: string
    mail: string
    department: string
    departmentRef: number
    supervisor: string | null
    tag: string
    createdDate: string
  }>()
})

it('has all properties by default, or if detail is true', () => {
  type Item = Omit<Detail, 'department' | 'supervisor' | 'createdBy'> & {
    department: string
    supervisor: string | null
    createdBy: string | null
  }
  type Flat<T> = { [K in keyof T]: T[K] }
  expectTypeOf<ListItemOf<typeof plain>>().toEqualTypeOf<Flat<Item>>()
  const detailed = resource(user, { list: ['id'], detail: true })
  expectTypeOf<ListItemOf<typeof detailed>>().toEqualTypeOf<{ id: number }>()
  expectTypeOf<ListItemOf<typeof detailed, 'detail'>>().toEqualTypeOf<Flat<Item>>()
})

it('has the identity of a target without a label', () => {
  const team = noun('team', { id: identity(), name: text() })
  const member = noun('member', {
    id: identity(),
    team: reference(() => team),
    former: reference(() => team).nullable(),
  })
  const members = resource(member)
  expectTypeOf<ListItemOf<typeof members>>().toEqualTypeOf<{ id: number; team: number; former: number | null }>()
})

it('has the label only of the references in display', () => {
  const some = resource(user, { list: ['id', 'department', 'departmentRef', 'supervisor'], display: ['departmentRef'] })
  expectTypeOf<ListItemOf<typeof some>>().toEqualTypeOf<{
    id: number
    department: number
    departmentRef: string
    supervisor: number | null
  }>()
  const none = resource(user, { list: ['id', 'department'], display: [] })
  expectTypeOf<ListItemOf<typeof none>>().toEqualTypeOf<{ id: number; department: number }>()
})

it('has the type of PUT: every mutable property', () => {
  expectTypeOf<UpdateOf<typeof shaped>>().toEqualTypeOf<{
    name: string
    mail: string
    phone: string
    color: string | null
    department: number
    departmentRef: number
    supervisor: number | null
    tag: string
  }>()
})

it('has the type of POST: fields with a default are optional', () => {
  expectTypeOf<CreateOf<typeof shaped>>().toEqualTypeOf<{
    name: string
    mail: string
    phone?: string
    color?: string | null
    department: number
    departmentRef: number
    supervisor?: number | null
    tag: string
  }>()
  expectTypeOf<CreateOf<typeof plain>>().toEqualTypeOf<{
    name: string
    email: string
    phone?: string
    username?: string
    color?: string | null
    status?: 'ACTIVE' | 'SUSPENDED'
    retired: boolean
    department: number
    departmentRef: number
    supervisor?: number | null
    tag: string
  }>()
})

it('contains no any', () => {
  type AnyIn<T> = { [K in keyof T]-?: 0 extends 1 & T[K] ? K : never }[keyof T]
  expectTypeOf(plain).not.toBeAny()
  expectTypeOf(shaped.options).not.toBeAny()
  expectTypeOf<DetailOf<typeof plain>>().not.toBeAny()
  expectTypeOf<ListItemOf<typeof plain>>().not.toBeAny()
  expectTypeOf<CreateOf<typeof plain>>().not.toBeAny()
  expectTypeOf<UpdateOf<typeof plain>>().not.toBeAny()
  expectTypeOf<AnyIn<DetailOf<typeof plain>>>().toBeNever()
  expectTypeOf<AnyIn<ListItemOf<typeof plain>>>().toBeNever()
  expectTypeOf<AnyIn<CreateOf<typeof plain>>>().toBeNever()
  expectTypeOf<AnyIn<UpdateOf<typeof plain>>>().toBeNever()
})

it('keeps the literal types of its noun, its renames and its options', () => {
  expectTypeOf(shaped.noun).toEqualTypeOf<typeof user>()
  expectTypeOf(shaped.rename).toEqualTypeOf<{ readonly createdDate: 'created'; readonly mail: 'email' }>()
  expectTypeOf(shaped.options.summary).toEqualTypeOf<readonly ['id', 'name']>()
})

it('rejects names that the resource does not have', () => {
  // @ts-expect-error: no such property
  resource(user, { complete: ['id', 'nam'] })
  // @ts-expect-error: no such property
  resource(user, { list: ['id', 'nam'] })
  // @ts-expect-error: no such property
  resource(user, { summary: ['id', 'nam'] })
  // @ts-expect-error: no such property
  resource(user, { detail: ['id', 'nam'] })
  // @ts-expect-error: no such property
  resource(user, { display: ['departement'] })
  // @ts-expect-error: no such property
  resource(user, { search: ['nam'] })
  // @ts-expect-error: no such property
  resource(user, { filters: { changed: range('create') } })
  // @ts-expect-error: no such property
  resource(user, { defaultFilter: { retire: false } })
  // @ts-expect-error: no such field
  resource(user, { rename: { createdDate: 'createdOn' } })
  // @ts-expect-error: shown under another name
  resource(user, { rename: { createdDate: 'created' }, list: ['id', 'created'] })
})

it('allows lookups only by unique properties', () => {
  resource(user, { by: ['email', 'username'] })
  // @ts-expect-error: a name is not unique
  resource(user, { by: ['name'] })
  // @ts-expect-error: no such property
  resource(user, { by: ['mail'] })
  // @ts-expect-error: shown under another name
  resource(user, { rename: { mail: 'email' }, by: ['email'] })
})

it('rejects shapes that do not nest', () => {
  // @ts-expect-error: the list does not show the e-mail address
  resource(user, { list: ['id', 'name'], summary: ['id', 'email'] })
  // @ts-expect-error: the detail does not show the e-mail address
  resource(user, { list: ['id', 'email'], detail: ['id', 'name'] })
  // @ts-expect-error: the single record does not show the e-mail address
  resource(user, { complete: ['id', 'name'], list: ['id', 'email'] })
  // @ts-expect-error: the single record does not show the e-mail address
  resource(user, { complete: ['id', 'name'], detail: ['id', 'email'] })
})

it('rejects unknown operations, versions and forms', () => {
  // @ts-expect-error: no such offer
  resource(user, { offers: ['remove'] })
  // @ts-expect-error: no such offer
  resource(user, { version: { put: 2 } })
  // @ts-expect-error: only false is allowed
  resource(user, { paginated: true })
  // @ts-expect-error: no such value
  resource(user, { ifMatch: 'optional' })
  // @ts-expect-error: a noun, not a string
  resource('user')
})
