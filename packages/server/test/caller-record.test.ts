// Callers and their records: authors of changes, also when other processes create and delete records.
import { existsSync, readFileSync } from 'node:fs'
import { api, createdAt, createdBy, identity, integer, noun, reference, resource, text, timestamp } from '@nomen/core'
import { type CallerNoun, callerNoun, type Settings, service, visible } from '@nomen/server'
import { audience } from '@nomen/testing/openid-provider'
import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import { describe, expect, it, onTestFinished } from 'vitest'
import { bearer, claims, note, notes, openNotes, providedOnce, signed, user } from './issued.ts'
import { temporaryPath } from './temporary-database.ts'
import { openService, plainApi, type TestService } from './test-service.ts'

const provider = providedOnce()

async function as(name: string): Promise<Record<string, string>> {
  return bearer(await signed(claims(provider().issuer, { sub: name })))
}

/** Two services on one database, as two processes are. */
async function two(kind: string): Promise<readonly [TestService, TestService]> {
  const database = kind === 'SQLite' ? `sqlite:${temporaryPath()}` : await postgres()
  const settings: Partial<Settings> = { database }
  return [await openNotes(provider(), {}, settings), await openNotes(provider(), {}, settings)]
}

async function postgres(): Promise<string> {
  const { url, remove } = await temporaryPostgres()
  onTestFinished(remove)
  return url
}

const title = { title: 'x', about: null }

describe.each(['SQLite', 'PostgreSQL'])('on %s, a caller', (kind) => {
  it('whose record another process has just deleted can continue, without being recorded as the author', async () => {
    const [here, there] = await two(kind)
    const created = await here.send('POST', '/user', { username: 'ann' }, await as('root'))
    const ann = await as('ann')
    const first = await here.send('POST', '/note', title, ann)
    expect(first.body).toMatchObject({ author: created.body.id, editor: created.body.id })
    expect(await there.send('DELETE', `/user/${created.body.id}`, undefined, await as('root'))).toMatchObject({
      status: 200,
    })
    const later = await here.send('POST', '/note', title, ann)
    expect(later).toMatchObject({ status: 201, body: { author: null, editor: null } })
    const changed = await here.send('PATCH', `/note/${first.body.id}`, { title: 'y' }, ann)
    expect(changed).toMatchObject({ status: 200, body: { author: null, editor: null, title: 'y' } })
  })

  it('still gets a problem for its own references to missing records', async () => {
    const [here] = await two(kind)
    const { body } = await here.send('POST', '/user', { username: 'ann' }, await as('root'))
    const response = await here.send('POST', '/note', { title: 'x', about: 999 }, await as('ann'))
    expect(response).toMatchObject({ status: 422, body: { code: 'reference-not-found' } })
    expect(response.body.errors).toEqual([{ pointer: '/about', detail: '999 does not exist' }])
    expect(body.id).toBe(1)
  })

  it('is found as soon as it has a record, by the current name of the record', async () => {
    const [here] = await two(kind)
    const [root, ann, bea] = [await as('root'), await as('ann'), await as('bea')]
    expect((await here.send('POST', '/note', title, ann)).body).toMatchObject({ author: null })
    const { body } = await here.send('POST', '/user', { username: 'ann' }, root)
    expect((await here.send('POST', '/note', title, ann)).body).toMatchObject({ author: body.id })
    await here.send('PATCH', `/user/${body.id}`, { username: 'bea' }, root)
    expect((await here.send('POST', '/note', title, ann)).body).toMatchObject({ author: null })
    expect((await here.send('POST', '/note', title, bea)).body).toMatchObject({ author: body.id })
  })

  it.each(['\u0000', 'a\u0000b', '\ud800', '\u{1f600}'.repeat(127), "'; drop table user; --"])(
    'may have any name: %j',
    async (name) => {
      const [here, there] = await two(kind)
      const headers = { ...(await as(name)), 'idempotency-key': 'k'.repeat(255) }
      const created = await here.send('POST', '/note', title, headers)
      expect(created).toMatchObject({ status: 201, body: { author: null } })
      expect((await there.send('POST', '/note', title, headers)).headers['idempotency-replayed']).toBe('true')
      const another = { ...headers, ...(await as(`${name}x`.slice(-255))) }
      expect((await there.send('POST', '/note', title, another)).body.id).not.toBe(created.body.id)
    },
  )
})

