/**
 * What many people write by hand: Fastify with schemas for requests and responses, Drizzle with prepared statements. A
 * list counts its records with a second statement.
 */
import { and, asc, eq, sql } from 'drizzle-orm'
import fastify from 'fastify'
import * as postgres from './postgres.js'
import * as sqlite from './sqlite.js'

const { DATABASE, PORT } = process.env
const { database, user, now } = DATABASE.startsWith('postgres:') ? postgres.open(DATABASE) : sqlite.open(DATABASE)

const text = { type: 'string' }
const number = { type: 'integer' }
const status = { type: 'string', enum: ['ACTIVE', 'SUSPENDED'] }
const listed = { id: number, firstName: text, lastName: text, email: text }
const mutable = {
  ...{ firstName: text, lastName: text, username: text, email: { type: 'string', format: 'email' } },
  ...{ phone: text, extension: text, status, department: number, supervisor: { type: ['integer', 'null'] } },
  avatarColor: { type: ['string', 'null'] },
}
const whole = {
  type: 'object',
  properties: { id: number, ...mutable, created: text, lastUpdated: text },
}
const identity = { type: 'object', required: ['id'], properties: { id: number } }
const query = {
  type: 'object',
  additionalProperties: false,
  properties: {
    pageSize: { type: 'integer', minimum: 1, maximum: 1000, default: 10 },
    pageNumber: { type: 'integer', minimum: 1, default: 1 },
    status,
    department: number,
  },
}
const page = {
  type: 'object',
  properties: {
    numberOfRecords: number,
    results: { type: 'array', items: { type: 'object', properties: listed } },
  },
}

const columns = (names) => Object.fromEntries(names.map((name) => [name, user[name]]))
const readOne = database
  .select(columns(Object.keys(whole.properties)))
  .from(user)
  .where(eq(user.id, sql.placeholder('id')))
  .prepare('read_one')

const app = fastify()

app.get('/user/:id', { schema: { params: identity, response: { 200: whole } } }, async (request, reply) => {
  const [record] = await readOne.execute({ id: request.params.id })
  return record ?? reply.code(404).send({ message: 'Not found.' })
})

app.get('/user', { schema: { querystring: query, response: { 200: page } } }, async ({ query }) => {
  const { pageSize, pageNumber, ...filter } = query
  const condition = and(...Object.entries(filter).map(([name, value]) => eq(user[name], value)))
  const [results, numberOfRecords] = await Promise.all([
    database
      .select(columns(Object.keys(listed)))
      .from(user)
      .where(condition)
      .orderBy(asc(user.id))
      .limit(pageSize)
      .offset((pageNumber - 1) * pageSize),
    database.$count(user, condition),
  ])
  return { numberOfRecords, results }
})

const body = { type: 'object', additionalProperties: false, minProperties: 1, properties: mutable }
app.patch('/user/:id', { schema: { params: identity, body, response: { 200: whole } } }, async (request, reply) => {
  const [record] = await database
    .update(user)
    .set({ ...request.body, lastUpdated: now() })
    .where(eq(user.id, request.params.id))
    .returning(columns(Object.keys(whole.properties)))
  return record ?? reply.code(404).send({ message: 'Not found.' })
})

await app.listen({ host: '127.0.0.1', port: Number(PORT) })
