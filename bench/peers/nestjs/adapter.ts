/** NestJS with the CRUD controller of @dataui/crud on TypeORM. */

import type { DatabaseKind } from '../../contender.ts'
import { pageSize } from '../../request-spec.ts'
import { filterOf, listedProperties, type Peer, page, single } from '../peer.ts'

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
    request(spec) {
      if (spec.target === 'record') return { method: 'GET', path: `/user/${spec.id}` }
      if (spec.target === 'change')
        return { method: 'PATCH', path: `/user/${spec.id}`, body: JSON.stringify({ phone: spec.phone }) }
      const filter = filterOf(spec).map(([name, value]) => `filter=${name}||$eq||${value}&`)
      const paging = `limit=${pageSize}&page=${spec.number}&sort=id,ASC&fields=${listedProperties.join(',')}`
      return { method: 'GET', path: encodeURI(`/user?${filter.join('')}${paging}`) }
    },
    read(spec, { body }) {
      const { total, data } = body as { total?: number; data?: unknown }
      return spec.target === 'page' ? page(total, data) : single(body)
    },
  },
})
