/** Directus, with its own tables next to those of the users. */
import { execFileSync } from 'node:child_process'
import type { DatabaseKind } from '../../contender.ts'
import { pageSize } from '../../request-spec.ts'
import { filterOf, listedProperties, type Peer, page, single } from '../peer.ts'
import { runSql } from '../plain-database.ts'

const program = 'node_modules/directus/cli.js'

export const directus = (database: DatabaseKind): Peer => ({
  name: 'Directus',
  folder: 'directus',
  package: 'directus',
  database,
  isCompiled: true,
  node: '22.23.3',
  durability: 'synced',
  notes: [
    'It runs on Node 22, because its isolated-vm does not support later versions.',
    'Its users are public, so that no request must be authenticated.',
    'It writes an activity log with a revision for each change, which is its default.',
    'Its pressure limiter is off: under this load it would respond with 503.',
  ],
  async prepare(_sample, { node, makeDatabase }) {
    const address = await makeDatabase(database)
    execFileSync(node, [program, 'bootstrap'], {
      cwd: import.meta.dirname,
      env: { ...process.env, ...settings(database, address), NODE_ENV: 'production' },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    await runSql(database, address, declarations)
    return address
  },
  command: ({ database: address, port }) => ({
    args: [program, 'start'],
    environment: { ...settings(database, address), HOST: '127.0.0.1', PORT: `${port}` },
  }),
  dialect: {
    request(spec) {
      if (spec.target === 'record') return { method: 'GET', path: `/items/user/${spec.id}` }
      if (spec.target === 'change')
        return { method: 'PATCH', path: `/items/user/${spec.id}`, body: JSON.stringify({ phone: spec.phone }) }
      const filter = filterOf(spec).map(([name, value]) => `filter[${name}][_eq]=${value}&`)
      const paging = `limit=${pageSize}&page=${spec.number}&sort=id&fields=${listedProperties.join(',')}&meta=filter_count`
      return { method: 'GET', path: `/items/user?${filter.join('')}${paging}` }
    },
    read(spec, { body }) {
      const { meta, data } = body as { meta?: { filter_count: number }; data: unknown }
      return spec.target === 'page' ? page(meta?.filter_count, data) : single(data)
    },
  },
})

function settings(database: DatabaseKind, address: string): Record<string, string> {
  return {
    ...(database === 'postgres'
      ? { DB_CLIENT: 'pg', DB_CONNECTION_STRING: address, DB_POOL__MAX: '12' }
      : { DB_CLIENT: 'sqlite3', DB_FILENAME: address }),
    SECRET: 'only for this benchmark, on this machine',
    ADMIN_EMAIL: 'admin@example.com',
    ADMIN_PASSWORD: 'only for this benchmark',
    PRESSURE_LIMITER_ENABLED: 'false',
    TELEMETRY: 'false',
  }
}

/** The settings that an administrator would make in its UI. */
const declarations = [
  `insert into directus_collections (collection) values ('user'), ('department')`,
  `insert into directus_fields (collection, field, special) values
    ('user', 'created', 'date-created,cast-timestamp'), ('user', 'lastUpdated', 'date-updated,cast-timestamp')`,
  ...['read', 'update'].map(
    (action) => `insert into directus_permissions (collection, action, permissions, fields, policy)
      select 'user', '${action}', '{}', '*', policy from directus_access where role is null and "user" is null`,
  ),
]
