/** json-server: one process, all records in memory, the whole file written after a change. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pageSize } from '../../ask.ts'
import { filterOf, type Peer, page, single } from '../peer.ts'

export const jsonServer: Peer = {
  name: 'json-server',
  folder: 'json-server',
  package: 'json-server',
  database: 'file',
  durability: 'in memory; the file is written some time later',
  notes: [
    'It cannot be asked for some properties only: lists have whole records.',
    'It keeps no time of the last change.',
  ],
  async prepare({ departments, users }, { folder }) {
    const file = join(folder, 'json-server.json')
    writeFileSync(file, JSON.stringify({ user: users, department: departments }))
    return file
  },
  command: ({ database, port }) => ({
    args: ['node_modules/json-server/lib/cli/bin.js', database, '--host', '127.0.0.1', '--port', `${port}`],
  }),
  dialect: {
    request(ask) {
      if (ask.of === 'record') return { method: 'GET', path: `/user/${ask.id}` }
      if (ask.of === 'change')
        return { method: 'PATCH', path: `/user/${ask.id}`, body: JSON.stringify({ phone: ask.phone }) }
      const filter = filterOf(ask).map(([name, value]) => `${name}=${value}&`)
      return { method: 'GET', path: `/user?${filter.join('')}_page=${ask.number}&_limit=${pageSize}` }
    },
    read(ask, { headers, body }) {
      if (ask.of === 'page') return page(headers.get('x-total-count'), body)
      const { lastUpdated, ...rest } = single(body)
      return ask.of === 'change' ? rest : { ...rest, lastUpdated }
    },
  },
}
