// Internal operations: handlers call them, and no request of a caller reaches them. Handlers also write managed fields.
import {
  api,
  DeclarationError,
  date,
  identity,
  integer,
  link,
  noun,
  operation,
  ProblemError,
  problem,
  reference,
  resource,
  text,
} from '@nomen/core'
import { after, assign, handle, rule, type ServiceOptions, service, visible } from '@nomen/server'
import { describe, expect, it } from 'vitest'
import { openService, type TestService } from './test-service.ts'

const book = noun('book', { id: identity(), title: text(), copies: integer({ min: 0 }).default(2).managed() })
const member = noun('member', { id: identity(), name: text() })
const loan = noun(
  'loan',
  {
    id: identity(),
    book: reference(() => book),
    member: reference(() => member),
    due: date().managed(),
    note: text().default(''),
    shelf: text().nullable().managed(),
  },
  { unique: [['book', 'member']] },
)
const journal = noun('journal', { id: identity(), entry: text() })
const tag = noun('tag', { id: identity(), name: text() })
const bookTag = link(book, tag)

const borrowing = operation({
  method: 'POST',
  on: 'record',
  body: { book: reference(() => book), note: text().default('') },
  response: { loan: integer(), due: date(), copies: integer() },
  problems: ['rule-broken'],
  scope: 'member:borrow',
})
const tagging = operation({
  method: 'POST',
  on: 'collection',
  body: { book: reference(() => book), tag: reference(() => tag) },
})
const returning = operation({ method: 'POST', on: 'record', response: { remaining: integer() } })

const library = api('library', {
  versioning: 'per-noun',
  writes: 'nested',
  resources: [
    resource(book, { children: [resource(tag, { via: bookTag, internal: ['link'] })] }),
    resource(member, { operations: { borrowing } }),
    resource(loan, {
      complete: ['id', 'book', 'member', 'due', 'note'],
      internal: ['create', 'replace', 'delete'],
      operations: { tagging, returning },
    }),
    resource(journal, { offers: [], internal: ['create', 'list'] }),
    resource(tag),
  ],
})

const everything = ['*:read', '*:write']

const borrow = handle(member, borrowing, ({ key, body, caller, transaction }) =>
  transaction(async (call) => {
    const { book: books } = call(library, { ...caller, scopes: everything })
    const { copies } = await books.read(body.book)
    if (copies === 0) throw new ProblemError(problem('rule-broken', { detail: 'No copy is left.' }))
    await books.update(body.book, { copies: copies - 1 })
    const { loan: loans, journal: entries } = call(library)
    const { id, due } = await loans.create({
      book: body.book,
      member: key,
      note: body.note,
      due: '2026-12-24',
      shelf: 'B',
    })
    await entries.create({ entry: `Loan ${id}` })
    return { loan: id, due, copies: copies - 1 }
  }),
)
const tagBook = handle(loan, tagging, async ({ body, call }) => {
  await call(library).book.of(body.book).tag.link(body.tag)
})
const returnLoan = handle(loan, returning, async ({ key, call }) => {
  await call(library).loan.delete(key)
  const { pageInfo } = await call(library).journal.list()
  return { remaining: pageInfo.numberOfRecords }
})

const handlers = [borrow, tagBook, returnLoan]
const declared = (more: Partial<ServiceOptions> = {}) =>
  service({ name: 'library', apis: [library], handlers, ...more })

async function openLibrary(more: Partial<ServiceOptions> = {}): Promise<TestService> {
  const app = await openService(declared(more))
  await app.send('POST', '/book', { title: 'Emma' })
  await app.send('POST', '/book', { title: 'Persuasion' })
  await app.send('POST', '/member', { name: 'Ada' })
  await app.send('POST', '/tag', { name: 'novel' })
  return app
}

