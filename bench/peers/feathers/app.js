/** A Feathers application as its generator writes it: Koa, Knex, schemas by TypeBox, resolvers; here in one file. */
import { feathers } from '@feathersjs/feathers'
import { KnexService } from '@feathersjs/knex'
import { bodyParser, cors, errorHandler, koa, rest } from '@feathersjs/koa'
import { Ajv, hooks, resolve } from '@feathersjs/schema'
import { getValidator, querySyntax, StringEnum, Type } from '@feathersjs/typebox'
import knex from 'knex'

const { DATABASE, PORT } = process.env

const text = Type.String()
const number = Type.Number()
const nullable = (type) => Type.Union([type, Type.Null()])

const userSchema = Type.Object(
  {
    id: number,
    firstName: text,
    lastName: text,
    username: text,
    email: text,
    phone: text,
    extension: text,
    status: StringEnum(['ACTIVE', 'SUSPENDED']),
    department: number,
    supervisor: nullable(number),
    avatarColor: nullable(text),
    created: text,
    createdBy: nullable(number),
    lastUpdated: text,
    updatedBy: nullable(number),
  },
  { $id: 'User', additionalProperties: false },
)
const managed = ['id', 'created', 'createdBy', 'lastUpdated', 'updatedBy']
const patchSchema = Type.Partial(Type.Omit(userSchema, managed), { $id: 'UserPatch', additionalProperties: false })

const dataValidator = new Ajv({})
const queryValidator = new Ajv({ coerceTypes: true })
const patchValidator = getValidator(patchSchema, dataValidator)
const userQueryValidator = getValidator(querySyntax(userSchema), queryValidator)

const connection = DATABASE.startsWith('postgres:')
  ? { client: 'pg', connection: DATABASE, pool: { min: 2, max: 12 } }
  : { client: 'better-sqlite3', connection: { filename: DATABASE }, useNullAsDefault: true }

const app = koa(feathers())
app.use(cors())
app.use(errorHandler())
app.use(bodyParser())
app.configure(rest())
app.use('user', new KnexService({ Model: knex(connection), name: 'user', paginate: { default: 10, max: 1000 } }), {
  methods: ['find', 'get', 'create', 'patch', 'remove'],
})
app.service('user').hooks({
  around: {
    all: [hooks.resolveExternal(resolve({})), hooks.resolveResult(resolve({}))],
  },
  before: {
    all: [hooks.validateQuery(userQueryValidator), hooks.resolveQuery(resolve({}))],
    patch: [
      hooks.validateData(patchValidator),
      hooks.resolveData(resolve({ lastUpdated: async () => new Date().toISOString() })),
    ],
  },
})

await app.listen(Number(PORT), '127.0.0.1')
