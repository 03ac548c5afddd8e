// How long history entries are kept: by age and by number, and what a limited history still knows.
import { setTimeout as pause } from 'node:timers/promises'
import { change, type HistoryOptions, identity, integer, link, noun, resource } from '@nomen/core'
import { service } from '@nomen/server'
import { isOnPostgres } from '@nomen/testing/test-database'
import { expect, it } from 'vitest'
import { execute, persistentDatabase } from './persistent-database.ts'
import { openService, plainApi, type TestService } from './test-service.ts'

const other = noun('other', { id: identity(), size: integer() }, { history: true })

const versionOf = (history: true | HistoryOptions) => {
  const item = noun('item', { id: identity(), size: integer() }, { history })
  return service({ name: 'items', apis: [plainApi(resource(item), resource(other), resource(change))] })
}

/** A time after everything before, and before everything after. */
async function now(): Promise<string> {
  await pause(2)
  const time = new Date().toISOString()
  await pause(2)
  return time
}

const sizes = async ({ get }: TestService, record: string) => {
  const { results } = (await get(`/change?record=${record}&sort=id`)).body
  return results.map(({ after }: { after: string | null }) => (after === null ? null : JSON.parse(after).size))
}

it('keeps the newest entries of each record, and knows the record since then', async () => {
  const database = await persistentDatabase()
  const app = await openService(versionOf({ entries: 3 }), { database })
  for (const size of [1, 2]) await app.send('POST', '/item', { size })
  const first = await now()
  for (const size of [3, 4, 5, 6]) await app.send('PATCH', '/item/1', { size })
  const kept = await now()
  for (const size of [7, 8]) await app.send('PATCH', '/item/1', { size })
  expect(await sizes(app, 'item/1')).toEqual([6, 7, 8])
  expect(await sizes(app, 'item/2')).toEqual([2])
  expect((await app.get(`/item/1?at=${first}`)).body.code).toBe('history-too-short')
  expect((await app.get(`/item/1?at=${kept}`)).body.size).toBe(6)
  expect((await app.get(`/item/2?at=${first}`)).body.size).toBe(2)
  await app.send('DELETE', '/item/1')
  expect(await sizes(app, 'item/1')).toEqual([7, 8, null])
  expect((await app.send('POST', '/item/1/restoration')).body.size).toBe(8)
  const beforeRestore = await now()
  await app.send('DELETE', '/item/2')
  await app.send('POST', '/item/2/restoration')
  await app.send('PATCH', '/item/2', { size: 20 })
  // The oldest kept entry is the restore, not the beginning.
  expect((await app.get(`/item/2?at=${first}`)).body.code).toBe('history-too-short')
  expect((await app.get(`/item/2?at=${beforeRestore}`)).body.code).toBe('history-too-short')
  // With a higher limit, entries may be missing that would have been kept.
  const next = await openService(versionOf({ entries: 5 }), { database })
  expect((await next.get(`/item/2?at=${first}`)).body.code).toBe('history-too-short')
  for (const size of [9, 10, 11]) await next.send('PATCH', '/item/1', { size })
  expect(await sizes(next, 'item/1')).toEqual([null, 8, 9, 10, 11])
  const unlimited = await openService(versionOf(true), { database })
  for (const size of [12, 13]) await unlimited.send('PATCH', '/item/1', { size })
  expect(await sizes(unlimited, 'item/1')).toHaveLength(7)
})

it('deletes entries from before the history began again', async () => {
  const database = await persistentDatabase()
  const app = await openService(versionOf({ entries: 10 }), { database })
  for (const size of [1, 2]) await app.send('POST', '/item', { size })
  const again = await openService(versionOf(true), { database })
  expect((await again.get('/change?kind=STARTED&noun=item')).body.results).toHaveLength(2)
  const dayMs = 24 * 60 * 60 * 1000
  await execute(
    database,
    `update "change" set "time" = '${new Date(Date.now() - 40 * dayMs).toISOString()}' where "id" <= 4`,
  )
  const limited = await openService(versionOf({ days: 30 }), { database })
  await expect.poll(async () => (await limited.get('/change?kind=CREATED&noun=item')).body.results).toEqual([])
  const thirtyFiveDaysAgo = new Date(Date.now() - 35 * dayMs).toISOString()
  expect((await limited.get(`/item/1?at=${thirtyFiveDaysAgo}`)).body.code).toBe('history-too-short')
})

it('deletes entries that are older than the limit, of this noun only', async () => {
  const database = await persistentDatabase()
  const app = await openService(versionOf(true), { database })
  for (let size = 0; size < 1200; size += 100)
    await Promise.all(Array.from({ length: 100 }, (_, at) => app.send('POST', '/item', { size: size + at })))
  await app.send('POST', '/other', { size: 1 })
  const dayMs = 24 * 60 * 60 * 1000
  const fortyDaysAgo = new Date(Date.now() - 40 * dayMs).toISOString()
  await execute(database, `update "change" set "time" = '${fortyDaysAgo}'`)
  const { size: firstSize } = (await app.get('/item/1')).body
  await app.send('PATCH', '/item/1', { size: -1 })
  const count = async (service: TestService, query: string) =>
    (await service.get(`/change?${query}`)).body.pageInfo.numberOfRecords
  expect(await count(app, 'noun=item')).toBe(1202)
  const again = await openService(versionOf({ days: 30 }), { database })
  await expect.poll(() => count(again, 'noun=item')).toBe(2)
  expect(await sizes(again, 'item/1')).toEqual([-1])
  expect(await count(again, 'noun=other')).toBe(2)
  const twentyDaysAgo = new Date(Date.now() - 20 * dayMs).toISOString()
  await expect.poll(async () => (await again.get(`/item/1?at=${fortyDaysAgo}`)).body.code).toBe('history-too-short')
  expect((await again.get(`/item/1?at=${twentyDaysAgo}`)).body.size).toBe(firstSize)
})

