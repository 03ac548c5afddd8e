// The changes of all records of a noun, filtered by the fields of the records: before or after each change.

import { setTimeout as pause } from 'node:timers/promises'
import {
  api,
  boolean,
  change,
  choice,
  date,
  decimal,
  identity,
  noun,
  range,
  reference,
  resource,
  text,
} from '@nomen/core'
import { client } from '@nomen/core/client'
import { service } from '@nomen/server'
import { randomFrom } from '@nomen/testing/random'
import { expect, it } from 'vitest'
import { openService } from './test-service.ts'

const team = noun('team', { id: identity(), name: text() })
const user = noun(
  'user',
  {
    id: identity(),
    name: text(),
    team: reference(() => team).nullable(),
    state: choice('NEW', 'OLD').default('NEW'),
    active: boolean().default(true),
    born: date().nullable(),
    wage: decimal({ precision: 8, scale: 2 }).nullable(),
    secret: text().nullable().visibleTo('user:secret'),
  },
  { history: true },
)
const plain = api('directory', {
  versioning: 'per-noun',
  writes: 'nested',
  resources: [
    resource(user, { search: ['name'], filters: { born: range('born') }, children: [resource(change)] }),
    resource(team),
    resource(change),
  ],
})
const directory = service({ name: 'directory', apis: [plain] })

interface Entry {
  readonly id: number
  readonly record: string
  readonly kind: string
  readonly before: string | null
  readonly after: string | null
}
type State = Readonly<Record<string, unknown>>

/** The values of random filters and writes. */
const values: Readonly<Record<string, readonly unknown[]>> = {
  team: [null, 1, 2],
  state: ['NEW', 'OLD'],
  active: [true, false],
  born: [null, '2001-02-03', '2004-05-06'],
  wage: [null, '10.00', '12.50'],
  name: ['a', 'b, c', '='],
}

/** The entries that the list must have, from a replay of the whole history. */
function expected(
  entries: readonly Entry[],
  matches: (state: State) => boolean,
): readonly (readonly [number, string])[] {
  const states = new Map<string, State>()
  return entries.flatMap(({ id, record, kind, after }) => {
    const before = states.get(record)
    const next = kind === 'DELETED' ? undefined : { ...before, ...JSON.parse(after ?? '{}') }
    if (next) states.set(record, next)
    else states.delete(record)
    const [was, is] = [before !== undefined && matches(before), next !== undefined && matches(next)]
    if (!was && !is) return []
    const isMove = kind === 'CHANGED' && was !== is
    return [[id, isMove ? (is ? 'ENTERED' : 'LEFT') : kind] as const]
  })
}

it('lists exactly the changes of records that match before or after, and says which enter or leave', async () => {
  const { send, get } = await openService(directory)
  const random = randomFrom(11)
  for (const name of ['x', 'y']) await send('POST', '/team', { name })
  const randomValues = () =>
    Object.fromEntries(
      Object.entries(values).flatMap(([name, some]) => (random.below(3) === 0 ? [[name, random.pick(some)]] : [])),
    )
  for (let step = 0; step < 120; step++) {
    const id = 1 + random.below(8)
    const [method, path, body] = random.pick([
      ['POST', '/user', { name: 'a', ...randomValues() }],
      ['PATCH', `/user/${id}`, randomValues()],
      ['PATCH', `/user/${id}`, randomValues()],
      ['PATCH', `/user/${id}`, randomValues()],
      ['DELETE', `/user/${id}`, undefined],
      ['POST', `/user/${id}/restoration`, undefined],
    ] as const)
    expect((await send(method, path, body)).status).toBeLessThan(500)
  }
  const { results } = (await get('/change?noun=user&sort=id&pageSize=1000')).body
  const entries: readonly Entry[] = results.filter(({ kind }: Entry) => kind !== 'STARTED')
  expect(entries.length).toBeGreaterThan(60)
  let moves = 0
  for (let attempt = 0; attempt < 25; attempt++) {
    const names = Object.keys(values).filter(() => random.below(3) === 0)
    const filter = names.map((name) => [name, random.pick(values[name] ?? [])] as const)
    if (filter.length === 0) continue
    const query = filter
      .map(([name, value]) => `${name}=${value === null ? '' : encodeURIComponent(`${value}`)}`)
      .join('&')
    const listed = (await get(`/user/change?${query}&pageSize=1000`)).body.results as readonly Entry[]
    const matching = expected(entries, (state) => filter.every(([name, value]) => state[name] === value))
    const found = listed.map(({ id, kind }) => [id, kind] as const)
    expect([query, found]).toEqual([query, matching.toReversed()])
    const followed = (await get(`/user/change?${query}&afterId=0&pageSize=1000`)).body.results as readonly Entry[]
    expect(followed.map(({ id, kind }) => [id, kind])).toEqual(matching)
    moves += matching.filter(([, kind]) => kind === 'ENTERED' || kind === 'LEFT').length
  }
  expect(moves).toBeGreaterThan(20)
})

it('streams the changes that match, to the typed client as well', async () => {
  const { app, send } = await openService(directory)
  for (const name of ['x', 'y']) await send('POST', '/team', { name })
  const caller = client<typeof plain>({ baseUrl: 'http://directory', fetch: app.fetch })
  const abort = new AbortController()
  const changes = caller.user.change.follow({ team: 1, afterId: 0 }, { signal: abort.signal })
  const next = changes.next()
  await pause(20)
  await send('POST', '/user', { name: 'a', team: 2 })
  await send('PATCH', '/user/1', { team: 1 })
  await send('PATCH', '/user/1', { name: 'b' })
  await send('PATCH', '/user/1', { team: null })
  const kinds = [(await next).value?.kind, (await changes.next()).value?.kind, (await changes.next()).value?.kind]
  expect(kinds).toEqual(['ENTERED', 'CHANGED', 'LEFT'])
  abort.abort()
})

it('has the filters of entries too, but none by fields with a scope', async () => {
  const { get, send } = await openService(directory)
  await send('POST', '/user', { name: 'a' })
  await send('POST', '/team', { name: 'x' })
  expect((await get('/user/change?sort=id')).body.results).toMatchObject([{ kind: 'STARTED' }, { kind: 'CREATED' }])
  expect((await get('/user/change?record=user/1&id=2&name=a')).body.pageInfo.numberOfRecords).toBe(1)
  expect((await get('/user/change?secret=x')).body.code).toBe('unknown-parameter')
  expect((await get('/user?bornFrom=1990-01-01&search=a')).status).toBe(200)
  expect((await get('/user/change?search=a&bornFrom=1990-01-01')).body).toMatchObject({
    code: 'unknown-parameter',
    detail: '/user/change has no parameters "search", "bornFrom", although /user has them.',
    hint: 'Use only filters that compare one field with a value. Ranges, search, custom filters and fields that require a scope are not available here.',
    errors: [{ parameter: 'search' }, { parameter: 'bornFrom' }],
  })
  expect((await get('/user/change?kind=ENTERED&name=a')).body.detail).toBe(
    'Parameter "kind" cannot be ENTERED. Use CHANGED, which includes ENTERED and LEFT.',
  )
})
