// Operations of a service's own: declared as data, handled in the service file, and then operations like all others.
import { existsSync, readFileSync } from 'node:fs'
import {
  api,
  boolean,
  choice,
  date,
  decimal,
  identity,
  integer,
  noun,
  operation,
  ProblemError,
  problem,
  reference,
  resource,
  text,
  timestamp,
  updatedAt,
} from '@nomen/core'
import { client, etagOf } from '@nomen/core/client'
import {
  after,
  type Caller,
  type Handler,
  handle,
  rule,
  type Service,
  type Settings,
  service,
  visible,
} from '@nomen/server'
import { plugin } from '@nomen/server/fastify'
import { audience } from '@nomen/testing/openid-provider'
import { testDatabase } from '@nomen/testing/test-database'
import fastify from 'fastify'
import { describe, expect, expectTypeOf, it, onTestFinished } from 'vitest'
import { bearer, claims, providedOnce, signed } from './issued.ts'
import { opened } from './opened.ts'
import { temporaryPath } from './temporary-database.ts'

const person = noun('person', { id: identity(), username: text().unique() })
const ticket = noun('ticket', {
  id: identity(),
  title: text(),
  status: choice('OPEN', 'CLOSED').default('OPEN'),
  secret: text().default('hidden'),
  owner: reference(() => person).nullable(),
  lastUpdated: updatedAt(),
})
const step = noun('step', { id: identity('guid'), ticket: reference(() => ticket), title: text() })

const reopening = operation({
  method: 'POST',
  on: 'record',
  body: {
    reason: text({ minLength: 1 }),
    owner: reference(() => person).nullable(),
    notified: boolean().default(false),
    note: text().defaultFrom('reason'),
    due: timestamp().nullable(),
  },
  answer: { status: choice('OPEN'), title: text(), note: text(), notified: boolean(), due: timestamp().nullable() },
  problems: ['rule-broken'],
})
const digest = operation({
  method: 'GET',
  on: 'collection',
  query: { since: date(), size: integer({ min: 1 }).default(3), about: text().nullable() },
  answer: { text: text(), cost: decimal({ scale: 2 }).default('0.00') },
})
const tally = operation({
  method: 'GET',
  on: 'collection',
  query: { least: integer().default(0) },
  answer: [{ status: choice('OPEN', 'CLOSED'), count: integer(), note: text().default('none') }],
})
const lock = operation({ method: 'PUT', on: 'record', body: { reason: text() } })
const unlock = operation({ method: 'DELETE', on: 'record' })
const stepDigest = operation({ method: 'GET', on: 'collection', answer: { text: text() } })
const stepCopy = operation({ method: 'POST', on: 'record', answer: step.fields })

const desk = api('desk', {
  versioning: 'per-noun',
  writes: 'nested',
  resources: [
    resource(ticket, {
      rename: { name: 'title' },
      complete: ['id', 'name', 'status', 'owner'],
      operations: { reopening, digest, tally, lock: [lock, unlock] },
      children: [resource(step, { operations: { stepDigest, copy: stepCopy } })],
    }),
    resource(person, { path: 'staff-member', version: 3 }),
  ],
})
const second = api('second', {
  version: 2,
  versioning: 'whole',
  writes: 'flat',
  resources: [resource(ticket, { operations: { reopening }, deprecated: { since: '2026-01-01' } })],
})

