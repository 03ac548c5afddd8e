/** Platformatic DB: an API that is derived from the tables of a database, served by Watt. */

import type { DatabaseKind } from '../../contender.ts'
import { pageSize } from '../../request-spec.ts'
import { type ComparedRecord, filterOf, listedProperties, type Peer, page, single } from '../peer.ts'
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
      'It has no PATCH: the change is a PUT with all required properties.',
      ...(database === 'sqlite' ? ['It returns identities as text; they are compared as numbers.'] : []),
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
      request(spec) {
        if (spec.target === 'record') return { method: 'GET', path: `/user/${spec.id}` }
        if (spec.target === 'change') {
          const user = users[spec.id - 1] ?? {}
          const requiredValues = Object.fromEntries(required.map((name) => [name, user[name]]))
          return {
            method: 'PUT',
            path: `/user/${spec.id}`,
            body: JSON.stringify({ ...requiredValues, phone: spec.phone }),
          }
        }
        const filter = filterOf(spec).map(([name, value]) => `where.${name}.eq=${value}&`)
        const paging = `limit=${pageSize}&offset=${(spec.number - 1) * pageSize}&orderby.id=asc&totalCount=true`
        return { method: 'GET', path: `/user?${filter.join('')}${paging}&fields=${listedProperties.join(',')}` }
      },
      read(spec, { headers, body }) {
        if (spec.target === 'page')
          return page(headers.get('x-total-count'), (body as ComparedRecord[]).map(withNumbers))
        return withNumbers(single(body))
      },
    },
  }
}

/** It returns 64-bit integers of SQLite as text. */
function withNumbers(record: ComparedRecord): ComparedRecord {
  const numbers = ['id', 'department', 'supervisor'].filter((name) => typeof record[name] === 'string')
  return { ...record, ...Object.fromEntries(numbers.map((name) => [name, Number(record[name])])) }
}
