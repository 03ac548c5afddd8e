import { existsSync, readFileSync } from 'node:fs'
import { api, identity, noun, operation, ProblemError, problem, reference, resource, text } from '@nomen/core'
import { client, etagOf } from '@nomen/core/client'
import { after, type Caller, type Handler, handle, type InProcess, rule, service, visible } from '@nomen/server'
import { plugin } from '@nomen/server/fastify'
import { audience } from '@nomen/testing/openid-provider'
import { testDatabase } from '@nomen/testing/test-database'
import fastify from 'fastify'
import { describe, expect, expectTypeOf, it, onTestFinished } from 'vitest'
import { bearer, claims, providedOnce, signed } from './issued.ts'
import { temporaryPath } from './temporary-database.ts'
import { openService } from './test-service.ts'
import {
  desk,
  digest,
  done,
  handlers,
  lock,
  openTickets,
  person,
  sample,
  second,
  tally,
  ticket,
  unlock,
} from './ticket-service.ts'

describe('a handler', () => {
  it('responds with the problem that it throws', async () => {
    const { send, faults } = await openTickets()
    const { status, body, headers } = await send('POST', '/ticket/2/reopening', { reason: 'x' })
    expect([status, body.code, body.detail]).toEqual([422, 'rule-broken', 'Ticket 2 is open already.'])
    // The handler has a request ID even if the client sent none.
    expect(done).toMatchObject([{ requestId: headers['x-request-id'] }])
    expect(faults).toEqual([])
  })

  const digestBy = (respond: (request: { query: { about: string | null } }) => unknown) =>
    openTickets({
      handlers: [
        ...handlers.filter(({ operation }) => operation !== digest),
        handle(ticket, digest, respond as () => { text: string }),
      ],
    })

  const thrown = (error: unknown) => {
    throw error
  }
  const faulty: Record<string, [() => unknown, string]> = {
    error: [() => thrown(new Error('no luck')), 'no luck'],
    foreign: [
      () => thrown(new ProblemError(problem('record-not-found', { detail: 'no user 7' }), 'r1')),
      'A call to another service failed: no user 7',
    ],
    unknown: [
      () => thrown(new ProblemError({ ...problem('gone', { detail: 'x' }), code: 'teapot' as never })),
      'Unknown problem code "teapot": x',
    ],
    odd: [
      () => thrown(new ProblemError({ ...problem('gone', { detail: 'x' }), status: 42 })),
      'The problem "gone" has another status than its code, or is not valid JSON: x',
    ],
    nothing: [() => undefined, 'The handler of GET /ticket/digest returned nothing. Return an object with text, cost.'],
    less: [async () => ({}), 'returned no "text"'],
    other: [() => ({ text: 7 }), 'returned text 7, which must be a string'],
  }

  it('is faulty if it throws another error or returns an undeclared value', async () => {
    const { get, faults } = await digestBy(({ query: { about } }) => faulty[`${about}`]?.[0]())
    for (const [about, [, text]] of Object.entries(faulty)) {
      const { status, body } = await get(`/ticket/digest?since=2026-01-02&about=${about}`)
      expect([status, body.code, body.detail]).toEqual([500, 'internal', expect.not.stringContaining(text)])
      expect(faults.pop()).toContain(text)
    }
    expect(faults).toEqual([])
  })

  it('is faulty if an item of a list does not match, and the message names the item', async () => {
    const good = { status: 'OPEN', count: 1 }
    const wrong: readonly [unknown, string][] = [
      [good, 'The handler of GET /ticket/tally returned an object. Return a list'],
      [null, 'returned null. Return a list'],
      [[good, { status: 'OPEN' }], 'returned no "count" in item 1'],
      [[good, good, { ...good, status: 'AJAR' }], 'returned status "AJAR" in item 2, which'],
      [[good, 7], 'returned 7 in item 1. Return an object with status, count, note.'],
      // biome-ignore lint/suspicious/noSparseArray: an empty slot is a missing item
      [[good, , good], 'returned nothing in item 1'],
    ]
    const { get, faults } = await openTickets({
      handlers: [
        ...handlers.filter(({ operation }) => operation !== tally),
        handle(ticket, tally, ({ query }) => wrong[query.least]?.[0] as []),
      ],
    })
    for (const [at, [, text]] of wrong.entries()) {
      const { status, body } = await get(`/ticket/tally?least=${at}`)
      expect([status, body.code]).toEqual([500, 'internal'])
      expect(faults.pop()).toContain(text)
    }
  })

  it('is awaited when the service closes', async () => {
    let go = () => {}
    const { get, app } = await digestBy(async () => {
      await new Promise<void>((resolve) => {
        go = resolve
      })
      return { text: 'late' }
    })
    const pending = get('/ticket/digest?since=2026-01-02')
    await expect.poll(() => go.name !== 'go').toBe(true)
    const closed = app.close()
    go()
    expect((await pending).body.text).toBe('late')
    await closed
  })
})

