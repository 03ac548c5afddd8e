// Callers and their records: who has created and changed what, also when records come and go elsewhere.
import { existsSync, readFileSync } from 'node:fs'
import { api, createdBy, identity, integer, noun, resource, text } from '@nomen/core'
import { type CallerNoun, callerNoun, type Settings, service, visible } from '@nomen/server'
import { audience } from '@nomen/testing/openid-provider'
import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import { describe, expect, it, onTestFinished } from 'vitest'
import { bearer, claims, note, notes, openedNotes, providedOnce, signed, user } from './issued.ts'
import { type Opened, opened } from './opened.ts'
import { temporaryPath } from './temporary-database.ts'

const provider = providedOnce()

async function as(name: string): Promise<Record<string, string>> {
  return bearer(await signed(claims(provider().issuer, { sub: name })))
}

/** Two services on one database, as two processes are. */
async function two(kind: string): Promise<readonly [Opened, Opened]> {
  const database = kind === 'SQLite' ? `sqlite:${temporaryPath()}` : await postgres()
  const settings: Partial<Settings> = { database }
  return [await openedNotes(provider(), {}, settings), await openedNotes(provider(), {}, settings)]
}

async function postgres(): Promise<string> {
  const { url, remove } = await temporaryPostgres()
  onTestFinished(remove)
  return url
}

const title = { title: 'x', about: null }

describe.each(['SQLite', 'PostgreSQL'])('on %s, a caller', (kind) => {
  it('whose record another process has deleted a moment ago can go on, as the author of nothing', async () => {
    const [here, there] = await two(kind)
    const made = await here.ask('POST', '/user', { username: 'ann' }, await as('root'))
    const ann = await as('ann')
    const first = await here.ask('POST', '/note', title, ann)
    expect(first.body).toMatchObject({ author: made.body.id, editor: made.body.id })
    expect(await there.ask('DELETE', `/user/${made.body.id}`, undefined, await as('root'))).toMatchObject({
      status: 200,
    })
    const later = await here.ask('POST', '/note', title, ann)
    expect(later).toMatchObject({ status: 201, body: { author: null, editor: null } })
    const changed = await here.ask('PATCH', `/note/${first.body.id}`, { title: 'y' }, ann)
    expect(changed).toMatchObject({ status: 200, body: { author: null, editor: null, title: 'y' } })
  })

  it('is still told of references of its own that point at nothing', async () => {
    const [here] = await two(kind)
    const { body } = await here.ask('POST', '/user', { username: 'ann' }, await as('root'))
    const answer = await here.ask('POST', '/note', { title: 'x', about: 999 }, await as('ann'))
    expect(answer).toMatchObject({ status: 422, body: { code: 'reference-not-found' } })
    expect(answer.body.errors).toEqual([{ pointer: '/about', detail: '999 does not exist' }])
    expect(body.id).toBe(1)
  })

  it('is found as soon as it has a record, and by the name that the record has now', async () => {
    const [here] = await two(kind)
    const [root, ann, bea] = [await as('root'), await as('ann'), await as('bea')]
    expect((await here.ask('POST', '/note', title, ann)).body).toMatchObject({ author: null })
    const { body } = await here.ask('POST', '/user', { username: 'ann' }, root)
    expect((await here.ask('POST', '/note', title, ann)).body).toMatchObject({ author: body.id })
    await here.ask('PATCH', `/user/${body.id}`, { username: 'bea' }, root)
    expect((await here.ask('POST', '/note', title, ann)).body).toMatchObject({ author: null })
    expect((await here.ask('POST', '/note', title, bea)).body).toMatchObject({ author: body.id })
  })

  it.each(['\u0000', 'a\u0000b', '\ud800', '\u{1f600}'.repeat(127), "'; drop table user; --"])(
    'may have any name: %j',
    async (name) => {
      const [here, there] = await two(kind)
      const headers = { ...(await as(name)), 'idempotency-key': 'k'.repeat(255) }
      const made = await here.ask('POST', '/note', title, headers)
      expect(made).toMatchObject({ status: 201, body: { author: null } })
      expect((await there.ask('POST', '/note', title, headers)).headers['idempotency-replayed']).toBe('true')
      const another = { ...headers, ...(await as(`${name}x`.slice(-255))) }
      expect((await there.ask('POST', '/note', title, another)).body.id).not.toBe(made.body.id)
    },
  )
})

