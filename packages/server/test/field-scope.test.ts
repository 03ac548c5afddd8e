// Fields that only callers with a scope see: two databases that differ only in these fields give other callers the same responses.
import {
  api,
  custom,
  decimal,
  identity,
  link,
  noun,
  operation,
  range,
  reference,
  resource,
  scopeOf,
  text,
  boolean as yesNo,
} from '@nomen/core'
import { openapi } from '@nomen/core/openapi'
import { compute, filter, handle, type OpenService, open, service } from '@nomen/server'
import { testDatabase } from '@nomen/testing/test-database'
import { describe, expect, it, onTestFinished } from 'vitest'

const department = noun('department', { id: identity(), name: text() }, { label: 'name' })
const project = noun('project', { id: identity(), title: text() })
const employee = noun(
  'employee',
  {
    id: identity(),
    name: text(),
    department: reference(() => department),
    salary: decimal({ precision: 9, scale: 2 }).default('0.00').visibleTo('salary:read'),
    code: text().nullable().unique().visibleTo('code:read'),
    boss: reference(() => employee)
      .nullable()
      .visibleTo('salary:read'),
  },
  { label: 'name', computed: { yearly: text().visibleTo('salary:read'), heading: text() } },
)
const clearance = noun('clearance', {
  id: identity(),
  level: text().visibleTo('code:read'),
  employee: reference(() => employee),
})
const working = link(employee, project)
const named = custom(yesNo())
const raise = operation({ method: 'POST', on: 'record', body: { name: text() }, response: { name: text() } })
const slip = operation({ method: 'GET', on: 'record', response: { salary: employee.fields.salary } })

const shown = {
  search: ['name', 'code'],
  by: ['code'],
  detail: true,
  filters: { paid: range('salary'), named },
} as const
const staff = api('staff', {
  versioning: 'per-noun',
  writes: 'nested',
  resources: [
    resource(department, { children: [resource(employee, { ...shown, path: 'member', offers: ['list', 'read'] })] }),
    resource(employee, {
      ...shown,
      operations: { raise, slip },
      children: [
        resource(employee, { path: 'report', via: 'boss', offers: ['list'] }),
        resource(project, { via: working }),
        resource(clearance),
      ],
    }),
    resource(project, { children: [resource(employee, { path: 'worker', via: working, rename: { pay: 'salary' } })] }),
  ],
})

/** The same records; what is hidden depends on the world. */
const staffOf = (world: number) =>
  service({
    name: 'staff',
    apis: [staff],
    computed: [
      compute(employee, 'yearly', ['salary'], ({ salary }) => `${Number(salary) * 12}`),
      compute(employee, 'heading', ['id', 'name'], ({ id, name }) => `${id} ${name}`),
    ],
    filters: [filter(employee, named, (isNamed) => isNamed || { name: '' })],
    handlers: [
      handle(employee, raise, async ({ key, body, call }) => {
        const { name } = await call(staff).employee.update(key, { name: body.name })
        return { name }
      }),
      handle(employee, slip, ({ record }) => ({ salary: record.salary })),
    ],
    sample: () => [
      { noun: 'department', rows: [1, 2].map((id) => ({ id, name: `D${id}` })) },
      { noun: 'project', rows: [1, 2].map((id) => ({ id, title: `P${id}` })) },
      {
        noun: 'employee',
        rows: [1, 2, 3, 4].map((id) => ({
          id,
          name: `N${id}`,
          department: 1 + (id % 2),
          salary: `${world * 1000 + ((id * world) % 5)}.00`,
          code: `CODE-${world}-${(id * 3) % 5}`,
          boss: id === 1 ? null : world === 1 ? 1 : id - 1,
        })),
      },
      { noun: 'clearance', rows: [{ id: 1, level: `LEVEL-${world}`, employee: 1 }] },
      { link: ['employee', 'project'], rows: [[1, 1] as const, [2, 1] as const] },
    ],
  })

async function openWorld(world: number): Promise<OpenService> {
  const { address, remove } = await testDatabase()
  const app = await open(staffOf(world), { database: address, onFault: () => undefined })
  onTestFinished(async () => {
    await app.close()
    await remove()
  })
  return app
}