const done: unknown[] = []
const handlers: readonly Handler[] = [
  handle(ticket, reopening, async ({ key, record, ancestors, body, query, caller, requestId, call }) => {
    expectTypeOf(key).toEqualTypeOf<number>()
    expectTypeOf(record.status).toEqualTypeOf<'OPEN' | 'CLOSED'>()
    expectTypeOf(query).toEqualTypeOf<undefined>()
    expectTypeOf(body).toEqualTypeOf<{
      reason: string
      owner: number | null
      notified: boolean
      note: string
      due: string | null
    }>()
    done.push({ key, record, ancestors, body, query, user: caller.user, requestId })
    if (record.status === 'OPEN')
      throw new ProblemError(problem('rule-broken', { detail: `Ticket ${key} is open already.` }))
    const { name, status } = await call(desk).ticket.update(key, { status: 'OPEN', owner: body.owner })
    return { ...body, title: name, status: status as 'OPEN', more: 'than is declared' }
  }),
  handle(ticket, digest, ({ query, body }) => {
    expectTypeOf(query).toEqualTypeOf<{ since: string; size: number; about: string | null }>()
    expectTypeOf(body).toEqualTypeOf<undefined>()
    return { text: JSON.stringify(query) }
  }),
  handle(ticket, tally, async ({ query, call }) => {
    const { results } = await call(desk).ticket.list()
    const found = (['OPEN', 'CLOSED'] as const).map((status) => ({
      status,
      count: results.filter((one) => one.status === status).length,
      more: 'than is declared',
    }))
    return found.filter(({ count }) => count >= query.least)
  }),
  handle(ticket, lock, ({ key, body }) => done.push(`lock ${key} ${body.reason}`)),
  handle(ticket, unlock, ({ key }) => done.push(`unlock ${key}`)),
  handle(step, stepDigest, async ({ ancestors: [id], call }) => {
    done.push(`digest of ${id}`)
    const { results } = await call(desk).ticket.of(Number(id)).step.list()
    return { text: results.map(({ title }) => title).join() }
  }),
  handle(step, stepCopy, async ({ record, ancestors: [id], call }) => {
    expectTypeOf(record).toEqualTypeOf<{ id: string; ticket: number; title: string }>()
    return call(desk)
      .ticket.of(Number(id))
      .step.create({ title: `${record.title} again` })
  }),
]

const sample = () => [
  { noun: 'person', rows: ['ann', 'bob'].map((username, at) => ({ id: at + 1, username })) },
  {
    noun: 'ticket',
    rows: ['CLOSED', 'OPEN', 'CLOSED'].map((status, at) => ({
      ...{ id: at + 1, title: `t${at + 1}`, status, secret: 's', owner: at === 2 ? 2 : 1 },
      lastUpdated: '2026-01-01T00:00:00.000Z',
    })),
  },
]

async function desked(more: Partial<Service> = {}, settings: Partial<Settings> = {}) {
  done.length = 0
  const faults: string[] = []
  const onFault = (_: string, error: unknown) => faults.push(error instanceof Error ? error.message : `${error}`)
  const made = service({ name: 'desk', apis: [desk, second], handlers, sample, ...more })
  return { ...(await opened(made, { onFault, ...settings })), faults }
}

