/** Platformatic DB: an API read from the tables of a database, served by Watt. */
import { pageSize } from '../../ask.ts'
import type { DatabaseKind } from '../../contender.ts'
import { filterOf, listed, type Peer, page, type Shown, single } from '../peer.ts'
import type { Row } from '../sample.ts'

const required = ['firstName', 'lastName', 'username', 'email', 'extension', 'status', 'department']

export function platformatic(database: DatabaseKind): Peer {
  let users: readonly Row[] = []
  return {
    name: 'Platformatic DB',
    folder: 'platformatic',
    package: '@platformatic/db',
    database,
    isCompiled: true,
    durability:
      database === 'sqlite' ? 'written, not synced (synchronous=NORMAL, the default of better-sqlite3)' : 'synced',
    notes: [
      'It has no PATCH: the change is a PUT, which must have every property that may not be null.',
      ...(database === 'sqlite' ? ['It gives identities as text; here they are compared as numbers.'] : []),
    ],
    async prepare(sample, { makeDatabase }) {
      users = sample.users
      return makeDatabase(database)
    },
    command: ({ database: address, port }) => ({
      args: ['node_modules/wattpm/bin/cli.js', 'start'],
      environment: { DATABASE: database === 'sqlite' ? `sqlite://${address}` : address, PORT: `${port}` },
    }),
    dialect: {
      request(ask) {
        if (ask.of === 'record') return { method: 'GET', path: `/user/${ask.id}` }
        if (ask.of === 'change') {
          const user = users[ask.id - 1] ?? {}
          const kept = Object.fromEntries(required.map((name) => [name, user[name]]))
          return { method: 'PUT', path: `/user/${ask.id}`, body: JSON.stringify({ ...kept, phone: ask.phone }) }
        }
        const filter = filterOf(ask).map(([name, value]) => `where.${name}.eq=${value}&`)
        const paging = `limit=${pageSize}&offset=${(ask.number - 1) * pageSize}&orderby.id=asc&totalCount=true`
        return { method: 'GET', path: `/user?${filter.join('')}${paging}&fields=${listed.join(',')}` }
      },
      read(ask, { headers, body }) {
        if (ask.of === 'page') return page(headers.get('x-total-count'), (body as Shown[]).map(withNumbers))
        return withNumbers(single(body))
      },
    },
  }
}

/** Integers of SQLite are 64-bit, which it shows as text. */
function withNumbers(record: Shown): Shown {
  const numbers = ['id', 'department', 'supervisor'].filter((name) => typeof record[name] === 'string')
  return { ...record, ...Object.fromEntries(numbers.map((name) => [name, Number(record[name])])) }
}
