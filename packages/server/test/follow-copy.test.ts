// A copy that is kept by following changes equals the database after thousands of changes by concurrent transactions, some of which are slow
// or rolled back.
import { setTimeout as pause } from 'node:timers/promises'
import { api, change, identity, integer, noun, resource } from '@nomen/core'
import { client } from '@nomen/core/client'
import { service } from '@nomen/server'
import { type Random, randomFrom } from '@nomen/testing/random'
import { isOnPostgres } from '@nomen/testing/test-database'
import { expect, it } from 'vitest'
import { execute, persistentDatabase, select } from './persistent-database.ts'
import { openService } from './test-service.ts'

const item = noun('item', { id: identity(), size: integer(), writer: integer() }, { history: true })
const plain = api('items', { versioning: 'per-noun', writes: 'nested', resources: [resource(item), resource(change)] })
const items = service({ name: 'items', apis: [plain] })

const writers = 4
const transactionsOfWriter = 60
const minChanges = 3000

/** A transaction that changes the records of one writer, so that it waits for no other one. */
function transactionOf(writer: number, random: Random): string {
  const own = `"writer" = ${writer} and "id" % ${2 + random.below(4)} = 0`
  const insert = `insert into "item" ("size", "writer", "_version") values (${random.below(9)}, ${writer}, 1)`
  const statements = Array.from({ length: 1 + random.below(8) }, () =>
    random.pick([
      `${insert}; ${insert}; ${insert}`,
      `update "item" set "size" = "size" + 1 where ${own}`,
      `update "item" set "size" = "size" + 1 where ${own}`,
      `delete from "item" where ${own} and "size" > 12`,
    ]),
  )
  const slow = isOnPostgres ? [`select pg_sleep(${random.next() * 0.05})`] : []
  return ['begin', ...statements, ...slow, random.pick(['commit', 'commit', 'commit', 'rollback'])].join('; ')
}

it('equals the database after thousands of changes', async () => {
  const database = await persistentDatabase()
  const { app } = await openService(items, { database })
  const caller = client<typeof plain>({ baseUrl: 'http://items', fetch: app.fetch })
  const abort = new AbortController()
  const copy = new Map<string, unknown>()
  let [changes, last] = [0, 0]
  const following = (async () => {
    for await (const { id, record, kind, after } of caller.change.follow({ afterId: 0 }, { signal: abort.signal })) {
      expect(id).toBeGreaterThan(last)
      last = id
      if (kind === 'STARTED') continue
      changes++
      expect([id, kind, copy.has(record)]).toEqual([id, kind, kind !== 'CREATED'])
      if (kind === 'DELETED') copy.delete(record)
      else copy.set(record, { ...(copy.get(record) as object), ...JSON.parse(after ?? '{}') })
    }
  })()
  following.catch(() => {})
  await Promise.all(
    Array.from({ length: writers }, async (_, writer) => {
      const random = randomFrom(100 + writer)
      for (let count = 0; count < transactionsOfWriter; count++) {
        await execute(database, transactionOf(writer, random))
        await pause(random.below(10))
      }
    }),
  )
  const [[entries] = []] = await select(database, `select count(*) from "change" where "kind" <> 'STARTED'`)
  expect(Number(entries)).toBeGreaterThan(minChanges)
  await expect.poll(() => changes).toBe(Number(entries))
  const rows = await select(database, 'select "id", "size", "writer" from "item"')
  expect(copy).toEqual(
    new Map(
      rows.map(([id, size, writer]) => [`item/${id}`, { id: Number(id), size: Number(size), writer: Number(writer) }]),
    ),
  )
  abort.abort(new Error('stopped'))
  await expect(following).rejects.toThrow('stopped')
})