describe('an operation on a record', () => {
  it('gets the record as it is stored and a body with its defaults, and answers what is declared', async () => {
    const { ask, get } = await desked()
    const answer = await ask(
      'POST',
      '/ticket/1/reopening',
      { reason: 'again', owner: 2, due: '2026-01-01T01:00:00+01:00' },
      { 'x-request-id': 'mine' },
    )
    const due = '2026-01-01T00:00:00.000Z'
    expect([answer.status, answer.body]).toEqual([
      200,
      { status: 'OPEN', title: 't1', note: 'again', notified: false, due },
    ])
    expect([answer.headers['content-type'], answer.headers.etag, answer.headers['x-request-id']]).toEqual([
      'application/json; charset=utf-8',
      undefined,
      'mine',
    ])
    expect(done).toEqual([
      {
        key: 1,
        record: { id: 1, title: 't1', status: 'CLOSED', secret: 's', owner: 1, lastUpdated: due },
        ancestors: [],
        body: { reason: 'again', owner: 2, notified: false, note: 'again', due },
        requestId: 'mine',
      },
    ])
    expect((await get('/ticket/1')).body).toEqual({ id: 1, name: 't1', status: 'OPEN', owner: 2 })
  })

  it('answers 204 where nothing is declared, and has one for each method of a name', async () => {
    const { ask } = await desked()
    const locked = await ask('PUT', '/ticket/1/lock', { reason: 'x' })
    const unlocked = await ask('DELETE', '/ticket/1/lock')
    expect([locked.status, locked.text, locked.headers['content-type'], unlocked.status]).toEqual([
      ...[204, '', undefined, 204],
    ])
    expect(done).toEqual(['lock 1 x', 'unlock 1'])
    const refused = await ask('POST', '/ticket/1/lock', { reason: 'x' })
    expect([refused.status, refused.headers.allow]).toEqual([405, 'DELETE, OPTIONS, PUT'])
  })

  it('is not asked of a record that the caller does not see', async () => {
    const { ask } = await desked({ visibility: [visible(ticket, () => ({ owner: 2 }))] })
    expect((await ask('PUT', '/ticket/1/lock', { reason: 'x' })).status).toBe(404)
    expect((await ask('PUT', '/ticket/3/lock', { reason: 'x' })).status).toBe(204)
    expect(done).toEqual(['lock 3 x'])
  })

  it('refuses what does not fit as a create does, and a record that is not there', async () => {
    const { ask } = await desked()
    const refused = async (body: unknown, headers: Record<string, string> = {}) => {
      const { status, body: told } = await ask('POST', '/ticket/1/reopening', body, headers)
      return [status, told.code, ...(told.errors ?? [])]
    }
    const reason = 'x'
    expect(await refused({})).toEqual([400, 'invalid-body', { pointer: '/reason', detail: 'is missing' }])
    expect(await refused({ reason, raeson: 'y', id: 1 })).toEqual([
      ...[400, 'invalid-body'],
      { pointer: '/raeson', detail: 'is no property here. Did you mean "reason"?' },
      { pointer: '/id', detail: 'is no property here' },
    ])
    expect(await refused({ reason: 7 })).toMatchObject([400, 'invalid-body', { pointer: '/reason' }])
    expect(await refused({ reason: '' })).toMatchObject([400, 'invalid-body', { pointer: '/reason' }])
    expect(await refused({ reason, owner: 9 })).toEqual([
      ...[422, 'reference-not-found'],
      { pointer: '/owner', detail: '9 does not exist' },
    ])
    expect(await refused('{')).toEqual([400, 'malformed-json'])
    expect(await refused('[]')).toEqual([400, 'invalid-body'])
    expect(await refused('{}', { 'content-type': 'text/plain' })).toEqual([415, 'unsupported-media-type'])
    expect(await refused({ reason }, { 'idempotency-key': 'k' })).toEqual([400, 'invalid-header'])
    expect(await refused({ reason }, { 'if-match': '"1-1-a"' })).toEqual([400, 'invalid-header'])
    expect(await refused({ reason }, { 'if-none-match': '*' })).toEqual([400, 'invalid-header'])
    const asked = await ask('POST', '/ticket/1/reopening?reason=x', { reason })
    expect([asked.status, asked.body.code]).toEqual([400, 'unknown-parameter'])
    const sent = await ask('DELETE', '/ticket/1/lock', { reason })
    expect([sent.status, sent.body.code]).toEqual([400, 'body-not-allowed'])
    for (const id of ['9', 'x']) {
      const { status, body } = await ask('POST', `/ticket/${id}/reopening`, { reason })
      expect([status, body.code, body.detail]).toEqual([404, 'record-not-found', `There is no ticket ${id}.`])
    }
    expect(done).toEqual([])
  })

  it('does not take a reference to what the caller does not see', async () => {
    const { ask } = await desked({ visibility: [visible(person, () => ({ username: 'ann' }))] })
    const hidden = await ask('POST', '/ticket/1/reopening', { reason: 'x', owner: 2 })
    expect([hidden.status, hidden.body.code]).toEqual([422, 'reference-not-found'])
    expect((await ask('POST', '/ticket/1/reopening', { reason: 'x', owner: 1 })).status).toBe(200)
  })
})

