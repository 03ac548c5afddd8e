// On PostgreSQL, a change to fields without an index is a HOT update: it writes no index entry.
import { api, identity, noun, resource, text, updatedAt } from '@nomen/core'
import { open, service } from '@nomen/server'
import { inject } from '@nomen/testing/inject'
import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import pg from 'pg'
import { expect, it, onTestFinished, vi } from 'vitest'

const note = noun('note', {
  id: identity(),
  title: text(),
  code: text().indexed(),
  lastUpdated: updatedAt(),
})
const desk = api('desk', { versioning: 'per-noun', writes: 'nested', resources: [resource(note)] })

it.each([
  ['is a HOT update without an index on the field', { title: 'changed' }, 1],
  ['writes the index of the field', { code: 'changed' }, 0],
])(
  'a change %s',
  async (_, body, hotUpdates) => {
    const { url, remove } = await temporaryPostgres()
    onTestFinished(remove)
    const app = await open(service({ name: 'desk', apis: [desk] }), { database: url })
    onTestFinished(() => app.close())
    const { headers } = await inject(app, {
      method: 'POST',
      url: '/note',
      payload: { title: 'A', code: 'B' },
    })
    const changed = await inject(app, {
      method: 'PATCH',
      url: '/note/1',
      payload: body,
      headers: { 'if-match': `${headers.etag}` },
    })
    expect(changed.statusCode).toBe(200)
    const client = new pg.Client(url)
    await client.connect()
    onTestFinished(() => client.end())
    // A session publishes its statistics some time after the transaction.
    await vi.waitFor(
      async () => {
        const query = `select n_tup_upd::int as updates, n_tup_hot_upd::int as hot from pg_stat_user_tables where relname = 'note'`
        const [row] = (await client.query(query)).rows
        expect(row?.updates).toBe(1)
        expect(row).toEqual({ updates: 1, hot: hotUpdates })
      },
      { timeout: 60_000, interval: 200 },
    )
  },
  90_000,
)
