/** FeathersJS with Koa and Knex. */
import { pageSize } from '../../ask.ts'
import type { DatabaseKind } from '../../contender.ts'
import { filterOf, listed, type Peer, page, single } from '../peer.ts'

const select = listed.map((name) => `&$select[]=${name}`).join('')

export const feathers = (database: DatabaseKind): Peer => ({
  name: 'Feathers',
  folder: 'feathers',
  package: '@feathersjs/feathers',
  database,
  durability:
    database === 'sqlite' ? 'written, not synced (synchronous=NORMAL, the default of better-sqlite3)' : 'synced',
  notes: [],
  prepare: (_sample, { makeDatabase }) => makeDatabase(database),
  command: ({ database, port }) => ({ args: ['app.js'], environment: { DATABASE: database, PORT: `${port}` } }),
  dialect: {
    request(ask) {
      if (ask.of === 'record') return { method: 'GET', path: `/user/${ask.id}` }
      if (ask.of === 'change')
        return { method: 'PATCH', path: `/user/${ask.id}`, body: JSON.stringify({ phone: ask.phone }) }
      const filter = filterOf(ask).map(([name, value]) => `${name}=${value}&`)
      const skipped = (ask.number - 1) * pageSize
      return { method: 'GET', path: `/user?${filter.join('')}$limit=${pageSize}&$skip=${skipped}&$sort[id]=1${select}` }
    },
    read(ask, { body }) {
      const { total, data } = body as { total?: number; data?: unknown }
      return ask.of === 'page' ? page(total, data) : single(body)
    },
  },
})