describe('an operation on a collection', () => {
  it('answers what has no tag, so that only If-Match: * names it', async () => {
    const { get, ask } = await desked()
    const url = '/ticket/digest?since=2026-01-02'
    expect((await get(url, { 'if-match': '*' })).status).toBe(200)
    for (const tag of ['"1-1-a"', 'W/"x"', '']) {
      const { status, body } = await get(url, { 'if-match': tag })
      expect([status, body.code, body.detail]).toEqual([
        ...[412, 'precondition-failed'],
        'What GET /ticket/digest answers has no tag that If-Match could name.',
      ])
      expect((await ask('HEAD', url, undefined, { 'if-match': tag })).status).toBe(412)
    }
    expect((await get('/ticket/digest', { 'if-match': '"x"' })).status).toBe(400)
  })

  it('gets its query with defaults, and refuses what does not fit', async () => {
    const { get, ask } = await desked()
    const { status, body } = await get('/ticket/digest?since=2026-01-02')
    expect([status, body]).toEqual([200, { text: '{"since":"2026-01-02","size":3,"about":null}', cost: '0.00' }])
    const all = await get('/ticket/digest?since=2026-01-02&size=7&about=a+b')
    expect(JSON.parse(all.body.text)).toEqual({ since: '2026-01-02', size: 7, about: 'a b' })
    expect((await get('/ticket/digest')).body).toMatchObject({
      code: 'invalid-parameter',
      errors: [{ parameter: 'since', detail: 'is missing' }],
    })
    expect((await get('/ticket/digest?since=x&size=0&size=1')).body.errors).toEqual([
      { parameter: 'since', detail: expect.stringContaining('not "x"') },
      { parameter: 'size', detail: expect.stringContaining('once') },
    ])
    expect((await get('/ticket/digest?since=2026-01-02&sise=1')).body.hint).toBe('Did you mean "size"?')
    const head = await ask('HEAD', '/ticket/digest?since=2026-01-02')
    expect([head.status, head.text]).toEqual([200, ''])
    expect((await ask('PATCH', '/ticket/digest', {})).status).toBe(405)
    expect((await get('/ticket/1')).status).toBe(200)
  })

  it('answers a list where that is declared, each object with its defaults', async () => {
    const { get, ask } = await desked()
    const { status, body, headers } = await get('/ticket/tally')
    expect([status, headers['content-type'], body]).toEqual([
      200,
      'application/json; charset=utf-8',
      [
        { status: 'OPEN', count: 1, note: 'none' },
        { status: 'CLOSED', count: 2, note: 'none' },
      ],
    ])
    expect((await get('/ticket/tally?least=9')).text).toBe('[]')
    const head = await ask('HEAD', '/ticket/tally')
    expect([head.status, head.text]).toEqual([200, ''])
  })

  it('stands below parents that are there', async () => {
    const { ask, get } = await desked({ visibility: [visible(ticket, () => ({ owner: 1 }))] })
    await ask('POST', '/ticket/1/step', { title: 'a' })
    expect((await get('/ticket/1/step/step-digest')).body).toEqual({ text: 'a' })
    expect((await get('/ticket/9/step/step-digest')).body.detail).toBe('There is no ticket 9.')
    expect((await get('/ticket/3/step/step-digest')).status).toBe(404)
    expect(done).toEqual(['digest of 1'])
  })

  it('has records at any depth, of their own parent only', async () => {
    const { ask } = await desked()
    const { body: made } = await ask('POST', '/ticket/1/step', { title: 'a' })
    const copied = await ask('POST', `/ticket/1/step/${made.id}/copy`)
    expect([copied.status, copied.body]).toEqual([
      200,
      { id: expect.stringMatching(/^[0-9a-f-]{36}$/), ticket: 1, title: 'a again' },
    ])
    expect((await ask('POST', `/ticket/2/step/${made.id}/copy`)).body.detail).toBe(
      `There is no step ${made.id} of ticket 2.`,
    )
  })
})

