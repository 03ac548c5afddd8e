/** Hand-written code for these requests with node:http, prepared statements and JSON.stringify. */
import type { SQLInputValue, StatementSync } from 'node:sqlite'
import { bodyOf, openDatabase, sendResponse, serve } from './serve.ts'

const database = openDatabase({ isChecked: true })
const fields = 'id, firstName, lastName, email, phone, extension, status, department, supervisor, created, lastUpdated'
const filters = ['firstName', 'lastName', 'email', 'phone', 'extension', 'status', 'department', 'supervisor']
const mutable = ['firstName', 'lastName', 'email', 'phone', 'extension', 'status', 'department', 'supervisor']

const statements = new Map<string, StatementSync>()

function prepare(sql: string): StatementSync {
  const statement = statements.get(sql) ?? database.prepare(sql)
  statements.set(sql, statement)
  return statement
}

serve(async (request, response) => {
  try {
    const [path = '', query] = (request.url ?? '').split('?')
    const id = /^\/user\/(\d+)$/.exec(path)?.[1]
    const result =
      request.method === 'PATCH' && id
        ? change(Number(id), JSON.parse(await bodyOf(request)))
        : id
          ? prepare(`select ${fields} from user where id = ?`).get(Number(id))
          : path === '/user' && list(new URLSearchParams(query))
    if (result) sendResponse(response, 200, JSON.stringify(result))
    else sendResponse(response, 404, '{"title":"Not found."}')
  } catch (error) {
    console.error(error)
    sendResponse(response, 500, '{"title":"Internal error."}')
  }
})

function list(query: URLSearchParams): object {
  const pageSize = Number(query.get('pageSize') ?? 20)
  const pageNumber = Number(query.get('pageNumber') ?? 1)
  const filtered = filters.filter((name) => query.has(name))
  const values = filtered.map((name) => query.get(name))
  const where = filtered.length > 0 ? `where ${filtered.map((name) => `${name} = ?`).join(' and ')}` : ''
  const count = prepare(`select count(*) as number from user ${where}`).get(...values)
  const results = prepare(`select id, firstName, lastName, email from user ${where} order by id limit ? offset ?`).all(
    ...values,
    pageSize,
    (pageNumber - 1) * pageSize,
  )
  const numberOfRecords = Number(count?.number)
  const numberOfPages = Math.ceil(numberOfRecords / pageSize)
  return { pageInfo: { pageSize, pageNumber, numberOfPages, numberOfRecords }, results }
}

function change(id: number, body: Record<string, SQLInputValue>): object | undefined {
  const changed = mutable.filter((name) => name in body)
  const sets = [...changed, 'lastUpdated', 'updatedBy'].map((name) => `${name} = ?`).join(', ')
  const update = prepare(`update user set ${sets}, _version = _version + 1 where id = ? returning ${fields}`)
  return update.get(...changed.map((name) => body[name] ?? null), new Date().toISOString(), null, id)
}
