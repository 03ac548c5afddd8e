// The history follows the declaration: triggers are created again with every change of a recorded table.
import { type AnyNoun, change, identity, integer, link, noun, resource, text } from '@nomen/core'
import { service } from '@nomen/server'
import { migrateDatabase } from '@nomen/server/admin'
import { expect, it } from 'vitest'
import { persistentDatabase } from './persistent-database.ts'
import { openService, plainApi, type TestService } from './test-service.ts'

const tag = noun('tag', { id: identity(), name: text() })

/** Opens a version of the service, runs the requests, and returns the entries that they have added, the oldest first. */
async function entriesWith(
  database: string,
  item: AnyNoun,
  requests: (app: TestService) => Promise<unknown>,
  isApplied = false,
) {
  const definition = service({
    name: 'items',
    apis: [
      plainApi(
        resource(item, { children: [resource(tag, { via: link(item, tag) })] } as object),
        resource(tag),
        resource(change),
      ),
    ],
  })
  if (isApplied) await migrateDatabase(database, definition, 'apply')
  const app = await openService(definition, { database })
  const known = (await app.get('/change')).body.pageInfo.numberOfRecords
  await requests(app)
  const { results } = (await app.get('/change?pageSize=1000')).body
  return results
    .slice(0, results.length - known)
    .toReversed()
    .map(({ kind, before, after }: Record<string, string>) => [
      kind,
      JSON.parse(before ?? 'null'),
      JSON.parse(after ?? 'null'),
    ])
}

it('starts, follows new, renamed, nullable and dropped fields, and stops', async () => {
  const database = await persistentDatabase()
  const plain = noun('item', { id: identity(), name: text() })
  const nothing = await entriesWith(database, plain, ({ send }) => send('POST', '/item', { name: 'a' }))
  expect(nothing).toEqual([])

  const recorded = noun('item', { id: identity(), name: text() }, { history: true })
  const first = await entriesWith(database, recorded, async ({ send }) => {
    await send('PATCH', '/item/1', { name: 'b' })
    await send('POST', '/tag', { name: 't' })
    await send('PUT', '/item/1/tag/1')
  })
  expect(first).toEqual([
    ['CHANGED', { name: 'a' }, { name: 'b' }],
    ['LINKED', null, null],
  ])

  const wider = noun(
    'item',
    { id: identity(), title: text().renamedFrom('name').nullable(), size: integer().default(7) },
    { history: true },
  )
  const requests = async ({ send }: TestService) => {
    await send('PATCH', '/item/1', { title: null, size: 8 })
    await send('DELETE', '/item/1/tag/1')
    await send('DELETE', '/item/1')
  }
  const second = await entriesWith(database, wider, requests, true)
  expect(second).toEqual([
    ['CHANGED', { title: 'b', size: 7 }, { title: null, size: 8 }],
    ['UNLINKED', null, null],
    ['DELETED', { id: 1, title: null, size: 8 }, null],
  ])

  const stopped = noun('item', { id: identity(), title: text().nullable(), size: integer().default(7) })
  expect(await entriesWith(database, stopped, ({ send }) => send('POST', '/item', { title: 'x' }), true)).toEqual([])
  const again = await entriesWith(database, wider, ({ send }) => send('DELETE', '/item/2'))
  expect(again).toEqual([['DELETED', { id: 2, title: 'x', size: 7 }, null]])
})

it('does not mix up entries of a dropped noun with records of a new one', async () => {
  const database = await persistentDatabase()
  const tags = resource(noun('tag', { id: identity(), name: text() }, { history: true }))
  const versionOf = (...nouns: AnyNoun[]) =>
    service({ name: 'items', apis: [plainApi(tags, ...nouns.map((each) => resource(each)), resource(change))] })
  const item = noun('item', { id: identity(), name: text() }, { history: true })
  const first = await openService(versionOf(item), { database })
  await first.send('POST', '/item', { name: 'secret' })
  await first.send('DELETE', '/item/1')
  await migrateDatabase(database, versionOf(), 'apply')
  const again = await openService(versionOf(noun('item', { id: identity(), size: integer() }, { history: true })), {
    database,
  })
  await again.send('POST', '/item', { size: 1 })
  const entries = (await again.get('/change?record=item/1')).body.results
  expect(entries.map(({ kind }: { kind: string }) => kind)).toEqual(['CREATED'])
  expect((await again.get('/change?noun=dropped%20item&kind=DELETED')).body.results).toHaveLength(1)
  expect((await again.send('POST', '/item/2/restoration')).status).toBe(404)
})

it('keeps its entries until a contraction', async () => {
  const database = await persistentDatabase()
  const item = noun('item', { id: identity(), name: text() }, { history: true })
  await entriesWith(database, item, ({ send }) => send('POST', '/item', { name: 'a' }))
  const plain = noun('item', { id: identity(), name: text() })
  const withoutHistory = service({ name: 'items', apis: [plainApi(resource(plain))] })
  await (await openService(withoutHistory, { database })).app.close()
  expect(await entriesWith(database, item, ({ send }) => send('PATCH', '/item/1', { name: 'b' }))).toHaveLength(1)
  await migrateDatabase(database, withoutHistory, 'contract')
  const [created] = await entriesWith(database, item, ({ send }) => send('POST', '/item', { name: 'c' }))
  expect(created).toEqual(['CREATED', null, { id: 2, name: 'c' }])
})
