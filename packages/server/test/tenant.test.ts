// Tenants: two databases that differ only in the records of another tenant give the same responses.
import {
  api,
  choice,
  createdBy,
  email,
  identity,
  integer,
  link,
  noun,
  operation,
  reference,
  resource,
  tenant,
  text,
} from '@nomen/core'
import {
  callerNoun,
  compute,
  handle,
  type LoadPart,
  linked,
  type OpenService,
  open,
  rule,
  service,
} from '@nomen/server'
import { loadRecords } from '@nomen/server/admin'
import { testDatabase } from '@nomen/testing/test-database'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sourceOf } from './bulk-bench.ts'
import { temporaryPath } from './temporary-database.ts'

const country = noun('country', { id: identity(), name: text() }, { label: 'name' })
const team = noun('team', { id: identity(), tenant: tenant(), name: text().unique() }, { label: 'name' })
const member = noun(
  'member',
  {
    id: identity(),
    tenant: tenant(),
    login: text().unique(),
    email: email().unique(),
    name: text(),
    status: choice('ACTIVE', 'LEFT').default('ACTIVE'),
    team: reference(() => team),
    mentor: reference(() => member)
      .nullable()
      .clearedOnDelete(),
    country: reference(() => country).nullable(),
    author: createdBy(() => member),
  },
  { label: 'name', unique: [['team', 'name']] },
)
const note = noun('note', { id: identity(), tenant: tenant(), member: reference(() => member), words: text() })
const skill = noun('skill', { id: identity(), tenant: tenant(), name: text() }, { computed: { teams: integer() } })
const knows = link(member, skill)
const census = operation({ method: 'GET', on: 'collection', response: { count: integer() } })
const company = api('company', {
  versioning: 'per-noun',
  writes: 'nested',
  resources: [
    resource(country, { offers: ['list', 'read'] }),
    resource(team, { by: ['name'], children: [resource(member, { path: 'crew', offers: ['list', 'read'] })] }),
    resource(member, {
      by: ['email', 'login'],
      search: ['name', 'email'],
      detail: true,
      defaultFilter: { status: 'ACTIVE' },
      operations: { census },
      children: [resource(note, { paginated: false }), resource(skill, { via: knows })],
    }),
    resource(skill, { children: [resource(member, { path: 'expert', via: knows })] }),
  ],
})

type World = 'first' | 'second'

/** The records of the tenant `north` are the same in both worlds, those of `south` are not. */
function rowsOf(world: World): readonly LoadPart[] {
  const own = [1, 2, 3]
  const others = world === 'first' ? [50, 51, 900] : [60, 61, 62, 63, 900]
  const of = (id: number) => (own.includes(id) ? 'north' : 'south')
  // South has the names, logins and addresses of north and more: a value is unique within its tenant.
  const named = (id: number) => (own.includes(id) ? id : id === 900 ? 9 : world === 'first' ? id - 49 : id - 58)
  const all = [...own, ...others]
  const first = (id: number) => (own.includes(id) ? 1 : (others[0] as number))
  return [
    { noun: 'country', rows: [{ id: 1, name: 'Norway' }] },
    { noun: 'team', rows: all.map((id) => ({ id, tenant: of(id), name: `T${named(id)}` })) },
    {
      noun: 'member',
      rows: all.map((id) => ({
        id,
        tenant: of(id),
        login: named(id) === 1 ? 'ada' : `l${named(id)}`,
        email: `m${named(id)}@example.com`,
        name: `M${named(id)}`,
        status: id === 3 || id === 51 ? 'LEFT' : 'ACTIVE',
        team: first(id),
        mentor: id === first(id) ? null : first(id),
        country: 1,
        author: null,
      })),
    },
    { noun: 'note', rows: all.map((id) => ({ id, tenant: of(id), member: id, words: `W${id}` })) },
    { noun: 'skill', rows: all.map((id) => ({ id, tenant: of(id), name: `S${id}` })) },
    { link: ['member', 'skill'], rows: all.map((id) => [id, first(id)] as const) },
  ]
}