describe('an internal operation', () => {
  it('is called by a handler', async () => {
    const { send, get } = await openLibrary()
    const { status, body } = await send('POST', '/member/1/borrowing', { book: 1, note: 'Careful' })
    expect([status, body]).toEqual([200, { loan: 1, due: '2026-12-24', copies: 1 }])
    expect((await get('/loan/1')).body).toEqual({ id: 1, book: 1, member: 1, due: '2026-12-24', note: 'Careful' })
    expect((await get('/book/1')).body.copies).toBe(1)
    expect((await send('POST', '/loan/1/returning')).body).toEqual({ remaining: 1 })
    expect((await get('/loan/1')).status).toBe(404)
  })

  it('may be a link', async () => {
    const { send, get } = await openLibrary()
    expect((await send('POST', '/loan/tagging', { book: 1, tag: 1 })).status).toBe(204)
    expect((await get('/book/1/tag')).body.results).toEqual([{ id: 1, name: 'novel' }])
    expect((await send('PUT', '/book/2/tag/1')).status).toBe(405)
    expect((await send('DELETE', '/book/1/tag/1')).status).toBe(405)
  })

  it('is part of the transaction of its handler, and rolled back with it', async () => {
    const { send, get } = await openLibrary()
    const broken = rule(loan, ({ note }) => (note === 'Torn' ? { field: 'note', detail: 'Not torn.' } : undefined))
    const strict = await openLibrary({ rules: [broken] })
    const rejected = await strict.send('POST', '/member/1/borrowing', { book: 1, note: 'Torn' })
    expect([rejected.status, rejected.body.code]).toEqual([422, 'rule-broken'])
    expect((await strict.get('/book/1')).body.copies).toBe(2)
    await send('POST', '/member/1/borrowing', { book: 1 })
    const twice = await send('POST', '/member/1/borrowing', { book: 1 })
    expect([twice.status, twice.body.code]).toEqual([409, 'value-taken'])
    expect((await get('/book/1')).body.copies).toBe(1)
  })

  it('runs assignments and hooks as any write does', async () => {
    const changes: unknown[] = []
    const hook = after(loan, ({ kind, record }) => void changes.push([kind, record.due, record.shelf]))
    const due = assign(loan, ['due'], (next) => ({ due: next.note === '' ? next.due : '2027-01-01' }))
    const { send, app } = await openLibrary({ after: [hook], assignments: [due] })
    await send('POST', '/member/1/borrowing', { book: 1 })
    await send('POST', '/member/1/borrowing', { book: 2, note: 'Longer' })
    await app.close()
    expect(changes).toEqual([
      ['create', '2026-12-24', 'B'],
      ['create', '2027-01-01', 'B'],
    ])
  })

  it('needs no scope of the caller, and is limited to records that the caller sees', async () => {
    const visibility = [visible(loan, ({ user }) => user === 'ada'), visible(book, ({ user }) => user !== 'eve')]
    const { app } = await openLibrary({ visibility })
    const send = (user: string, scopes: string[]) =>
      app.as({ user, scopes }).fetch('http://library/member/1/borrowing', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"book":1}',
      })
    const seed = app.as({ user: 'ada' })
    for (const [path, body] of [
      ['book', '{"title":"Emma"}'],
      ['member', '{"name":"Ada"}'],
    ] as const)
      await seed.fetch(`http://library/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
    expect((await send('ada', [])).status).toBe(403)
    expect((await send('bea', ['member:borrow', 'book:read'])).status).toBe(403)
    expect((await send('eve', ['member:borrow'])).status).toBe(422)
    expect((await send('ada', ['member:borrow'])).status).toBe(200)
  })
})

describe('a caller', () => {
  const paths = ['/loan', '/loan/1', '/journal', '/journal/1', '/book/1/tag/1']
  const bodyOf = (path: string) => (path.startsWith('/journal') ? { entry: 'x' } : { book: 2, member: 1, note: 'x' })
  const json = { 'content-type': 'application/json' }

  async function walkable() {
    const app = await openLibrary()
    await app.send('POST', '/member/1/borrowing', { book: 1 })
    const state = async () => [
      (await app.get('/loan')).body,
      (await app.get('/book/1/tag')).body,
      (await app.send('POST', '/loan/1/returning')).body,
    ]
    return { ...app, state }
  }

  it.each([
    ['POST', '/loan', 405],
    ['PUT', '/loan/1', 405],
    ['DELETE', '/loan/1', 405],
    ['GET', '/journal', 404],
    ['HEAD', '/journal', 404],
    ['POST', '/journal', 404],
    ['OPTIONS', '/journal', 404],
    ['PUT', '/book/1/tag/1', 405],
    ['DELETE', '/book/1/tag/1', 405],
    ['TRACE', '/loan', 405],
  ])('for %s %s gets %i', async (method, path, status) => {
    const { send } = await walkable()
    const withBody = method === 'POST' || method === 'PUT' ? bodyOf(path) : undefined
    expect((await send(method, path, withBody)).status).toBe(status)
  })

  it.each([
    ['/loan', 'GET, HEAD, OPTIONS'],
    ['/loan/1', 'GET, HEAD, OPTIONS, PATCH'],
    ['/book/1/tag/1', 'GET, HEAD, OPTIONS'],
  ])('gets only offered methods in Allow of %s', async (path, allow) => {
    const { send } = await walkable()
    expect((await send('OPTIONS', path)).headers.allow).toBe(allow)
    expect((await send('POST', path, bodyOf(path))).headers.allow).toBe(allow)
  })

  it('cannot override the method', async () => {
    const { send, state } = await walkable()
    for (const path of paths) {
      for (const method of ['POST', 'PUT', 'DELETE']) {
        for (const header of ['x-http-method-override', 'x-http-method', 'x-method-override']) {
          await send('GET', path, undefined, { [header]: method })
          await send('PATCH', path, { note: '' }, { ...json, [header]: method })
          await send('POST', path, bodyOf(path), { ...json, [header]: method })
        }
        await send('GET', `${path}?_method=${method}`)
        await send('POST', `${path}?_method=${method}`, bodyOf(path))
      }
    }
    const [loans, tags, { remaining }] = await state()
    expect([loans.pageInfo.numberOfRecords, tags.results, remaining]).toEqual([1, [], 1])
  })

  it('cannot reach them by another spelling of the path', async () => {
    const { send, state } = await walkable()
    const spellings = ['/loan/', '//loan', '/Loan', '/%6Coan', '/loan;x', '/./loan', 'http://library/loan', '/v1/loan']
    for (const path of spellings) expect((await send('POST', path, bodyOf(path))).status).toBeGreaterThanOrEqual(400)
    expect((await state())[0].pageInfo.numberOfRecords).toBe(1)
  })

  it('does not find them in the document', async () => {
    const { get } = await walkable()
    const { paths, components } = (await get('/openapi.json')).body
    expect(Object.keys(paths['/loan'])).toEqual(['get'])
    expect(Object.keys(paths['/loan/{id}'])).toEqual(['get', 'patch'])
    expect(Object.keys(paths['/book/{bookId}/tag/{id}'])).toEqual(['get'])
    expect(Object.keys(paths).filter((path) => path.startsWith('/journal'))).toEqual([])
    expect(JSON.stringify({ paths, components })).not.toMatch(/journal|shelf/i)
  })

  it('cannot write managed fields, with a value or without', async () => {
    const { send, get } = await walkable()
    expect((await send('PATCH', '/book/1', { copies: 9 })).body.copies).toBe(1)
    expect((await send('PUT', '/book/1', { title: 'Emma', copies: 9 })).body.copies).toBe(1)
    expect((await send('POST', '/book', { title: 'Ulysses', copies: 9 })).body.copies).toBe(2)
    expect((await send('PATCH', '/loan/1', { due: '2030-01-01' })).body.due).toBe('2026-12-24')
    expect((await send('PATCH', '/loan/1', { shelf: 'C' })).status).toBe(400)
    expect((await get('/loan?shelf=B')).status).toBe(400)
  })
})

describe('a managed field', () => {
  const changing = operation({ method: 'POST', on: 'record', body: { how: text() } })
  const shelved = api('shelved', {
    versioning: 'per-noun',
    writes: 'nested',
    resources: [
      resource(book, { operations: { changing } }),
      resource(member),
      resource(loan, { offers: ['list'], internal: ['create'] }),
    ],
  })
  const changed = handle(book, changing, async ({ key, body, call }) => {
    const { book: books, loan: loans } = call(shelved)
    if (body.how === 'update') await books.update(key, { copies: 7 })
    if (body.how === 'replace') await books.replace(key, { title: 'Emma', copies: 8 })
    if (body.how === 'replace without') await books.replace(key, { title: 'Emma' })
    if (body.how === 'invalid') await books.update(key, { copies: -1 })
    if (body.how === 'missing') await loans.create({ book: key, member: 1 })
    if (body.how === 'neither') await (loans as unknown as typeof books).delete(1)
    if (body.how === 'created') await books.update(key, { id: 9 } as object)
  })

  async function openShelf(faults: string[] = []) {
    const onFault = (_: string, error: unknown) => void faults.push((error as Error).message)
    const shelf = service({ name: 'shelved', apis: [shelved], handlers: [changed] })
    const app = await openService(shelf, { onFault })
    await app.send('POST', '/book', { title: 'Emma' })
    await app.send('POST', '/member', { name: 'Ada' })
    return app
  }

  it.each([
    ['update', 204, 7],
    ['replace', 204, 8],
    ['replace without', 204, 2],
    ['invalid', 400, 2],
    ['created', 409, 2],
  ])('is written by the %s of a handler: %i', async (how, status, copies) => {
    const { send, get } = await openShelf()
    expect((await send('POST', '/book/1/changing', { how })).status).toBe(status)
    expect((await get('/book/1')).body.copies).toBe(copies)
  })

  it('cannot be written by an operation that is neither offered nor internal', async () => {
    const faults: string[] = []
    const { send } = await openShelf(faults)
    expect((await send('POST', '/book/1/changing', { how: 'neither' })).status).toBe(500)
    expect(faults).toEqual([
      'DELETE /loan/1 is not an operation of this service. Add it to offers of its resource, or to internal.',
    ])
  })

  it('without a default is required of the handler that creates the record', async () => {
    const { send } = await openShelf()
    const { status, body } = await send('POST', '/book/1/changing', { how: 'missing' })
    expect([status, body.errors]).toEqual([400, [{ pointer: '/due', detail: 'is missing' }]])
  })
})

it.each([
  ['is offered as well', { offers: ['create'], internal: ['create'] }, 'is both in offers and in internal'],
  ['does not exist', { internal: ['purge'] }, '"purge"'],
  ['cannot be there', { internal: ['link'] }, 'the operation "link" requires a direct child'],
])('a declaration whose internal operation %s is rejected', (_, options, message) => {
  const declare = () => {
    const declared = resource(tag, options as object)
    return api('desk', { versioning: 'per-noun', writes: 'nested', resources: [declared] })
  }
  expect(declare).toThrow(DeclarationError)
  expect(declare).toThrow(message)
})