interface Request {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

const few = ['employee:read', 'employee:write', 'department:read', 'project:read', 'clearance:write', 'clearance:read']
const all = [...few, 'salary:read', 'code:read']

async function send(app: OpenService, scopes: readonly string[], { method, path, body, headers }: Request) {
  const response = await app.as({ user: 'ada', scopes: [...scopes] }).fetch(`http://localhost${path}`, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const content = await response.text()
  return { status: response.status, tag: response.headers.get('etag'), text: content }
}

const url = (path: string) => path.replaceAll(/\{[^}]*\}/g, '1')
const queries = [
  ...['', 'salary=1001.00', 'salary=2002.00', 'sort=salary', 'sort=-salary', 'paidFrom=1002.00', 'paidTo=1500.00'],
  ...['search=CODE-1', 'search=N1', 'code=CODE-1-3', 'pay=1001.00', 'sort=pay', 'include=4&name=N1', 'named=true'],
  ...['yearly=1', 'boss=1', 'sort=name'],
]
const bodies = [
  ...[{}, { name: 'X' }, { salary: '1.00' }, { code: 'CODE-1-3' }, { code: null }, { boss: 2 }, { yearly: '1' }],
  ...[{ pay: '1.00' }, { name: 'Y', department: 1 }],
  { name: 'Z', department: 1, salary: '5.00', code: 'CODE-2-1', boss: null },
]

/** Requests of every operation; those that change something come last, and deletes after all others. */
const requests: readonly Request[] = staffOf(1)
  .operations.toSorted((a, b) => rank(a.method) - rank(b.method))
  .flatMap(({ kind, method, path }): Request[] => {
    if (kind === 'list') return queries.map((query) => ({ method, path: `${url(path)}?${query}` }))
    if (method === 'GET') {
      const codes = ['CODE-1-3', 'CODE-2-3', 'none']
      const paths = path.includes('{code}') ? codes.map((code) => path.replace('{code}', code)) : [path]
      return paths.flatMap((path) => [
        { method, path: url(path) },
        { method, path: url(path), headers: { 'if-none-match': '*' } },
      ])
    }
    if (method === 'DELETE') return [{ method, path: url(path) }]
    const keys = method === 'POST' ? [{ 'idempotency-key': 'k' }, {}] : [{}]
    return bodies.flatMap((body) => keys.map((headers) => ({ method, path: url(path), body, headers })))
  })

function rank(method: string): number {
  return ['GET', 'PUT', 'PATCH', 'POST', 'DELETE'].indexOf(method)
}

const secrets = /salary|yearly|CODE-|"code":"C|boss|LEVEL|"level"|"pay"|1000|2000/

describe('a field with a scope', () => {
  it('changes no response to a caller without the scope, in any operation', async () => {
    const [first, second] = [await openWorld(1), await openWorld(2)]
    let done = 0
    for (const request of requests) {
      const [firstResponse, secondResponse] = [await send(first, few, request), await send(second, few, request)]
      expect(secondResponse, JSON.stringify(request)).toEqual(firstResponse)
      if (firstResponse.status >= 300) continue
      done++
      expect(firstResponse.text, JSON.stringify(request)).not.toMatch(secrets)
    }
    expect(done).toBeGreaterThan(50)
    // A value that the caller cannot set is kept.
    const unchanged = await send(first, all, { method: 'GET', path: '/employee/3' })
    expect(JSON.parse(unchanged.text)).toMatchObject({ salary: '1003.00', code: 'CODE-1-4', boss: 1 })
  })

  it('is shown to a caller with the scope, in every operation that shows the record', async () => {
    const app = await openWorld(1)
    const silent: string[] = []
    for (const { kind, method, path, shape } of staffOf(1).operations) {
      if (shape.noun !== employee || kind === 'custom' || method !== 'GET') continue
      const { status, text: content } = await send(app, all, {
        method,
        path: url(path.replace('{code}', 'CODE-1-3').replace('{departmentId}', '2')),
      })
      expect([path, status]).toEqual([path, 200])
      if (!/"(salary|pay)":"100/.test(content)) silent.push(path)
    }
    expect(silent).toEqual([])
    const list = await send(app, all, { method: 'GET', path: '/employee?salary=1003.00&sort=salary&search=CODE' })
    expect(JSON.parse(list.text).results).toMatchObject([{ id: 3, salary: '1003.00', yearly: '12036' }])
    const change = { method: 'PATCH', path: '/employee/3', body: { salary: '9.00', code: 'NEW' } }
    const changed = await send(app, all, change)
    expect(JSON.parse(changed.text)).toMatchObject({ salary: '9.00', code: 'NEW', yearly: '108' })
  })

  it('is seen by everyone without authentication', async () => {
    const app = await openWorld(1)
    const response = await app.fetch('http://localhost/employee/1')
    expect(await response.json()).toMatchObject({ salary: '1001.00', code: 'CODE-1-3' })
  })

  it('gives each view its own ETag, which does not match in another view', async () => {
    const app = await openWorld(1)
    const path = '/employee/1'
    const tags: string[] = []
    for (const scopes of [few, [...few, 'salary:read'], [...few, 'code:read'], all])
      tags.push(`${(await send(app, scopes, { method: 'GET', path })).tag}`)
    expect(new Set(tags).size).toBe(4)
    const [lesser = '', , , full = ''] = tags
    const read = async (scopes: readonly string[], tag: string) =>
      (await send(app, scopes, { method: 'GET', path, headers: { 'if-none-match': tag } })).status
    expect([await read(few, full), await read(all, lesser), await read(few, lesser)]).toEqual([200, 200, 304])
    const change = { method: 'PATCH', path, body: { name: 'Q' } }
    expect((await send(app, few, { ...change, headers: { 'if-match': full } })).status).toBe(412)
    expect((await send(app, few, { ...change, headers: { 'if-match': lesser } })).status).toBe(200)
  })

  it('is removed from a replayed response to the same user with fewer scopes', async () => {
    const app = await openWorld(1)
    const body = { name: 'New', department: 1 }
    const create = { method: 'POST', path: '/employee', body, headers: { 'idempotency-key': 'once' } }
    const first = await send(app, all, create)
    expect(JSON.parse(first.text)).toMatchObject({ salary: '0.00', code: null })
    const second = await send(app, few, create)
    expect([second.status, Object.keys(JSON.parse(second.text))]).toEqual([
      201,
      ['id', 'name', 'department', 'heading'],
    ])
    expect(JSON.parse(second.text).id).toBe(JSON.parse(first.text).id)
  })

  it('has a scope that operations on the field require, and that the rejection names', async () => {
    const scopes = Object.fromEntries(staffOf(1).operations.map((operation) => [operation.id, scopeOf(operation)]))
    expect(scopes).toMatchObject({
      'employee.lookup.code': 'employee:read code:read',
      'employee.report.list': 'employee:read salary:read',
      'employee.clearance.create': 'clearance:write clearance:read code:read',
      'employee.create': 'employee:write employee:read',
      'employee.slip.get': 'employee:read salary:read',
    })
    const app = await openWorld(1)
    const rejected = await send(app, few, { method: 'GET', path: '/employee/by-code/CODE-1-3' })
    expect(JSON.parse(rejected.text)).toMatchObject({ status: 403, code: 'insufficient-scope' })
  })

  it('is documented with its scope, and optional in responses', () => {
    const document = openapi(staff, { issuer: 'https://issuer.example.com' }) as unknown as {
      components: { schemas: Record<string, { required?: string[]; properties?: Record<string, object> }> }
      paths: Record<string, { get: { parameters: { name?: string; description?: string }[] } }>
    }
    const schemas = Object.values(document.components.schemas).filter(({ properties }) => properties?.salary)
    expect(schemas.length).toBeGreaterThan(1)
    const records = schemas.filter(({ properties }) => properties?.heading)
    for (const { required = [], properties } of records) {
      expect(required).not.toContain('salary')
      expect(properties?.salary).toMatchObject({
        'x-nomen-scope': 'salary:read',
        description: 'Only for callers with the scope salary:read.',
      })
    }
    const parameter = document.paths['/employee']?.get.parameters.find(({ name }) => name === 'salary')
    expect(parameter?.description).toContain('Only for callers with the scope salary:read.')
  })
})

describe('a declaration that would reveal a field with a scope', () => {
  const secret = text().visibleTo('secret:read')
  const id = identity()
  it.each<[string, () => unknown, string]>([
    ['a scope without a verb', () => noun('a', { id, b: text().visibleTo('b') }), 'the form "noun:verb"'],
    [
      'a label',
      () => noun('a', { id, secret }, { label: 'secret' }),
      '"secret" has visibleTo(), so it cannot be used in the label.',
    ],
    [
      'a unique set',
      () => noun('a', { id, secret, b: text() }, { unique: [['secret', 'b']] }),
      'has fields with different visibleTo()',
    ],
    ['a default from it', () => noun('a', { id, secret, b: text().defaultFrom('secret') }), 'comes from "secret"'],
    [
      'a unique default',
      () => noun('a', { id, b: text().unique().default('x').visibleTo('b:read') }),
      'a unique field with visibleTo() cannot have a default',
    ],
    [
      'a default filter',
      () => resource(noun('a', { id, secret }), { defaultFilter: { secret: 'x' } }),
      '"secret" has visibleTo(), so it cannot be used in defaultFilter.',
    ],
    [
      'a computed field',
      () => {
        const open = noun('a', { id, secret }, { computed: { shout: text() } })
        const apis = [api('a', { versioning: 'per-noun', writes: 'nested', resources: [resource(open)] })]
        const shout = compute(open, 'shout', ['secret'], ({ secret: value }) => `${value}!`)
        return service({ name: 'a', apis, computed: [shout] })
      },
      "declare it with visibleTo('secret:read')",
    ],
  ])('is rejected: %s', (_, declare, message) => {
    expect(declare).toThrow(message)
  })
})