describe('the user is the claim that identifies one', () => {
  const mine = { ...notes, visibility: [visible(user, ({ user: name }) => ({ username: name ?? '' }))] }
  const auth = () => ({ issuer: provider().issuer, audience })
  const showing = async (token: object) => bearer(await signed(claims(provider().issuer, { ...token })))

  it.each([
    { sub: 'mallory', preferred_username: 'alice' },
    { sub: 'mallory', name: 'alice', email: 'alice', username: 'alice' },
  ])('and no name that the token shows beside it: %j', async (token) => {
    const { ask } = await opened(mine, { auth: auth() })
    const [alice, mallory] = [await as('alice'), await showing(token)]
    const made = await ask('POST', '/user', { username: 'alice' }, alice)
    expect(await ask('GET', `/user/${made.body.id}`, undefined, alice)).toMatchObject({ status: 200 })
    expect(await ask('GET', `/user/${made.body.id}`, undefined, mallory)).toMatchObject({ status: 404 })
    expect((await ask('POST', '/note', title, alice)).body).toMatchObject({ author: made.body.id })
    expect((await ask('POST', '/note', title, mallory)).body).toMatchObject({ author: null })
    const keyed = (caller: Record<string, string>) =>
      ask('POST', '/note', title, { ...caller, 'idempotency-key': 'same' })
    expect((await keyed(mallory)).body.id).not.toBe((await keyed(alice)).body.id)
  })

  it('which the settings name', async () => {
    const { ask } = await opened(mine, { auth: { ...auth(), userClaim: 'preferred_username' } })
    const alice = await showing({ sub: '17', preferred_username: 'alice' })
    const made = await ask('POST', '/user', { username: 'alice' }, alice)
    expect((await ask('POST', '/note', title, alice)).body).toMatchObject({ author: made.body.id })
    // What another claim says is not taken in its place.
    const refused = await ask('GET', '/note', undefined, await showing({ sub: 'alice' }))
    expect(refused).toMatchObject({ status: 401, body: { code: 'invalid-token' } })
    expect(refused.body.detail).toBe('The token has no text in "preferred_username", which identifies the user.')
  })

  it('in the access log and the rate limit as well', async () => {
    const accessLog = temporaryPath()
    const { ask } = await opened(mine, { auth: auth(), accessLog, rateLimit: { number: 2, window: 60_000 } })
    const tokens = [
      { sub: 'mallory', preferred_username: 'alice' },
      { sub: 'mallory', preferred_username: 'bob' },
      { sub: 'mallory' },
      { sub: 'alice', preferred_username: 'mallory' },
    ]
    const statuses: number[] = []
    for (const token of tokens) statuses.push((await ask('GET', '/note', undefined, await showing(token))).status)
    expect(statuses).toEqual([200, 200, 429, 200])
    const users = () => (existsSync(accessLog) ? readFileSync(accessLog, 'utf8') : '').match(/(?<=- )\w+(?= \[)/g)
    await expect.poll(users).toEqual(['mallory', 'mallory', 'mallory', 'alice'])
  })
})

it('a caller sees records by what the token says, and by its own record', async () => {
  const narrowed = {
    ...notes,
    visibility: [visible(note, ({ record, claims }) => claims.isAuditor === true || { author: record as number })],
  }
  const auth = { issuer: provider().issuer, audience }
  const { ask } = await opened(narrowed, { auth, onFault: () => undefined })
  const [root, ann, bea] = [await as('root'), await as('ann'), await as('bea')]
  for (const username of ['ann', 'bea']) await ask('POST', '/user', { username }, root)
  for (const caller of [ann, ann, bea]) expect(await ask('POST', '/note', title, caller)).toMatchObject({ status: 201 })
  const auditor = bearer(await signed(claims(provider().issuer, { isAuditor: true })))
  const counts = [ann, bea, auditor].map(async (caller) => (await ask('GET', '/note', undefined, caller)).body.pageInfo)
  expect(await Promise.all(counts)).toMatchObject([2, 1, 3].map((numberOfRecords) => ({ numberOfRecords })))
  expect(await ask('GET', '/note/1', undefined, bea)).toMatchObject({ status: 404 })
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
    const resources = nouns.map((one) => resource(one as typeof other))
    return service({
      name: 'test',
      apis: [api('test', { versioning: 'per-noun', writes: 'nested', resources })],
      callers,
    })
  }

  it.each([
    [() => declared(callerNoun(plain, 'name'), plain, other), /named by "name" of "plain", which is no unique text/],
    [() => declared(callerNoun(plain, 'size'), plain, other), /no unique text/],
    [() => declared(callerNoun(plain, 'nothing' as 'name'), plain, other), /named by "nothing"/],
    [() => declared(callerNoun(user, 'username'), other), /"user", which none of its apis shows/],
    [() => declared(callerNoun(plain, 'code'), plain, other), /"maker" of "plain" points at "other"/],
  ])('are checked when it is declared (%#)', (declare, message) => {
    expect(declare).toThrow(message)
  })

  it('are records by a unique text', () => {
    expect(declared(callerNoun(other, 'name'), plain, other).callers).toEqual({ noun: other, field: 'name' })
  })
})
