/** PostgREST: an API that is derived from the tables of PostgreSQL. `POSTGREST` is the path of its program. */
import { execFileSync } from 'node:child_process'
import { pageSize } from '../../request-spec.ts'
import { filterOf, listedProperties, type Peer, page, single } from '../peer.ts'

const accept = { accept: 'application/vnd.pgrst.object+json' }

export function postgrest(program: string): Peer {
  return {
    name: 'PostgREST',
    folder: 'postgrest',
    database: 'postgres',
    durability: 'synced',
    notes: [
      'It is a compiled program that uses all processors.',
      'The client sends the time of a change, because its tables have no trigger for it.',
    ],
    readVersion: () =>
      execFileSync(program, ['--version'], { encoding: 'utf8' })
        .replace(/^\w+\s+/, '')
        .trim(),
    prepare: (_sample, { makeDatabase }) => makeDatabase('postgres'),
    command: ({ database, port }) => ({
      program,
      args: [],
      environment: {
        PGRST_DB_URI: database,
        PGRST_DB_SCHEMAS: 'public',
        PGRST_DB_ANON_ROLE: decodeURIComponent(new URL(database).username),
        PGRST_DB_POOL: '12',
        PGRST_SERVER_HOST: '127.0.0.1',
        PGRST_SERVER_PORT: `${port}`,
      },
    }),
    dialect: {
      request(spec) {
        if (spec.target === 'record') return { method: 'GET', path: `/user?id=eq.${spec.id}`, headers: accept }
        if (spec.target === 'change')
          return {
            method: 'PATCH',
            path: `/user?id=eq.${spec.id}`,
            headers: { ...accept, prefer: 'return=representation' },
            body: JSON.stringify({ phone: spec.phone, lastUpdated: new Date().toISOString() }),
          }
        const filter = filterOf(spec).map(([name, value]) => `${name}=eq.${value}&`)
        const paging = `limit=${pageSize}&offset=${(spec.number - 1) * pageSize}&order=id&select=${listedProperties.join(',')}`
        return { method: 'GET', path: `/user?${filter.join('')}${paging}`, headers: { prefer: 'count=exact' } }
      },
      read(spec, { headers, body }) {
        if (spec.target === 'page') return page(headers.get('content-range')?.split('/')[1], body)
        const record = single(body)
        return { ...record, created: utc(record.created), lastUpdated: utc(record.lastUpdated) }
      },
    },
  }
}

/** It writes times with the offset of the session. */
function utc(time: unknown): string {
  return new Date(`${time}`).toISOString()
}
