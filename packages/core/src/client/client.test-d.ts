import { expectTypeOf, it } from 'vitest'
import {
  api,
  choice,
  createdAt,
  email,
  equal,
  flag,
  identity,
  integer,
  link,
  noun,
  range,
  reference,
  resource,
  text,
} from '../index.ts'
import { client, type Envelope } from './index.ts'

const department = noun('department', { id: identity(), name: text() }, { label: 'name' })
const user = noun('user', {
  id: identity(),
  name: text(),
  email: email().unique(),
  age: integer().nullable(),
  status: choice('ACTIVE', 'SUSPENDED').default('ACTIVE'),
  department: reference(() => department),
  created: createdAt(),
})
const preference = noun('preference', { id: identity(), user: reference(() => user), type: text(), enabled: flag() })
const costCenter = noun('cost-center', { guid: identity('guid'), name: text() })
const role = noun('role', { roleRef: identity(), name: text() })
const userRole = link(user, role)

const people = api('people', {
  versioning: 'per-noun',
  writes: 'nested',
  resources: [
    resource(user, {
      list: ['id', 'name', 'department'],
      summary: ['id'],
      by: ['email'],
      search: ['name'],
      filters: { changed: range('created'), either: equal('name', 'email') },
      children: [
        resource(preference, { paginated: false }),
        resource(role, { via: userRole, children: [resource(user, { via: userRole })] }),
      ],
    }),
    resource(costCenter, { offers: ['list', 'read'] }),
  ],
})
const flat = api('flat', {
  version: 3,
  versioning: 'whole',
  writes: 'flat',
  resources: [resource(user, { children: [resource(preference)] })],
})
const versioned = api('versioned', {
  versioning: 'per-noun',
  writes: 'nested',
  resources: [
    resource(user, { version: 2, children: [resource(preference, { version: { update: 3 } })] }),
    resource(department),
  ],
})

type User = {
  id: number
  name: string
  email: string
  age: number | null
  status: 'ACTIVE' | 'SUSPENDED'
  department: number
  created: string
}

const calls = () => client<typeof people>({ baseUrl: '' })

it('answers what the declaration says', () => {
  const { user, costCenter } = calls()
  expectTypeOf(user.read(1)).resolves.toEqualTypeOf<User>()
  expectTypeOf(user.list()).resolves.toEqualTypeOf<Envelope<{ id: number; name: string; department: string }>>()
  expectTypeOf(user.summary.list()).resolves.toEqualTypeOf<Envelope<{ id: number }>>()
  expectTypeOf(user.by.email('x')).resolves.toEqualTypeOf<User>()
  expectTypeOf(user.of(1).preference.list()).resolves.toEqualTypeOf<
    { id: number; user: number; type: string; enabled: boolean }[]
  >()
  expectTypeOf(user.records()).toEqualTypeOf<AsyncGenerator<{ id: number; name: string; department: string }>>()
  expectTypeOf(costCenter.read('x')).resolves.toEqualTypeOf<{ guid: string; name: string }>()
  expectTypeOf(user.of(1).role.link(2)).resolves.toEqualTypeOf<{ roleRef: number; name: string }>()
})

it('takes what the declaration says', () => {
  const { user } = calls()
  user.list({
    status: ['ACTIVE', 'SUSPENDED'],
    age: null,
    department: 3,
    include: [7],
    sort: ['-name', 'id'],
    search: 'x',
    pageSize: 5,
  })
  user.list({ changedFrom: '2026-01-01T00:00:00Z', changedTo: '2026-01-01T00:00:00Z', either: ['a', 'b'] })
  user.summary.list({ status: 'ACTIVE' })
  user.create({ name: 'x', email: 'x', department: 1 })
  user.create({ name: 'x', email: 'x', department: 1, age: null, status: 'ACTIVE' })
  user.replace(1, { name: 'x', email: 'x', department: 1, age: 1, status: 'ACTIVE' })
  user.update(1, { age: 3 }, { etag: '"x"', signal: AbortSignal.timeout(1) })
  user.of(1).preference.create({ type: 'x', enabled: true })
  user.of(1).preference.create({ type: 'x', enabled: true, user: 1 })
  user.of(1).preference.list({ enabled: true })
})

it('takes nothing else', () => {
  const { user, costCenter } = calls()
  // @ts-expect-error no such resource
  calls().users
  // @ts-expect-error no such filter
  user.list({ nothing: 1 })
  // @ts-expect-error no such choice
  user.list({ status: 'GONE' })
  // @ts-expect-error not nullable
  user.list({ name: null })
  // @ts-expect-error a number
  user.list({ department: 'Sales' })
  // @ts-expect-error a range has two ends
  user.list({ changed: 'x' })
  // @ts-expect-error no such property to sort by
  user.list({ sort: '+name' })
  // @ts-expect-error nothing is searched there
  costCenter.list({ search: 'x' })
  // @ts-expect-error a plain array has no pages
  user.of(1).preference.list({ pageSize: 3 })
  // @ts-expect-error nor can it be walked by pages
  user.of(1).preference.pages
  // @ts-expect-error not unique
  user.by.name
  // @ts-expect-error no such variant
  user.detail
  // @ts-expect-error an identity is a number
  user.read('1')
  // @ts-expect-error a guid is text
  costCenter.read(1)
  // @ts-expect-error the department is missing
  user.create({ name: 'x', email: 'x' })
  // @ts-expect-error not the client's to set
  user.create({ name: 'x', email: 'x', department: 1, created: 'x' })
  // @ts-expect-error every mutable property
  user.replace(1, { name: 'x' })
  // @ts-expect-error a property of the server
  user.update(1, { created: 'x' })
  // @ts-expect-error the identity stays
  user.update(1, { id: 2 })
  // @ts-expect-error not offered
  costCenter.create({ name: 'x' })
  // @ts-expect-error linked, not written
  user.of(1).role.update(1, { name: 'x' })
  // @ts-expect-error links are changed directly below a root resource
  user.of(1).role.of(1).user.link(3)
  // @ts-expect-error nothing stands below
  costCenter.of('x')
})

it('knows the form of writes, and the versions', () => {
  const { user } = client<typeof flat>({ baseUrl: '', version: 3 })
  // @ts-expect-error written at the root
  user.of(1).preference.create({ type: 'x', enabled: true })
  // @ts-expect-error the api has a version
  client<typeof flat>({ baseUrl: '' })
  // @ts-expect-error and it is another
  client<typeof flat>({ baseUrl: '', version: 2 })
  // @ts-expect-error this one has none
  client<typeof people>({ baseUrl: '', version: 1 })
  client<typeof versioned>({ baseUrl: '', versions: { user: 2, 'user.preference': { update: 3 } } })
  // @ts-expect-error a resource has a version of its own
  client<typeof versioned>({ baseUrl: '' })
  // @ts-expect-error name and version
  client<typeof people>({ baseUrl: '', userAgent: 'shop' })
})