describe('what a handler does', () => {
  it('is answered by the problem that it throws', async () => {
    const { ask, faults } = await desked()
    const { status, body, headers } = await ask('POST', '/ticket/2/reopening', { reason: 'x' })
    expect([status, body.code, body.detail]).toEqual([422, 'rule-broken', 'Ticket 2 is open already.'])
    // It was told the request id also where none was brought.
    expect(done).toMatchObject([{ requestId: headers['x-request-id'] }])
    expect(faults).toEqual([])
  })

  const digestBy = (answer: (asked: { query: { about: string | null } }) => unknown) =>
    desked({
      handlers: [
        ...handlers.filter(({ declared }) => declared !== digest),
        handle(ticket, digest, answer as () => { text: string }),
      ],
    })

  const thrown = (error: unknown) => {
    throw error
  }
  const faulty: Record<string, [() => unknown, string]> = {
    error: [() => thrown(new Error('no luck')), 'no luck'],
    foreign: [
      () => thrown(new ProblemError(problem('record-not-found', { detail: 'no user 7' }), 'r1')),
      'Another service answered: no user 7',
    ],
    unknown: [
      () => thrown(new ProblemError({ ...problem('gone', { detail: 'x' }), code: 'teapot' as never })),
      'There is no problem "teapot": x',
    ],
    odd: [
      () => thrown(new ProblemError({ ...problem('gone', { detail: 'x' }), status: 42 })),
      'The problem "gone" is not as others of its code: x',
    ],
    nothing: [() => undefined, 'What handles GET /ticket/digest gives nothing. Give text, cost.'],
    less: [async () => ({}), 'gives no "text"'],
    other: [() => ({ text: 7 }), 'gives text 7, which must be a string'],
  }

  it('is a fault where it throws anything else, or gives what is not declared', async () => {
    const { get, faults } = await digestBy(({ query: { about } }) => faulty[`${about}`]?.[0]())
    for (const [about, [, text]] of Object.entries(faulty)) {
      const { status, body } = await get(`/ticket/digest?since=2026-01-02&about=${about}`)
      expect([status, body.code, body.detail]).toEqual([500, 'internal', expect.not.stringContaining(text)])
      expect(faults.pop()).toContain(text)
    }
    expect(faults).toEqual([])
  })

  it('is a fault where one object of a list is not as declared, and the message says which', async () => {
    const good = { status: 'OPEN', count: 1 }
    const wrong: readonly [unknown, string][] = [
      [good, 'What handles GET /ticket/tally gives an object. Give a list'],
      [null, 'gives null. Give a list'],
      [[good, { status: 'OPEN' }], 'gives no "count" at 1'],
      [[good, good, { ...good, status: 'AJAR' }], 'gives status "AJAR" at 2, which'],
      [[good, 7], 'gives 7 at 1. Give status, count, note.'],
      // biome-ignore lint/suspicious/noSparseArray: what was never set is nothing as well
      [[good, , good], 'gives nothing at 1'],
    ]
    const { get, faults } = await desked({
      handlers: [
        ...handlers.filter(({ declared }) => declared !== tally),
        handle(ticket, tally, ({ query }) => wrong[query.least]?.[0] as []),
      ],
    })
    for (const [at, [, text]] of wrong.entries()) {
      const { status, body } = await get(`/ticket/tally?least=${at}`)
      expect([status, body.code]).toEqual([500, 'internal'])
      expect(faults.pop()).toContain(text)
    }
  })

  it('is awaited by a service that closes', async () => {
    let go = () => {}
    const { get, app } = await digestBy(async () => {
      await new Promise<void>((resolve) => {
        go = resolve
      })
      return { text: 'late' }
    })
    const asked = get('/ticket/digest?since=2026-01-02')
    await expect.poll(() => go.name !== 'go').toBe(true)
    const closed = app.close()
    go()
    expect((await asked).body.text).toBe('late')
    await closed
  })
})

describe('a call from within', () => {
  const calling = (use: (asked: { call: Parameters<Handler['answer']>[0]['call']; caller: Caller }) => unknown) =>
    handlers.map((one) => (one.declared === unlock ? handle(ticket, unlock, use as () => unknown) : one))

  it('holds to rules, visibility and hooks, and what it is refused with is the answer', async () => {
    const told: unknown[] = []
    const { ask } = await desked({
      rules: [
        rule(ticket, ['title'], ({ title }) => (title === 'bad' ? { field: 'title', detail: 'Not bad.' } : undefined)),
      ],
      visibility: [visible(ticket, () => ({ owner: 1 }))],
      after: [after(ticket, ({ record, requestId }) => void told.push([record.id, record.title, requestId]))],
      handlers: handlers.map((one) =>
        one.declared === lock
          ? handle(ticket, lock, async ({ body, call }) => {
              const { ticket: own } = call(desk)
              if (body.reason === 'other') await own.update(3, { name: 'x' })
              await own.update(1, { name: body.reason })
            })
          : one,
      ),
    })
    const locked = (reason: string) => ask('PUT', '/ticket/2/lock', { reason }, { 'x-request-id': reason })
    expect((await locked('bad')).body).toMatchObject({ status: 422, code: 'rule-broken', detail: 'Not bad.' })
    expect((await locked('other')).body).toMatchObject({ status: 404, detail: 'There is no ticket 3.' })
    expect((await locked('good')).status).toBe(204)
    await expect.poll(() => told.length > 0).toBe(true)
    expect(told).toEqual([[1, 'good', 'good']])
  })

  it('reaches every api at its version, with tags, lists and lookups', async () => {
    const found: unknown[] = []
    const { ask } = await desked({
      handlers: calling(async ({ call }) => {
        const read = await call(second).ticket.read(1)
        found.push(read.secret, (await call(second).ticket.list({ status: ['CLOSED'] })).pageInfo.numberOfRecords)
        for await (const { id } of call(desk).ticket.records({ pageSize: 2 })) found.push(id)
        const { ticket: own } = call(desk)
        const one = await own.read(1)
        found.push((await own.update(1, { name: 'new' }, { etag: `${etagOf(one)}` })).name)
        await own.update(1, { name: 'newer' }, { etag: `${etagOf(one)}` })
      }),
    })
    const { status, body } = await ask('DELETE', '/ticket/1/lock')
    expect([status, body.code, found]).toEqual([412, 'precondition-failed', ['s', 2, 1, 2, 3, 'new']])
  })

  it('says of a record that is as it was that nothing has changed, as over the wire', async () => {
    const { ask, faults } = await desked({
      handlers: calling(async ({ call }) => {
        const { ticket: own } = call(desk)
        const tag = `${etagOf(await own.read(1))}`
        const unchanged = await own.read(1, { headers: { 'if-none-match': tag } }).catch((error: ProblemError) => error)
        throw new ProblemError(problem('rule-broken', { detail: `${unchanged.name} ${unchanged.problem?.status}` }))
      }),
    })
    expect((await ask('DELETE', '/ticket/1/lock')).body).toMatchObject({ detail: 'ProblemError 304' })
    expect(faults).toEqual([])
  })

  it('takes an api of this service', async () => {
    const { ask, faults } = await desked({
      handlers: calling(({ call }) => call(api('other', { versioning: 'per-noun', writes: 'flat', resources: [] }))),
    })
    expect((await ask('DELETE', '/ticket/1/lock')).status).toBe(500)
    expect(faults).toEqual([expect.stringContaining('"other" is none of this service')])
  })
})