const serviceOf = (world: World) =>
  service({
    name: 'company',
    apis: [company],
    tenant: { claim: 'tenant', shared: [country] },
    callers: callerNoun(member, 'login'),
    // A computed field that reads data sees that of the tenant.
    computed: [compute(skill, 'teams', [], async (_, { read }) => read(team).count())],
    rules: [
      rule(member, ['name'], ({ name }) => (name === 'BAD' ? { field: 'name', detail: 'No.' } : undefined)),
      // A rule that reads data sees that of the tenant.
      rule(team, ['name'], async ({ name }, _, { read }) => {
        if (name !== 'COUNT') return undefined
        const [teams, members] = [await read(team).count(), await read(member).list({ status: 'ACTIVE' })]
        const others = [await read(team).get(50), await read(team).get(60), await read(team).get(900)]
        const linkedOnes = await read(member).count({ id: linked(knows, skill, true) })
        return { field: 'name', detail: JSON.stringify([teams, members.length, linkedOnes, others]) }
      }),
    ],
    handlers: [
      handle(member, census, async ({ call }) => {
        const { pageInfo } = await call(company).member.list({ pageSize: 1 })
        return { count: pageInfo.numberOfRecords }
      }),
    ],
    sample: () => rowsOf(world),
  })

async function openWorld(world: World): Promise<OpenService> {
  const { address, remove } = await testDatabase()
  const app = await open(serviceOf(world), { database: address, onFault: () => undefined })
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

async function send(app: OpenService, of: string, { method, path, body, headers }: Request) {
  const caller = app.as({ user: 'ada', claims: { tenant: of } })
  const response = await caller.fetch(`http://localhost${path}`, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const content = (await response.text()).replaceAll(/20\d\d-\d\d-\d\dT[\d:.]+Z/g, 'now')
  return { status: response.status, tag: response.headers.get('etag'), text: content }
}

const json = async (app: OpenService, of: string, path: string) =>
  JSON.parse((await send(app, of, { method: 'GET', path })).text)

const keys = ['1', '2', '50', '60', '900', '77']
const queries = [
  ...['', 'status=ACTIVE&status=LEFT', 'include=3&include=50&include=60&include=900', 'search=m2', 'sort=-name'],
  ...['team=1', 'team=50', 'team=60', 'mentor=1', 'name=M2', 'pageSize=2&pageNumber=2', 'tenant=south', 'tenant=north'],
]
const named = { name: 'T4', words: 'W', login: 'l4', email: 'm4@example.com', team: 1 }
const bodies = [
  ...[
    { name: 'N' },
    { name: 'BAD' },
    { name: 'COUNT' },
    { team: 50 },
    { team: 60 },
    { team: 2 },
    { mentor: 900 },
    { mentor: 2 },
  ],
  ...[{ tenant: 'south' }, { email: 'm4@example.com' }, { email: 'm2@example.com' }, { words: 'X', member: 50 }],
  ...[{ name: 'T4' }, { name: 'T2' }, { words: 'Y' }, { name: 'M', login: 'l3', email: 'm5@example.com', team: 1 }],
  ...[named, { ...named, tenant: 'south' }, { ...named, team: 60, login: 'x', email: 'x@example.com' }],
]

function rank(method: string): number {
  return ['GET', 'PUT', 'PATCH', 'POST', 'DELETE'].indexOf(method)
}

/** Every path with the identities of own records, of records of another tenant, and of none. */
function* urls(path: string): Generator<string> {
  const parameter = /\{([^}]*)\}/.exec(path)
  if (!parameter) return yield path
  const [, name = ''] = parameter
  const values = /by-/.test(path) ? ['T1', 'T4', 'm2@example.com', 'm4@example.com', 'ada', 'l4'] : keys
  for (const value of values) yield* urls(path.replace(`{${name}}`, encodeURIComponent(value)))
}

/** Requests of every operation; writes come after reads, and deletes last. */
const requests: readonly Request[] = serviceOf('first')
  .operations.toSorted((a, b) => rank(a.method) - rank(b.method))
  .flatMap(({ kind, method, path, body }): Request[] =>
    [...urls(path)].flatMap((url): Request[] => {
      if (kind === 'list') return queries.map((query) => ({ method, path: `${url}?${query}` }))
      if (!body) return [{ method, path: url }]
      const once = [{}, { 'idempotency-key': 'k' }]
      return bodies.flatMap((sent) => once.map((headers) => ({ method, path: url, body: sent, headers })))
    }),
  )

describe('a tenant', () => {
  it('gets the same responses whatever another tenant has, in every operation', async () => {
    const [first, second] = [await openWorld('first'), await openWorld('second')]
    const done = new Set<string>()
    for (const request of requests) {
      const [firstResponse, secondResponse] = [
        await send(first, 'north', request),
        await send(second, 'north', request),
      ]
      expect(secondResponse, JSON.stringify(request)).toEqual(firstResponse)
      expect(firstResponse.text, JSON.stringify(request)).not.toMatch(/south"|W(5|6|9)\d|S(5|6|9)\d/)
      expect(firstResponse.status, firstResponse.text).not.toBe(500)
      if (firstResponse.status < 300)
        done.add(`${request.method} ${request.path.replace(/\?.*/, '').replaceAll(/\d+/g, '1')}`)
    }
    expect(done.size).toBeGreaterThan(30)
    // Nothing of the other tenant has changed.
    for (const [app, world] of [[first, 'first'] as const, [second, 'second'] as const]) {
      const { results } = await json(app, 'south', '/member?pageSize=100&status=ACTIVE&status=LEFT')
      const rows = rowsOf(world).flatMap((part) => ('noun' in part && part.noun === 'member' ? [...part.rows] : []))
      const names = rows.filter((row) => row.tenant === 'south').map((row) => row.name)
      expect(results.map((result: { name: string }) => result.name)).toEqual(names)
    }
  })

  it('counts its own records, in total and by a choice', async () => {
    const app = await openWorld('second')
    const total = async (of: string, query: string) =>
      (await json(app, of, `/member?${query}`)).pageInfo.numberOfRecords
    expect(await total('north', '')).toBe(2)
    expect(await total('north', 'status=LEFT')).toBe(1)
    expect(await total('south', '')).toBe(5)
    expect(await total('north', 'status=ACTIVE&status=LEFT')).toBe(3)
    expect(await json(app, 'south', '/member/census')).toEqual({ count: 5 })
    expect(await total('nowhere', '')).toBe(0)
  })

  it('is set by the service, also if the caller sends another one', async () => {
    const app = await openWorld('first')
    const body = { name: 'T9', tenant: 'south' }
    const { status, text: content } = await send(app, 'north', { method: 'POST', path: '/team', body })
    expect([status, JSON.parse(content).tenant]).toEqual([201, 'north'])
    expect((await send(app, 'north', { method: 'POST', path: '/team', body })).status).toBe(409)
    expect((await send(app, 'south', { method: 'POST', path: '/team', body })).status).toBe(409)
    const third = await send(app, 'east', { method: 'POST', path: '/team', body })
    expect([third.status, JSON.parse(third.text).tenant]).toEqual([201, 'east'])
  })

  it('is not named in the problem of a taken value', async () => {
    const app = await openWorld('first')
    const { text: content } = await send(app, 'north', { method: 'POST', path: '/team', body: { name: 'T1' } })
    expect(JSON.parse(content)).toMatchObject({ code: 'value-taken', detail: 'Another team has name "T1".' })
  })

  it('limits the search for the record of the caller', async () => {
    const app = await openWorld('first')
    const body = { name: 'New', login: 'new', email: 'new@example.com' }
    const authors: unknown[] = []
    for (const [of, team] of [
      ['north', 1],
      ['south', 50],
    ] as const) {
      const created = await send(app, of, { method: 'POST', path: '/member', body: { ...body, team } })
      authors.push(JSON.parse(created.text).author)
    }
    expect(authors).toEqual([1, 50])
  })

  it('has separate Idempotency-Keys', async () => {
    const app = await openWorld('first')
    const create = { method: 'POST', path: '/skill', body: { name: 'X' }, headers: { 'idempotency-key': 'k' } }
    const ids = []
    for (const of of ['north', 'south', 'north']) ids.push(JSON.parse((await send(app, of, create)).text).id)
    expect(ids[0]).toBe(ids[2])
    expect(ids[0]).not.toBe(ids[1])
  })

  it('is read from the file by a load, and unique values are unique within it', async () => {
    const { address, remove } = await testDatabase()
    // A load needs a database that others can open.
    const database = address.startsWith('sqlite:') ? `sqlite:${temporaryPath()}` : address
    const { sample: _, ...empty } = serviceOf('first')
    const app = await open(empty, { database })
    onTestFinished(async () => {
      await app.close()
      await remove()
    })
    const source = sourceOf('tenant,name\nnorth,T1\nsouth,T1\nnorth,T2\nnorth,T1\n')
    const report = await loadRecords(empty, { database, noun: 'team', source })
    expect(report).toMatchObject({ loaded: 3, unchanged: 1, rejected: 0 })
    expect((await json(app, 'north', '/team')).pageInfo.numberOfRecords).toBe(2)
    const rejects: string[] = []
    const onReject = ({ reason }: { readonly reason: string }) => rejects.push(reason)
    await loadRecords(empty, { database, noun: 'team', source: sourceOf('tenant,name\n,T3\n'), onReject })
    expect(rejects).toHaveLength(1)
  })

  it.each([{}, { tenant: '' }, { tenant: 7 }, { tenant: null }, { tenant: 'a\u001fb' }, { tenant: ['north'] }])(
    'is required of every caller: %j',
    async (claims) => {
      const app = await openWorld('first')
      for (const path of ['/member', '/member/1', '/team/by-name/T1', '/member/census']) {
        const response = await app.as({ user: 'ada', claims }).fetch(`http://localhost${path}`)
        expect([path, response.status, ((await response.json()) as { code: string }).code]).toEqual([
          path,
          403,
          'tenant-required',
        ])
      }
      const shared = await app.as({ user: 'ada', claims }).fetch('http://localhost/country/1')
      expect(shared.status).toBe(200)
    },
  )
})

describe('a service with tenants', () => {
  const bare = noun('bare', { id: identity() })
  const owned = noun('owned', { id: identity(), tenant: tenant() })
  const leading = noun('leading', { id: identity(), owned: reference(() => owned) })
  const apiOf = (...nouns: (typeof bare | typeof owned | typeof leading)[]) =>
    api('a', { versioning: 'per-noun', writes: 'nested', resources: nouns.map((noun) => resource(noun)) })
  const claim = 'tenant'

  it.each<[string, () => unknown, string]>([
    [
      'a noun without a tenant',
      () => service({ name: 'a', apis: [apiOf(bare)], tenant: { claim } }),
      '"bare" has no tenant field',
    ],
    ['tenants and no claim', () => service({ name: 'a', apis: [apiOf(owned)] }), 'the service has no tenant option'],
    [
      'a shared noun with a tenant',
      () => service({ name: 'a', apis: [apiOf(owned)], tenant: { claim, shared: [owned] } }),
      'is shared but has a tenant field',
    ],
    [
      'a shared noun that references records of one tenant',
      () => service({ name: 'a', apis: [apiOf(owned, leading)], tenant: { claim, shared: [leading] } }),
      'references records of one tenant',
    ],
    [
      'a shared noun that is not shown',
      () => service({ name: 'a', apis: [apiOf(owned)], tenant: { claim, shared: [bare] } }),
      'tenant.shared refers to "bare"',
    ],
  ])('is rejected with %s', (_, declare, message) => {
    expect(declare).toThrow(message)
  })
})