it('rejects to follow changes from before the deleted ones', async () => {
  const database = await persistentDatabase()
  const app = await openService(versionOf(true), { database })
  for (const size of [1, 2]) await app.send('POST', '/item', { size })
  const { results } = (await app.get('/change?kind=CREATED')).body
  const [last, first] = results.map(({ id }: { id: number }) => id)
  const fortyDaysAgo = new Date(Date.now() - 40 * 24 * 60 * 60 * 1000).toISOString()
  await execute(database, `update "change" set "time" = '${fortyDaysAgo}' where "id" <= ${last}`)
  const limited = await openService(versionOf({ days: 30 }), { database })
  const follow = (query: string, headers = {}) => limited.send('GET', `/change?${query}`, undefined, headers)
  await expect.poll(async () => (await follow(`afterId=${first}`)).status).toBe(400)
  const poll = await follow(`afterId=${first}`)
  expect([poll.body.code, poll.body.errors[0].detail]).toEqual([
    'invalid-parameter',
    `is ${first}, but changes up to ${last} may have been deleted`,
  ])
  const events = { accept: 'text/event-stream' }
  expect((await follow(`afterId=${first}`, events)).body.code).toBe('invalid-parameter')
  const stream = await follow('', { ...events, 'last-event-id': `${first}` })
  expect([stream.body.code, stream.body.detail]).toEqual([
    'invalid-header',
    `Last-Event-ID ${first} is too old: changes up to ${last} may have been deleted.`,
  ])
  // No change of the other noun was deleted, and none after the last of the deleted ones.
  await limited.send('POST', '/other', { size: 3 })
  expect((await follow(`afterId=${first}&noun=other`)).body.results).toHaveLength(1)
  expect((await follow(`afterId=${last}`)).body.results).toHaveLength(1)
  // The stored ID is not shown.
  const started = (await limited.get('/change?kind=STARTED&noun=item')).body.results
  expect(started.map(({ before }: { before: unknown }) => before)).toEqual([null])
})

it('keeps entries of links as long as those of the records that they link', async () => {
  const database = await persistentDatabase()
  const linked = (box: HistoryOptions | true, tag?: HistoryOptions) => {
    const boxNoun = noun('box', { id: identity() }, { history: box })
    const tagNoun = noun('tag', { id: identity() }, tag && { history: tag })
    const pairs = link(boxNoun, tagNoun)
    const boxes = resource(boxNoun, { children: [resource(tagNoun, { via: pairs })] })
    return service({ name: 'boxes', apis: [plainApi(boxes, resource(tagNoun), resource(change))] })
  }
  const app = await openService(linked(true), { database })
  for (const path of ['/box', '/tag']) await app.send('POST', path, {})
  await app.send('PUT', '/box/1/tag/1')
  const fortyDaysAgo = new Date(Date.now() - 40 * 24 * 60 * 60 * 1000).toISOString()
  await execute(database, `update "change" set "time" = '${fortyDaysAgo}'`)
  const kindsOf = async ({ get }: TestService, noun: string) =>
    (await get(`/change?noun=${noun}&sort=id`)).body.results.map(({ kind }: { kind: string }) => kind)
  const longer = await openService(linked({ days: 30 }, { days: 50 }), { database })
  await expect.poll(() => kindsOf(longer, 'box')).toEqual(['STARTED'])
  await pause(100)
  expect(await kindsOf(longer, 'box-tag')).toEqual(['STARTED', 'LINKED'])
  const shorter = await openService(linked({ days: 30 }, { days: 20 }), { database })
  await expect.poll(() => kindsOf(shorter, 'box-tag')).toEqual(['STARTED'])
})

it.runIf(isOnPostgres)('reads old entries in the order of their index, and each of them a few times only', async () => {
  const database = await persistentDatabase()
  await openService(versionOf(true), { database })
  const numberOfEntries = 20_000
  await execute(
    database,
    `insert into "change" ("time", "noun", "record", "kind") select now() - interval '40 days' + n * interval '1 second', 'item', 'item/1', 'CHANGED' from generate_series(1, ${numberOfEntries}) as n`,
  )
  await execute(
    database,
    `update "change" set "time" = now() - interval '50 days' where "kind" = 'STARTED'; analyze "change"`,
  )
  const thirtyOneDaysAgo = new Date(Date.now() - 31 * 24 * 60 * 60 * 1000).toISOString()
  const limited = await openService(versionOf({ days: 30 }), { database })
  const start = async () => (await limited.get('/change?record=item&kind=STARTED')).body.results[0].time
  await expect.poll(async () => (await start()) > thirtyOneDaysAgo, { timeout: 20_000 }).toBe(true)
  await limited.app.close()
  // A closed connection has reported its figures.
  const [figures] = await execute(
    database,
    `select seq_tup_read + idx_tup_fetch as "reads" from pg_stat_user_tables where relname = 'change'`,
  )
  expect(Number(figures?.reads)).toBeLessThan(6 * numberOfEntries)
})

it('rejects limits that are not positive integers', () => {
  for (const history of [{ days: 0 }, { entries: 1.5 }, { entries: 2000 }, { days: '3' }, { years: 1 }, false, null])
    expect(() => noun('item', { id: identity() }, { history: history as never })).toThrow('noun "item", history')
})
