/** A hand-written service: Fastify with schemas, Drizzle. */

import type { DatabaseKind } from '../../contender.ts'
import { pageSize } from '../../request-spec.ts'
import { filterOf, type Peer, page, single } from '../peer.ts'

export const fastify = (database: DatabaseKind): Peer => ({
  name: 'Fastify and Drizzle',
  folder: 'fastify',
  package: 'fastify',
  database,
  durability:
    database === 'sqlite' ? 'written, not synced (synchronous=NORMAL, the default of better-sqlite3)' : 'synced',
  notes: ['Written by hand for these requests, without a log, which is the default of Fastify.'],
  prepare: (_sample, { makeDatabase }) => makeDatabase(database),
  command: ({ database, port }) => ({ args: ['app.js'], environment: { DATABASE: database, PORT: `${port}` } }),
  dialect: {
    request(spec) {
      if (spec.target === 'record') return { method: 'GET', path: `/user/${spec.id}` }
      if (spec.target === 'change')
        return { method: 'PATCH', path: `/user/${spec.id}`, body: JSON.stringify({ phone: spec.phone }) }
      const filter = filterOf(spec).map(([name, value]) => `${name}=${value}&`)
      return { method: 'GET', path: `/user?${filter.join('')}pageSize=${pageSize}&pageNumber=${spec.number}` }
    },
    read(spec, { body }) {
      const { numberOfRecords, results } = body as { numberOfRecords?: number; results?: unknown }
      return spec.target === 'page' ? page(numberOfRecords, results) : single(body)
    },
  },
})