describe('a call of a handler', () => {
  const unlockBy = (use: (request: { call: InProcess; caller: Caller }) => unknown) =>
    handlers.map((handler) => (handler.operation === unlock ? handle(ticket, unlock, use as () => unknown) : handler))

  it('follows rules, visibility and hooks, and its problem becomes the response', async () => {
    const changes: unknown[] = []
    const { send } = await openTickets({
      rules: [
        rule(ticket, ['title'], ({ title }) => (title === 'bad' ? { field: 'title', detail: 'Not bad.' } : undefined)),
      ],
      visibility: [visible(ticket, () => ({ owner: 1 }))],
      after: [after(ticket, ({ record, requestId }) => void changes.push([record.id, record.title, requestId]))],
      handlers: handlers.map((handler) =>
        handler.operation === lock
          ? handle(ticket, lock, async ({ body, call }) => {
              const { ticket: own } = call(desk)
              if (body.reason === 'other') await own.update(3, { name: 'x' })
              await own.update(1, { name: body.reason })
            })
          : handler,
      ),
    })
    const locked = (reason: string) => send('PUT', '/ticket/2/lock', { reason }, { 'x-request-id': reason })
    expect((await locked('bad')).body).toMatchObject({ status: 422, code: 'rule-broken', detail: 'Not bad.' })
    expect((await locked('other')).body).toMatchObject({ status: 404, detail: 'There is no ticket 3.' })
    expect((await locked('good')).status).toBe(204)
    await expect.poll(() => changes.length > 0).toBe(true)
    expect(changes).toEqual([[1, 'good', 'good']])
  })

  it('reaches every api and version, with ETags, lists and lookups', async () => {
    const values: unknown[] = []
    const { send } = await openTickets({
      handlers: unlockBy(async ({ call }) => {
        const read = await call(second).ticket.read(1)
        values.push(read.secret, (await call(second).ticket.list({ status: ['CLOSED'] })).pageInfo.numberOfRecords)
        for await (const { id } of call(desk).ticket.records({ pageSize: 2 })) values.push(id)
        const { ticket: own } = call(desk)
        const ticketRead = await own.read(1)
        values.push((await own.update(1, { name: 'new' }, { etag: `${etagOf(ticketRead)}` })).name)
        await own.update(1, { name: 'newer' }, { etag: `${etagOf(ticketRead)}` })
      }),
    })
    const { status, body } = await send('DELETE', '/ticket/1/lock')
    expect([status, body.code, values]).toEqual([412, 'precondition-failed', ['s', 2, 1, 2, 3, 'new']])
  })

  it('reports an unchanged record, as over HTTP', async () => {
    const { send, faults } = await openTickets({
      handlers: unlockBy(async ({ call }) => {
        const { ticket: own } = call(desk)
        const tag = `${etagOf(await own.read(1))}`
        const unchanged = await own.read(1, { headers: { 'if-none-match': tag } }).catch((error: unknown) => error)
        if (!(unchanged instanceof ProblemError)) throw unchanged
        throw new ProblemError(problem('rule-broken', { detail: `${unchanged.name} ${unchanged.problem.status}` }))
      }),
    })
    expect((await send('DELETE', '/ticket/1/lock')).body).toMatchObject({ detail: 'ProblemError 304' })
    expect(faults).toEqual([])
  })

  it('requires an api of this service', async () => {
    const { send, faults } = await openTickets({
      handlers: unlockBy(({ call }) => call(api('other', { versioning: 'per-noun', writes: 'flat', resources: [] }))),
    })
    expect((await send('DELETE', '/ticket/1/lock')).status).toBe(500)
    expect(faults).toEqual([expect.stringContaining('"other" does not belong to this service')])
  })
})