describe('the user is the claim that identifies the caller', () => {
  const mine = { ...notes, visibility: [visible(user, ({ user: name }) => ({ username: name ?? '' }))] }
  const auth = () => ({ issuer: provider().issuer, audience })
  const showing = async (token: object) => bearer(await signed(claims(provider().issuer, { ...token })))

  it.each([
    { sub: 'mallory', preferred_username: 'alice' },
    { sub: 'mallory', name: 'alice', email: 'alice', username: 'alice' },
  ])('not another name in the token: %j', async (token) => {
    const { send } = await openService(mine, { auth: auth() })
    const [alice, mallory] = [await as('alice'), await showing(token)]
    const created = await send('POST', '/user', { username: 'alice' }, alice)
    expect(await send('GET', `/user/${created.body.id}`, undefined, alice)).toMatchObject({ status: 200 })
    expect(await send('GET', `/user/${created.body.id}`, undefined, mallory)).toMatchObject({ status: 404 })
    expect((await send('POST', '/note', title, alice)).body).toMatchObject({ author: created.body.id })
    expect((await send('POST', '/note', title, mallory)).body).toMatchObject({ author: null })
    const keyed = (caller: Record<string, string>) =>
      send('POST', '/note', title, { ...caller, 'idempotency-key': 'same' })
    expect((await keyed(mallory)).body.id).not.toBe((await keyed(alice)).body.id)
  })

  it('that the settings select', async () => {
    const { send } = await openService(mine, { auth: { ...auth(), userClaim: 'preferred_username' } })
    const alice = await showing({ sub: '17', preferred_username: 'alice' })
    const created = await send('POST', '/user', { username: 'alice' }, alice)
    expect((await send('POST', '/note', title, alice)).body).toMatchObject({ author: created.body.id })
    // Another claim does not replace it.
    const rejected = await send('GET', '/note', undefined, await showing({ sub: 'alice' }))
    expect(rejected).toMatchObject({ status: 401, body: { code: 'invalid-token' } })
    expect(rejected.body.detail).toBe(
      'The claim "preferred_username", which identifies the user, is missing or not a string.',
    )
  })

  it('also in the access log and the rate limit', async () => {
    const accessLog = temporaryPath()
    const { send } = await openService(mine, { auth: auth(), accessLog, rateLimit: { number: 2, windowMs: 60_000 } })
    const tokens = [
      { sub: 'mallory', preferred_username: 'alice' },
      { sub: 'mallory', preferred_username: 'bob' },
      { sub: 'mallory' },
      { sub: 'alice', preferred_username: 'mallory' },
    ]
    const statuses: number[] = []
    for (const token of tokens) statuses.push((await send('GET', '/note', undefined, await showing(token))).status)
    expect(statuses).toEqual([200, 200, 429, 200])
    const users = () => (existsSync(accessLog) ? readFileSync(accessLog, 'utf8') : '').match(/(?<=- )\w+(?= \[)/g)
    await expect.poll(users).toEqual(['mallory', 'mallory', 'mallory', 'alice'])
  })
})

it('a caller sees records by the claims of the token and by its own record', async () => {
  const narrowed = {
    ...notes,
    visibility: [visible(note, ({ record, claims }) => claims.isAuditor === true || { author: record as number })],
  }
  const auth = { issuer: provider().issuer, audience }
  const { send } = await openService(narrowed, { auth, onFault: () => undefined })
  const [root, ann, bea] = [await as('root'), await as('ann'), await as('bea')]
  for (const username of ['ann', 'bea']) await send('POST', '/user', { username }, root)
  for (const caller of [ann, ann, bea])
    expect(await send('POST', '/note', title, caller)).toMatchObject({ status: 201 })
  const auditor = bearer(await signed(claims(provider().issuer, { isAuditor: true })))
  const counts = [ann, bea, auditor].map(
    async (caller) => (await send('GET', '/note', undefined, caller)).body.pageInfo,
  )
  expect(await Promise.all(counts)).toMatchObject([2, 1, 3].map((numberOfRecords) => ({ numberOfRecords })))
  expect(await send('GET', '/note/1', undefined, bea)).toMatchObject({ status: 404 })
})

it('the author and the time of a record can be the defaults of other fields', async () => {
  const task = noun('task', {
    id: identity(),
    owner: reference(() => user)
      .nullable()
      .defaultFrom('author'),
    start: timestamp().defaultFrom('created'),
    author: createdBy(() => user),
    created: createdAt(),
  })
  const tasks = service({
    name: 'tasks',
    apis: [plainApi(resource(user), resource(task))],
    callers: callerNoun(user, 'username'),
  })
  const { send } = await openService(tasks, { auth: { issuer: provider().issuer, audience } })
  const ann = await as('ann')
  const { body: record } = await send('POST', '/user', { username: 'ann' }, ann)
  const { status, body } = await send('POST', '/task', {}, ann)
  expect([status, body.owner, body.start]).toEqual([201, record.id, body.created])
  expect(await send('POST', '/task', { owner: null }, ann)).toMatchObject({ body: { owner: null, author: record.id } })
})

describe('callers of a service', () => {
  const plain = noun('plain', {
    id: identity(),
    name: text(),
    size: integer(),
    code: text().unique(),
    maker: createdBy(() => other),
  })
  const other = noun('other', { id: identity(), name: text().unique() })

  function declared(callers: CallerNoun, ...nouns: (typeof plain | typeof other | typeof user)[]) {
    const resources = nouns.map((noun) => resource(noun as typeof other))
    return service({
      name: 'test',
      apis: [api('test', { versioning: 'per-noun', writes: 'nested', resources })],
      callers,
    })
  }

  it.each([
    [() => declared(callerNoun(plain, 'name'), plain, other), /needs a unique text field, and "name" of "plain"/],
    [() => declared(callerNoun(plain, 'size'), plain, other), /needs a unique text field/],
    [() => declared(callerNoun(plain, 'nothing' as 'name'), plain, other), /needs a unique text field, and "nothing"/],
    [() => declared(callerNoun(user, 'username'), other), /"user", but no API of the service exposes/],
    [() => declared(callerNoun(plain, 'code'), plain, other), /"maker" of "plain" references "other"/],
  ])('are checked when it is declared (%#)', (declare, message) => {
    expect(declare).toThrow(message)
  })

  it('are found by a unique text field', () => {
    expect(declared(callerNoun(other, 'name'), plain, other).callers).toEqual({ noun: other, field: 'name' })
  })
})
