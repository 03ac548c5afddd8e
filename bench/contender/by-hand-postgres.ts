/** By hand on PostgreSQL: the same as on SQLite, with `pg`, a pool and named statements. */
import { createHash } from 'node:crypto'
import pg from 'pg'
import { answer, bodyOf, serve } from './serve.ts'

// Identities and counts are far from the limit of numbers.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
const pool = new pg.Pool({ connectionString: process.argv[2] as string })

const fields = `id, "firstName", "lastName", email, phone, extension, status, department, supervisor, created, "lastUpdated"`
const filters = ['firstName', 'lastName', 'email', 'phone', 'extension', 'status', 'department', 'supervisor']
const mutable = ['firstName', 'lastName', 'email', 'phone', 'extension', 'status', 'department', 'supervisor']

const names = new Map<string, string>()

/** Prepared once on each connection, by the name of its text. */
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
    const found =
      request.method === 'PATCH' && id
        ? await change(id, JSON.parse(await bodyOf(request)))
        : id
          ? (await run(`select ${fields} from "user" where id = $1`, [id]))[0]
          : path === '/user' && (await list(new URLSearchParams(query)))
    if (found) answer(response, 200, JSON.stringify(found))
    else answer(response, 404, '{"title":"There is nothing here."}')
  } catch (error) {
    console.error(error)
    answer(response, 500, '{"title":"Something went wrong."}')
  }
})

async function list(query: URLSearchParams): Promise<object> {
  const pageSize = Number(query.get('pageSize') ?? 20)
  const pageNumber = Number(query.get('pageNumber') ?? 1)
  const given = filters.filter((name) => query.has(name))
  const values: unknown[] = given.map((name) => query.get(name))
  const where = given.length > 0 ? `where ${given.map((name, index) => `"${name}" = $${index + 1}`).join(' and ')}` : ''
  const page = `limit $${given.length + 1} offset $${given.length + 2}`
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
  const given = mutable.filter((name) => name in body)
  const sets = [...given, 'lastUpdated', 'updatedBy'].map((name, index) => `"${name}" = $${index + 1}`).join(', ')
  const update = `update "user" set ${sets}, "_version" = "_version" + 1 where id = $${given.length + 3} returning ${fields}`
  return (await run(update, [...given.map((name) => body[name] ?? null), new Date(), null, id]))[0]
}