describe('over HTTP', () => {
  const provider = providedOnce()

  it('requires the scope of its noun and method, and so do calls of handlers, unless they name another caller', async () => {
    const { issuer } = provider()
    const withOwner = handlers.map((handler) =>
      handler.operation === lock
        ? handle(ticket, lock, async ({ body, call, caller }) => {
            const as = body.reason === 'raised' ? { ...caller, scopes: ['*:write', '*:read'] } : caller
            await call(desk, as).staffMember.create({ username: body.reason })
            done.push(caller.user)
          })
        : handler,
    )
    const { send } = await openTickets({ handlers: withOwner }, { auth: { issuer, audience } })
    const as = async (scope: string) => bearer(await signed(claims(issuer, { scope, sub: 'ann' })))
    const lockWith = async (scope: string, reason: string) => {
      const { status, body } = await send('PUT', '/ticket/1/lock', { reason }, await as(scope))
      return [status, body?.detail]
    }
    expect((await send('PUT', '/ticket/1/lock', { reason: 'x' })).status).toBe(401)
    expect((await lockWith('ticket:read', 'x'))[0]).toBe(403)
    expect(await lockWith('ticket:write', 'x')).toEqual([
      403,
      expect.stringContaining('also requires the scopes person:write and person:read'),
    ])
    expect((await lockWith('ticket:write person:write', 'x'))[0]).toBe(403)
    expect(await lockWith('ticket:write person:write person:read', 'x')).toEqual([204, undefined])
    expect(await lockWith('ticket:write', 'raised')).toEqual([204, undefined])
    expect(done).toEqual(['ann', 'ann'])
    expect((await send('GET', '/ticket/digest?since=2026-01-01', undefined, await as('ticket:write'))).status).toBe(403)
    expect((await send('GET', '/ticket/digest?since=2026-01-01', undefined, await as('ticket:read'))).status).toBe(200)
  })

  it('is once in the access log, and in usage and metrics by its path template', async () => {
    const accessLog = temporaryPath()
    const { send, get, app } = await openTickets({}, { accessLog })
    await send('POST', '/ticket/1/reopening', { reason: 'x' })
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
    const usedEndpoints = usage.body.endpoints.filter(({ requests }: { requests: number }) => requests > 0)
    expect(usedEndpoints.map(({ id }: { id: string }) => id).sort()).toEqual([
      'desk.ticket.digest.get',
      'desk.ticket.reopening.post',
    ])
  })

  it('is also served by a framework: with an encoded path, and below a prefix', async () => {
    const { send } = await openTickets()
    expect((await send('PUT', '/ticket/%31/lock', { reason: 'x' })).status).toBe(204)
    expect((await send('GET', '/ticket/diges%74?since=2026-01-01')).status).toBe(200)
    const app = fastify()
    const { address, remove } = await testDatabase()
    onTestFinished(() => app.close().then(remove))
    const definition = service({ name: 'desk', apis: [desk, second], handlers, sample })
    await app.register(plugin(definition, { database: address }), { prefix: '/desk' })
    const reopened = await app.inject({ method: 'POST', url: '/desk/ticket/1/reopening', payload: { reason: 'x' } })
    expect([reopened.statusCode, reopened.json().title]).toEqual([200, 't1'])
    expect((await app.inject('/desk/ticket/digest?since=2026-01-01')).statusCode).toBe(200)
  })

  it('is called by the typed client', async () => {
    const { app } = await openTickets()
    const { ticket: tickets } = client<typeof desk>({
      baseUrl: await app.listen({ port: 0 }),
      versions: { 'staff-member': 3 },
    })
    const reopened = await tickets.of(1).reopening.post({ reason: 'again' })
    expectTypeOf(reopened.status).toEqualTypeOf<'OPEN'>()
    expect(reopened.title).toBe('t1')
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

  it('has deprecation headers in all responses, including problems', async () => {
    const { send } = await openTickets()
    const first = await send('POST', '/v2/ticket/1/reopening', { reason: 'x' })
    const again = await send('POST', '/v2/ticket/1/reopening', { reason: 'x' })
    expect([first.status, first.headers.deprecation]).toEqual([200, '@1767225600'])
    expect([again.status, again.headers.deprecation]).toEqual([422, '@1767225600'])
  })
})

describe('a service', () => {
  const settings = { name: 'desk', apis: [desk, second] }
  const badge = noun('badge', { id: identity() })
  const award = operation({ method: 'POST', on: 'collection', body: { badge: reference(() => badge) } })
  const awarding = api('awarding', {
    versioning: 'per-noun',
    writes: 'flat',
    resources: [resource(person, { operations: { award } })],
  })

  it.each<[string, readonly Handler[], string]>([
    ['an operation without a handler', handlers.slice(1), 'POST /ticket/{ticketId}/reopening has no handler'],
    ['two handlers of one', [...handlers, ...handlers.slice(-1)], 'has 2 handlers'],
    [
      'a handler of another noun',
      [...handlers, handle(person, lock, () => undefined)],
      'it handles an operation of "person" that no API of the service offers',
    ],
  ])('is rejected with %s', (_, all, text) => {
    expect(() => service({ ...settings, handlers: all })).toThrow(text)
  })

  it('is rejected with a reference to a noun that it does not store', () => {
    const define = () =>
      service({ name: 'award', apis: [awarding], handlers: [handle(person, award, () => undefined)] })
    expect(define).toThrow('"badge" of POST /person/award references "badge", but no API has a resource of "badge".')
  })

  it('responds with 410 for a removed operation, which needs no handler', async () => {
    const old = operation({
      method: 'GET',
      on: 'collection',
      response: { text: text() },
      deprecated: { since: '2026-01-01', gone: true },
    })
    const definition = service({
      name: 'old',
      apis: [
        api('old', { versioning: 'per-noun', writes: 'flat', resources: [resource(person, { operations: { old } })] }),
      ],
    })
    const { get } = await openService(definition)
    expect((await get('/person/old')).status).toBe(410)
  })
})
