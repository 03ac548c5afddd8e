/** Hand-written on PostgreSQL: the same as on SQLite, with `pg`, a pool and named statements. */
import { createHash } from 'node:crypto'
import pg from 'pg'
import { bodyOf, sendResponse, serve } from './serve.ts'

// Identities and counts are well within the range of numbers.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
const pool = new pg.Pool({ connectionString: process.argv[2] as string })

const fields = `id, "firstName", "lastName", email, phone, extension, status, department, supervisor, created, "lastUpdated"`
const filters = ['firstName', 'lastName', 'email', 'phone', 'extension', 'status', 'department', 'supervisor']
const mutable = ['firstName', 'lastName', 'email', 'phone', 'extension', 'status', 'department', 'supervisor']

const names = new Map<string, string>()

/** Prepared once per connection, under a name derived from its text. */
async function run(text: string, values: unknown[]): Promise<Record<string, unknown>[]> {
  const name = names.get(text) ?? createHash('sha256').update(text).digest('hex').slice(0, 32)
  names.set(text, name)
  const { rows } = await pool.query({ name, text, values })
  return rows
}

serve(async (request, response) => {
  try {
    const [path = '', query] = (request.url ?? '').split('?')
    const id = /^\/user\/(\d+)$/.exec(path)?.[1]
    const result =
      request.method === 'PATCH' && id
        ? await change(id, JSON.parse(await bodyOf(request)))
        : id
          ? (await run(`select ${fields} from "user" where id = $1`, [id]))[0]
          : path === '/user' && (await list(new URLSearchParams(query)))
    if (result) sendResponse(response, 200, JSON.stringify(result))
    else sendResponse(response, 404, '{"title":"Not found."}')
  } catch (error) {
    console.error(error)
    sendResponse(response, 500, '{"title":"Internal error."}')
  }
})

async function list(query: URLSearchParams): Promise<object> {
  const pageSize = Number(query.get('pageSize') ?? 20)
  const pageNumber = Number(query.get('pageNumber') ?? 1)
  const filtered = filters.filter((name) => query.has(name))
  const values: unknown[] = filtered.map((name) => query.get(name))
  const where =
    filtered.length > 0 ? `where ${filtered.map((name, index) => `"${name}" = $${index + 1}`).join(' and ')}` : ''
  const page = `limit $${filtered.length + 1} offset $${filtered.length + 2}`
  const [count, results] = await Promise.all([
    run(`select count(*) as number from "user" ${where}`, values),
    run(`select id, "firstName", "lastName", email from "user" ${where} order by id ${page}`, [
      ...values,
      pageSize,
      (pageNumber - 1) * pageSize,
    ]),
  ])
  const numberOfRecords = Number(count[0]?.number)
  const numberOfPages = Math.ceil(numberOfRecords / pageSize)
  return { pageInfo: { pageSize, pageNumber, numberOfPages, numberOfRecords }, results }
}

async function change(id: string, body: Record<string, unknown>): Promise<object | undefined> {
  const changed = mutable.filter((name) => name in body)
  const sets = [...changed, 'lastUpdated', 'updatedBy'].map((name, index) => `"${name}" = $${index + 1}`).join(', ')
  const update = `update "user" set ${sets}, "_version" = "_version" + 1 where id = $${changed.length + 3} returning ${fields}`
  return (await run(update, [...changed.map((name) => body[name] ?? null), new Date(), null, id]))[0]
}
