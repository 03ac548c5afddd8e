// The history is complete: its entries, applied one after the other, give exactly the records and links of the database.

import { setTimeout as pause } from 'node:timers/promises'
import { change, choice, identity, integer, link, noun, reference, resource, text } from '@nomen/core'
import { service } from '@nomen/server'
import { randomFrom } from '@nomen/testing/random'
import { expect, it } from 'vitest'
import { openService, plainApi, type TestService } from './test-service.ts'

const steps = 250
const atOnce = 5

const team = noun('team', { id: identity(), name: text() }, { history: true })
const user = noun(
  'user',
  {
    id: identity(),
    name: text().unique(),
    rank: integer().nullable(),
    state: choice({ NEW: ['OLD'], OLD: [] }).default('NEW'),
    team: reference(() => team)
      .nullable()
      .clearedOnDelete(),
  },
  { history: true },
)
const note = noun('note', { key: identity('guid'), user: reference(() => user), line: text() }, { history: true })
const role = noun('role', { id: identity(), name: text() }, { history: true })
const userRole = link(user, role)
const directory = service({
  name: 'directory',
  apis: [
    plainApi(
      resource(user, { children: [resource(note), resource(role, { via: userRole })] }),
      resource(team),
      resource(role),
      resource(change),
    ),
  ],
})

interface Entry {
  readonly kind: string
  readonly record: string
  readonly linked: string | null
  readonly after: string | null
}

/** Records by name, such as `user/7`, and pairs of linked records. */
type Copy = Record<string, unknown>

function replay(entries: readonly Entry[]): Copy {
  const copy: Copy = {}
  for (const { kind, record, linked, after } of entries) {
    const name = kind.endsWith('LINKED') ? `${record} ${linked}` : record
    const isThere = name in copy
    expect([kind, name, isThere]).toEqual([kind, name, !['CREATED', 'LINKED'].includes(kind)])
    if (kind === 'DELETED' || kind === 'UNLINKED') delete copy[name]
    else copy[name] = { ...(copy[name] as object), ...(JSON.parse(after ?? '{}') as object) }
  }
  return copy
}

async function recordsOf({ get }: TestService): Promise<Copy> {
  const copy: Copy = {}
  const list = async (url: string) => (await get(`${url}?pageSize=1000`)).body.results as Record<string, unknown>[]
  for (const name of ['team', 'role'])
    for (const record of await list(`/${name}`)) copy[`${name}/${record.id}`] = record
  for (const record of await list('/user')) {
    copy[`user/${record.id}`] = record
    for (const own of await list(`/user/${record.id}/note`)) copy[`note/${own.key}`] = own
    for (const { id } of await list(`/user/${record.id}/role`)) copy[`user/${record.id} role/${id}`] = {}
  }
  return copy
}

/** The highest ID in requests. */
const maxId = 8

/** How often the state of the records is taken, on average. */
const stepsBetweenStates = 60

/** The records, and a time after all changes before and before all changes after. */
async function stateOf(app: TestService) {
  const records = await recordsOf(app)
  await pause(2)
  const time = new Date().toISOString()
  await pause(2)
  return { time, records }
}

it('gives the records and links of the database after random requests, and each record at earlier times', async () => {
  const app = await openService(directory)
  const random = randomFrom(7)
  const id = () => 1 + random.below(maxId)
  const states: { readonly time: string; readonly records: Copy }[] = []
  const requests: (() => readonly [method: string, url: string, body?: object])[] = [
    () => ['POST', '/team', { name: `T${random.below(9)}` }],
    () => ['POST', '/role', { name: `R${random.below(9)}` }],
    () => ['POST', '/user', { name: `U${random.below(30)}`, team: random.pick([null, id()]) }],
    () => ['POST', `/user/${id()}/note`, { line: `L${random.below(9)}` }],
    () => ['PATCH', `/user/${id()}`, { name: `U${random.below(30)}`, rank: random.pick([null, random.below(3)]) }],
    () => ['PATCH', `/user/${id()}`, { state: random.pick(['NEW', 'OLD']), team: random.pick([null, id()]) }],
    () => ['PATCH', `/team/${id()}`, { name: `T${random.below(9)}` }],
    () => ['PUT', `/user/${id()}/role/${id()}`],
    () => ['PUT', `/user/${id()}/role/${id()}`],
    () => ['DELETE', `/user/${id()}/role/${id()}`],
    () => ['DELETE', random.pick([`/user/${id()}`, `/team/${id()}`, `/role/${id()}`])],
    () => ['POST', `/${random.pick(['user', 'user', 'team', 'role'])}/${id()}/restoration`],
  ]
  const counts = new Map<number, number>()
  for (let step = 0; step < steps; step += atOnce) {
    const sent = Array.from({ length: atOnce }, () => random.pick(requests)())
    for (const { status } of await Promise.all(sent.map(([method, url, body]) => app.send(method, url, body))))
      counts.set(status, (counts.get(status) ?? 0) + 1)
    if (random.below(stepsBetweenStates) < atOnce) states.push(await stateOf(app))
  }
  expect(Math.max(...counts.keys())).toBeLessThan(500)
  expect(counts.get(201)).toBeGreaterThan(20)
  const { results, pageInfo } = (await app.get('/change?pageSize=1000&sort=id')).body
  expect(results).toHaveLength(pageInfo.numberOfRecords)
  expect(replay(results.filter(({ kind }: Entry) => kind !== 'STARTED'))).toEqual(await recordsOf(app))
  for (const { time, records } of states)
    for (const name of ['user', 'team', 'role'])
      for (let key = 1; key <= maxId; key++) {
        const past = await app.get(`/${name}/${key}?at=${time}`)
        expect([time, past.status === 404 ? undefined : past.body]).toEqual([time, records[`${name}/${key}`]])
      }
})
