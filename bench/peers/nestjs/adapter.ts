/** NestJS with the CRUD controller of @dataui/crud on TypeORM. */
import { pageSize } from '../../ask.ts'
import type { DatabaseKind } from '../../contender.ts'
import { filterOf, listed, type Peer, page, single } from '../peer.ts'

export const nestjs = (database: DatabaseKind): Peer => ({
  name: 'NestJS CRUD',
  folder: 'nestjs',
  package: '@dataui/crud',
  database,
  isCompiled: true,
  durability:
    database === 'sqlite' ? 'written, not synced (synchronous=NORMAL, the default of better-sqlite3)' : 'synced',
  notes: [],
  prepare: (_sample, { makeDatabase }) => makeDatabase(database),
  command: ({ database, port }) => ({ args: ['dist/main.mjs'], environment: { DATABASE: database, PORT: `${port}` } }),
  dialect: {
    request(ask) {
      if (ask.of === 'record') return { method: 'GET', path: `/user/${ask.id}` }
      if (ask.of === 'change')
        return { method: 'PATCH', path: `/user/${ask.id}`, body: JSON.stringify({ phone: ask.phone }) }
      const filter = filterOf(ask).map(([name, value]) => `filter=${name}||$eq||${value}&`)
      const paging = `limit=${pageSize}&page=${ask.number}&sort=id,ASC&fields=${listed.join(',')}`
      return { method: 'GET', path: encodeURI(`/user?${filter.join('')}${paging}`) }
    },
    read(ask, { body }) {
      const { total, data } = body as { total?: number; data?: unknown }
      return ask.of === 'page' ? page(total, data) : single(body)
    },
  },
})
