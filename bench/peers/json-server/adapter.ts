/** json-server: one process, all records in memory, the whole file written after a change. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pageSize } from '../../request-spec.ts'
import { filterOf, type Peer, page, single } from '../peer.ts'

export const jsonServer: Peer = {
  name: 'json-server',
  folder: 'json-server',
  package: 'json-server',
  database: 'file',
  durability: 'in memory; the file is written some time later',
  notes: [
    'It cannot select properties: lists contain whole records.',
    'It does not store the time of the last change.',
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
    request(spec) {
      if (spec.target === 'record') return { method: 'GET', path: `/user/${spec.id}` }
      if (spec.target === 'change')
        return { method: 'PATCH', path: `/user/${spec.id}`, body: JSON.stringify({ phone: spec.phone }) }
      const filter = filterOf(spec).map(([name, value]) => `${name}=${value}&`)
      return { method: 'GET', path: `/user?${filter.join('')}_page=${spec.number}&_limit=${pageSize}` }
    },
    read(spec, { headers, body }) {
      if (spec.target === 'page') return page(headers.get('x-total-count'), body)
      const { lastUpdated, ...otherProperties } = single(body)
      return spec.target === 'change' ? otherProperties : { ...otherProperties, lastUpdated }
    },
  },
}