describe('over the wire', () => {
  const provider = providedOnce()

  it('takes the scope of its noun and method, and so do calls from within, unless for another caller', async () => {
    const { issuer } = provider()
    const withOwner = handlers.map((one) =>
      one.declared === lock
        ? handle(ticket, lock, async ({ body, call, caller }) => {
            const as = body.reason === 'raised' ? { ...caller, scopes: ['*:write', '*:read'] } : caller
            await call(desk, as).staffMember.create({ username: body.reason })
            done.push(caller.user)
          })
        : one,
    )
    const { ask } = await desked({ handlers: withOwner }, { auth: { issuer, audience } })
    const as = async (scope: string) => bearer(await signed(claims(issuer, { scope, sub: 'ann' })))
    const lockWith = async (scope: string, reason: string) => {
      const { status, body } = await ask('PUT', '/ticket/1/lock', { reason }, await as(scope))
      return [status, body?.detail]
    }
    expect((await ask('PUT', '/ticket/1/lock', { reason: 'x' })).status).toBe(401)
    expect((await lockWith('ticket:read', 'x'))[0]).toBe(403)
    expect(await lockWith('ticket:write', 'x')).toEqual([
      403,
      expect.stringContaining('also takes the scopes person:write and person:read'),
    ])
    expect((await lockWith('ticket:write person:write', 'x'))[0]).toBe(403)
    expect(await lockWith('ticket:write person:write person:read', 'x')).toEqual([204, undefined])
    expect(await lockWith('ticket:write', 'raised')).toEqual([204, undefined])
    expect(done).toEqual(['ann', 'ann'])
    expect((await ask('GET', '/ticket/digest?since=2026-01-01', undefined, await as('ticket:write'))).status).toBe(403)
    expect((await ask('GET', '/ticket/digest?since=2026-01-01', undefined, await as('ticket:read'))).status).toBe(200)
  })

  it('is in the access log once, in the usage and in the metrics by its template', async () => {
    const accessLog = temporaryPath()
    const { ask, get, app } = await desked({}, { accessLog })
    await ask('POST', '/ticket/1/reopening', { reason: 'x' })
    await get('/ticket/digest?since=2026-01-01')
    const lines = () => (existsSync(accessLog) ? readFileSync(accessLog, 'utf8').trim().split('\n') : [])
    await expect.poll(() => lines().length).toBe(2)
    expect(lines()).toEqual([
      expect.stringContaining('"POST /ticket/1/reopening HTTP/1.1" 200'),
      expect.stringContaining('"GET /ticket/digest?since=2026-01-01 HTTP/1.1" 200'),
    ])
    const families = await app.metrics()
    const counted = families
      .find(({ name }) => name === 'nomen_http_requests_total')
      ?.samples.map(({ labels }) => `${labels?.method} ${labels?.route}`)
    expect(counted).toEqual(['POST /ticket/{ticketId}/reopening', 'GET /ticket/digest'])
    const usage = await get('/usage')
    const called = usage.body.endpoints.filter(({ requests }: { requests: number }) => requests > 0)
    expect(called.map(({ id }: { id: string }) => id).sort()).toEqual([
      'desk.ticket.digest.get',
      'desk.ticket.reopening.post',
    ])
  })

  it('is served by the framework as well: where a path is encoded, and below a prefix', async () => {
    const { ask } = await desked()
    expect((await ask('PUT', '/ticket/%31/lock', { reason: 'x' })).status).toBe(204)
    expect((await ask('GET', '/ticket/diges%74?since=2026-01-01')).status).toBe(200)
    const app = fastify()
    const { address, remove } = await testDatabase()
    onTestFinished(() => app.close().then(remove))
    const made = service({ name: 'desk', apis: [desk, second], handlers, sample })
    await app.register(plugin(made, { database: address }), { prefix: '/desk' })
    const reopened = await app.inject({ method: 'POST', url: '/desk/ticket/1/reopening', payload: { reason: 'x' } })
    expect([reopened.statusCode, reopened.json().title]).toEqual([200, 't1'])
    expect((await app.inject('/desk/ticket/digest?since=2026-01-01')).statusCode).toBe(200)
  })

  it('is called by the typed client', async () => {
    const { app } = await desked()
    const { ticket: tickets } = client<typeof desk>({
      baseUrl: await app.listen({ port: 0 }),
      versions: { 'staff-member': 3 },
    })
    const opened = await tickets.of(1).reopening.post({ reason: 'again' })
    expectTypeOf(opened.status).toEqualTypeOf<'OPEN'>()
    expect(opened.title).toBe('t1')
    expect(await tickets.of(1).lock.put({ reason: 'x' })).toBeNull()
    expect(await tickets.of(1).lock.delete()).toBeNull()
    expect((await tickets.digest.get({ since: '2026-01-01' })).cost).toBe('0.00')
    const counted = await tickets.tally.get()
    expectTypeOf(counted).toEqualTypeOf<{ status: 'OPEN' | 'CLOSED'; count: number; note: string }[]>()
    expect(counted.map(({ count }) => count)).toEqual([2, 1])
    await expect(tickets.of(2).reopening.post({ reason: 'x' })).rejects.toMatchObject({ code: 'rule-broken' })
    const old = client<typeof second>({ baseUrl: '', version: 2, fetch: async () => new Response('{}') })
    expect(await old.ticket.of(1).reopening.post({ reason: 'x' })).toEqual({})
  })

  it('tells with its answers, problems too, that it is deprecated', async () => {
    const { ask } = await desked()
    const first = await ask('POST', '/v2/ticket/1/reopening', { reason: 'x' })
    const again = await ask('POST', '/v2/ticket/1/reopening', { reason: 'x' })
    expect([first.status, first.headers.deprecation]).toEqual([200, '@1767225600'])
    expect([again.status, again.headers.deprecation]).toEqual([422, '@1767225600'])
  })
})

