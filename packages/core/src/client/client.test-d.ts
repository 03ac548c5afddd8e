import { expectTypeOf, it } from 'vitest'
import {
  api,
  boolean,
  change,
  choice,
  createdAt,
  createdBy,
  email,
  equal,
  identity,
  integer,
  link,
  noun,
  range,
  reference,
  resource,
  text,
  timestamp,
} from '../index.ts'
import { type CallOptions, type Client, client, type Envelope, etagOf, type FieldError, ProblemError } from './index.ts'

const department = noun('department', { id: identity(), name: text() }, { label: 'name' })
const user = noun('user', {
  id: identity(),
  name: text(),
  email: email().unique(),
  age: integer().nullable(),
  left: timestamp().nullable(),
  status: choice('ACTIVE', 'SUSPENDED').default('ACTIVE'),
  department: reference(() => department),
  created: createdAt(),
})
const note = noun('note', {
  id: identity(),
  writer: reference(() => user),
  reader: reference(() => user),
  creator: createdBy(() => user),
  line: text(),
})
const preference = noun('preference', { id: identity(), user: reference(() => user), type: text(), enabled: boolean() })
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
      filters: { changed: range('created'), gone: range('left'), either: equal('name', 'email') },
      children: [
        resource(preference, { paginated: false }),
        resource(note, { via: 'writer', rename: { author: 'writer' } }),
        resource(note, { path: 'made-note', via: 'creator' }),
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
  resources: [resource(user, { children: [resource(preference), resource(role, { via: [userRole] })] })],
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
  left: string | null
  status: 'ACTIVE' | 'SUSPENDED'
  department: number
  created: string
}

const calls = () => client<typeof people>({ baseUrl: '' })

