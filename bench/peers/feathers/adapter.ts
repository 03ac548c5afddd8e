/** FeathersJS with Koa and Knex. */

import type { DatabaseKind } from '../../contender.ts'
import { pageSize } from '../../request-spec.ts'
import { filterOf, listedProperties, type Peer, page, single } from '../peer.ts'

const select = listedProperties.map((name) => `&$select[]=${name}`).join('')

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
    request(spec) {
      if (spec.target === 'record') return { method: 'GET', path: `/user/${spec.id}` }
      if (spec.target === 'change')
        return { method: 'PATCH', path: `/user/${spec.id}`, body: JSON.stringify({ phone: spec.phone }) }
      const filter = filterOf(spec).map(([name, value]) => `${name}=${value}&`)
      const skipped = (spec.number - 1) * pageSize
      return { method: 'GET', path: `/user?${filter.join('')}$limit=${pageSize}&$skip=${skipped}&$sort[id]=1${select}` }
    },
    read(spec, { body }) {
      const { total, data } = body as { total?: number; data?: unknown }
      return spec.target === 'page' ? page(total, data) : single(body)
    },
  },
})