describe('a service', () => {
  const given = { name: 'desk', apis: [desk, second] }
  const badge = noun('badge', { id: identity() })
  const award = operation({ method: 'POST', on: 'collection', body: { badge: reference(() => badge) } })
  const awarding = api('awarding', {
    versioning: 'per-noun',
    writes: 'flat',
    resources: [resource(person, { operations: { award } })],
  })

  it.each<[string, readonly Handler[], string]>([
    ['an operation that nothing handles', handlers.slice(1), 'nothing handles POST /ticket/{ticketId}/reopening'],
    ['two handlers of one', [...handlers, ...handlers.slice(-1)], 'has 2 handlers'],
    [
      'a handler of another noun',
      [...handlers, handle(person, lock, () => undefined)],
      'handles an operation of "person" that none',
    ],
  ])('is refused with %s', (_, all, text) => {
    expect(() => service({ ...given, handlers: all })).toThrow(text)
  })

  it('is refused with a reference to what it does not store', () => {
    const made = () => service({ name: 'award', apis: [awarding], handlers: [handle(person, award, () => undefined)] })
    expect(made).toThrow('takes "badge", a reference to "badge", which none of its apis shows')
  })

  it('says so at an operation that is gone, which needs no handler', async () => {
    const old = operation({
      method: 'GET',
      on: 'collection',
      answer: { text: text() },
      deprecated: { since: '2026-01-01', gone: true },
    })
    const made = service({
      name: 'old',
      apis: [
        api('old', { versioning: 'per-noun', writes: 'flat', resources: [resource(person, { operations: { old } })] }),
      ],
    })
    const { get } = await opened(made)
    expect((await get('/person/old')).status).toBe(410)
  })
})