it('returns the declared types', () => {
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

it('accepts the declared types', () => {
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
  user.summary.list({ status: 'ACTIVE', include: 7 })
  user.create({ name: 'x', email: 'x', department: 1 })
  user.create({ name: 'x', email: 'x', department: 1, age: null, status: 'ACTIVE' })
  user.replace(1, { name: 'x', email: 'x', department: 1, age: 1, left: null, status: 'ACTIVE' })
  user.update(1, { age: 3 }, { etag: '"x"', signal: AbortSignal.timeout(1) })
  user.of(1).preference.create({ type: 'x', enabled: true })
  user.of(1).preference.create({ type: 'x', enabled: true, user: 1 })
  user.of(1).preference.list({ enabled: true })
  user.of(1).note.create({ reader: 2, line: 'x' })
  user.of(1).note.create({ author: 1, reader: 2, line: 'x' })
})

it('accepts undefined for optional values', () => {
  const { user } = calls()
  const emptyQuery = {
    pageNumber: undefined,
    pageSize: undefined,
    sort: undefined,
    include: undefined,
    search: undefined,
  }
  user.list({ ...emptyQuery, name: undefined, changedFrom: undefined, either: undefined })
  user.read(1, { signal: undefined, headers: undefined, requestId: undefined, transactionId: undefined })
})

it('has a distinct name for every resource', () => {
  const resourceOf = <const Name extends string>(name: Name) => resource(noun(name, { id: identity() }))
  const levels = api('levels', {
    versioning: 'per-noun',
    writes: 'flat',
    resources: [resourceOf('level-2'), resourceOf('level2'), resourceOf('a-b-c'), resourceOf('x-2y-z')],
  })
  type Names = keyof ReturnType<typeof client<typeof levels>>
  expectTypeOf<Names>().toEqualTypeOf<'level-2' | 'level2' | 'aBC' | 'x-2yZ'>()
})

it('rejects unknown names and wrong types', () => {
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
  // @ts-expect-error a range needs a value
  user.list({ goneFrom: null })
  // @ts-expect-error no such property to sort by
  user.list({ sort: '+name' })
  // @ts-expect-error the resource has no search
  costCenter.list({ search: 'x' })
  // @ts-expect-error a plain array has no pages
  user.of(1).preference.list({ pageSize: 3 })
  // @ts-expect-error a plain array has no pages to read
  user.of(1).preference.pages
  // @ts-expect-error not unique
  user.by.name
  // @ts-expect-error an e-mail address is a string
  user.by.email(7)
  // @ts-expect-error an identity is a number
  user.list({ include: '7' })
  // @ts-expect-error no such variant
  user.detail
  // @ts-expect-error an identity is a number
  user.read('1')
  // @ts-expect-error a guid is a string
  costCenter.read(1)
  // @ts-expect-error the department is missing
  user.create({ name: 'x', email: 'x' })
  // @ts-expect-error the server sets it
  user.create({ name: 'x', email: 'x', department: 1, created: 'x' })
  // @ts-expect-error the path sets the writer, not the reader
  user.of(1).note.create({ line: 'x' })
  // @ts-expect-error the server sets the creator
  user.of(1).madeNote.create({ writer: 1, reader: 1, line: 'x' })
  // @ts-expect-error every mutable property
  user.replace(1, { name: 'x' })
  // @ts-expect-error the server sets it
  user.update(1, { created: 'x' })
  // @ts-expect-error the identity cannot change
  user.update(1, { id: 2 })
  // @ts-expect-error not offered
  costCenter.create({ name: 'x' })
  // @ts-expect-error linked, not written
  user.of(1).role.update(1, { name: 'x' })
  // @ts-expect-error links are changed directly below a root resource
  user.of(1).role.of(1).user.link(3)
  // @ts-expect-error no resource below
  costCenter.of('x')
})

it('accepts the options that apply to a call', () => {
  const { user } = calls()
  const body = { name: 'x', email: 'x', department: 1 }
  const options = { signal: AbortSignal.timeout(1), headers: { 'x-more': 'm' }, requestId: 'r', transactionId: 't' }
  user.read(1, options)
  user.list({}, options)
  user.create(body, { ...options, idempotencyKey: 'k' })
  user.update(1, {}, { ...options, etag: '"x"' })
  user.delete(1, { ...options, etag: undefined })
  user.of(1).role.link(1, { ...options, etag: '"x"' })
  const passedOn = (call: CallOptions) => [user.read(1, call), user.create(body, call), user.delete(1, call)]
  passedOn(options)
})

it('rejects options that do not apply to a call', () => {
  const { user } = calls()
  const body = { name: 'x', email: 'x', department: 1 }
  const [tagged, keyed] = [
    { signal: AbortSignal.timeout(1), etag: '"x"' },
    { signal: AbortSignal.timeout(1), idempotencyKey: 'k' },
  ]
  // @ts-expect-error a read has no etag option
  user.read(1, tagged)
  // @ts-expect-error nor has a list
  user.list({}, { etag: '"x"' })
  // @ts-expect-error nor have all of its pages
  user.records({}, tagged)
  // @ts-expect-error nor has a lookup
  user.by.email('x', tagged)
  // @ts-expect-error a new record has no ETag
  user.create(body, tagged)
  // @ts-expect-error a read needs no idempotency key
  user.read(1, keyed)
  // @ts-expect-error an update has an ETag instead of a key
  user.update(1, {}, keyed)
  // @ts-expect-error so has a replacement
  user.replace(1, { ...body, age: 1, left: null, status: 'ACTIVE' }, { idempotencyKey: 'k' })
  // @ts-expect-error so has a deletion
  user.delete(1, keyed)
  // @ts-expect-error so has a link
  user.of(1).role.link(1, keyed)
  // @ts-expect-error so has an unlink
  user.of(1).role.unlink(1, keyed)
  // @ts-expect-error no such option
  user.read(1, { timeout: 1 })
  // @ts-expect-error an ETag is a string
  user.update(1, {}, { etag: 1 })
  // @ts-expect-error no such option of a client
  client<typeof people>({ baseUrl: '', retry: 1 })
})

it('requires an ETag if the resource does', () => {
  const guarded = api('guarded', {
    versioning: 'per-noun',
    writes: 'nested',
    resources: [
      resource(department, { ifMatch: 'required' }),
      resource(user, { children: [resource(note, { via: 'writer', ifMatch: 'required' })] }),
    ],
  })
  const guardedClient = client<typeof guarded>({ baseUrl: '' })
  guardedClient.department.create({ name: 'x' })
  guardedClient.department.update(1, { name: 'x' }, { etag: '"x"' })
  guardedClient.department.delete(1, { etag: etagOf({}), signal: undefined })
  guardedClient.user.update(1, { name: 'x' })
  // @ts-expect-error no options
  guardedClient.department.update(1, { name: 'x' })
  // @ts-expect-error the ETag is missing
  guardedClient.department.replace(1, { name: 'x' }, {})
  // @ts-expect-error the ETag is missing here too
  guardedClient.department.delete(1, { requestId: 'r' })
  // @ts-expect-error the ETag is missing below too
  guardedClient.user.of(1).note.delete(1)
})

it('types the problem of a failure', () => {
  const error: unknown = undefined
  if (!(error instanceof ProblemError)) return
  expectTypeOf(error.code).not.toBeAny()
  expectTypeOf(error.code).toExtend<string | undefined>()
  // @ts-expect-error a code is a string
  error.code === 404
  expectTypeOf(error.status).toEqualTypeOf<number>()
  expectTypeOf(error.hint).toEqualTypeOf<string | undefined>()
  expectTypeOf(error.errors).toEqualTypeOf<readonly FieldError[]>()
})

it('has the form of writes and the versions of the api', () => {
  const { user } = client<typeof flat>({ baseUrl: '', version: 3 })
  user.of(1).role.link(2)
  // @ts-expect-error written at the root
  user.of(1).preference.create({ type: 'x', enabled: true })
  // @ts-expect-error the api has a version
  client<typeof flat>({ baseUrl: '' })
  // @ts-expect-error and it is another
  client<typeof flat>({ baseUrl: '', version: 2 })
  // @ts-expect-error this one has none
  client<typeof people>({ baseUrl: '', version: 1 })
  client<typeof versioned>({ baseUrl: '', versions: { user: 2, 'user.preference': { update: 3 } } })
  // @ts-expect-error the version belongs to a resource
  client<typeof versioned>({ baseUrl: '' })
  // @ts-expect-error name and version
  client<typeof people>({ baseUrl: '', userAgent: 'shop' })
})

it('has only reads for history entries', () => {
  const ticket = noun('ticket', { id: identity(), title: text() }, { history: true })
  const desk = api('desk', {
    versioning: 'per-noun',
    writes: 'nested',
    resources: [resource(ticket, { children: [resource(change)] }), resource(change)],
  })
  const { ticket: tickets, change: changes } = {} as Client<typeof desk>
  expectTypeOf(tickets.of(7).change.list).parameter(0).toExtend<{ timeFrom?: string | undefined } | undefined>()
  expectTypeOf(changes.read).returns.resolves.toHaveProperty('before').toEqualTypeOf<string | null>()
  expectTypeOf(tickets.change.follow({ title: ['a', 'b'], afterId: 7 })).toExtend<
    AsyncGenerator<{ id: number; kind: string }>
  >()
  tickets.change.list({ id: 7, record: 'ticket/7', title: 'a' })
  // @ts-expect-error: neither a field of a ticket nor of an entry
  tickets.change.list({ color: 'x' })
  expectTypeOf<keyof typeof changes>().toEqualTypeOf<'list' | 'pages' | 'records' | 'follow' | 'read'>()
  expectTypeOf(tickets.read).parameter(1).toExtend<{ at?: string | undefined } | undefined>()
  expectTypeOf(tickets.restore).returns.resolves.toHaveProperty('title').toEqualTypeOf<string>()
  // @ts-expect-error: entries have no history
  changes.read(7, { at: '2026-11-01T00:00:00Z' })
  // @ts-expect-error: values of records are not a filter
  changes.list({ after: '{}' })
})
