// The service files of docs/authorization.md show each caller the records that the page says.
import * as core from '@nomen/core'
import { access, application, department, directory, directoryService, role, user } from '@nomen/directory'
import {
  callerNoun,
  linked,
  type OpenService,
  open,
  referencedBy,
  type Service,
  service,
  visible,
  visibleTarget,
} from '@nomen/server'
import { examplesOn } from '@nomen/testing/markdown/examples'
import { expect, it, onTestFinished } from 'vitest'
import { member, membership, notes, team, teamUser } from './snippets/authorization.ts'

const example = examplesOn('docs/authorization.md')
const names = { access, application, callerNoun, directory, role, service, user, visible, visibleTarget }

type Caller = Parameters<OpenService['as']>[0]

/** Opens the service of an example with sample users, and returns a function that sends a request as a caller. */
async function opened(text: string) {
  const { exported } = await example(text, names)
  const { sample } = directoryService({ users: 30 })
  const app = await open({ ...(exported as Service), ...(sample && { sample }) }, { database: 'sqlite::memory:' })
  onTestFinished(() => app.close())
  return async (caller: Caller, path: string, body?: object) => {
    const headers = { 'content-type': 'application/json' }
    const init = body && { method: 'POST', headers, body: JSON.stringify(body) }
    return (await app.as(caller).fetch(`http://directory${path}`, init)).json()
  }
}

it('shows records by scopes and claims', async () => {
  const send = await opened('visibleTarget')
  const all = { scopes: ['user:read', 'user:all'] }
  const count = async (caller: Caller, path: string) => (await send(caller, path)).pageInfo.numberOfRecords
  expect(await count(all, '/user')).toBe(30)
  const inDepartment = await count(all, '/user?department=2')
  expect(inDepartment).toBeGreaterThan(0)
  expect(await count({ claims: { department: 2 } }, '/user')).toBe(inDepartment)
  expect(await count({}, '/user')).toBe(0)
  expect(await count({ claims: { applications: [1, 2] } }, '/v1/application')).toBe(2)
  const roles: { results: { applicationRef: number }[] } = await send({ claims: { applications: [2] } }, '/v1/role')
  expect(new Set(roles.results.map(({ applicationRef }) => applicationRef))).toEqual(new Set([2]))
})

it('stores the record of the caller', async () => {
  const send = await opened('callerNoun(user')
  const { username } = await send({}, '/v1/user/3')
  const creatorOf = async (caller: Caller, email: string) => {
    const { id } = await send(caller, '/user', { firstName: 'Ada', lastName: 'Lovelace', department: 1, email })
    return (await send({}, `/v1/user/${id}`)).createdBy
  }
  expect(await creatorOf({ user: username }, 'ada@example.org')).toBe(3)
  expect(await creatorOf({ user: 'nobody' }, 'grace@example.org')).toBe(null)
})

/** Opens a service in memory, and returns a function that sends a request as a caller. */
async function served(definition: Service) {
  const app = await open(definition, { database: 'sqlite::memory:' })
  onTestFinished(() => app.close())
  return async (caller: Caller, method: string, path: string, body?: object) => {
    const headers = { 'content-type': 'application/json' }
    const init = body && { headers, body: JSON.stringify(body) }
    const response = await app.as(caller).fetch(`http://directory${path}`, { method, ...init })
    return { status: response.status, body: await response.json() }
  }
}

it('shows members of the teams of the caller, through a link or a noun', async () => {
  const collected: ReturnType<typeof visible>[] = []
  const collect = (...args: Parameters<typeof visible>) => void collected.push(visible(...args))
  await example('linked(teamUser', { visible: collect, linked, referencedBy, member, membership, teamUser, user })
  expect(collected).toHaveLength(2)
  const teams = core.api('teams', {
    versioning: 'per-noun',
    writes: 'nested',
    resources: [
      core.resource(department),
      core.resource(user, { children: [core.resource(team, { via: teamUser })] }),
      core.resource(team),
      core.resource(member),
      core.resource(membership),
    ],
  })
  const callers = callerNoun(user, 'username')
  for (const visibility of collected) {
    const send = await served(service({ name: 'teams', apis: [teams], callers, visibility: [visibility] }))
    await send({}, 'POST', '/department', { name: 'Sales' })
    const users = ['ada', 'grace']
    for (const [index, username] of users.entries()) {
      const id = index + 1
      const name = { firstName: username, lastName: username, username }
      await send({}, 'POST', '/user', { ...name, email: `${username}@example.com`, department: 1 })
      await send({}, 'POST', '/team', { name: `Team of ${username}` })
      await send({}, 'PUT', `/user/${id}/team/${id}`)
      await send({}, 'POST', '/membership', { team: id, user: id })
      expect((await send({ user: username }, 'POST', '/member', { team: id })).status).toBe(201)
    }
    const seen = await Promise.all(
      users.map(async (name) => (await send({ user: name }, 'GET', '/member')).body.results),
    )
    expect(seen).toEqual([[{ id: 1, team: 1 }], [{ id: 2, team: 2 }]])
  }
})

it('separates the notes of tenants', async () => {
  const { exported } = await example('const note = noun(', { ...core, service, notes })
  const send = await served(exported as Service)
  const [north, south] = [{ claims: { tenant: 'north' } }, { claims: { tenant: 'south' } }] as const
  const { body } = await send(north, 'POST', '/note', { title: 'Plan' })
  expect((await send(north, 'GET', `/note/${body.id}`)).body).toMatchObject({ title: 'Plan', tenant: 'north' })
  expect((await send(south, 'GET', `/note/${body.id}`)).status).toBe(404)
  expect((await send(south, 'POST', '/note', { title: 'Plan' })).status).toBe(201)
  expect(await send({}, 'GET', '/note')).toMatchObject({ status: 403, body: { code: 'tenant-required' } })
})

it('hides a field from callers without its scope', async () => {
  const { employee } = (await example('const employee = noun(', { ...core })) as { employee: core.AnyNoun }
  const staff = core.api('staff', { versioning: 'per-noun', writes: 'nested', resources: [core.resource(employee)] })
  const send = await served(service({ name: 'staff', apis: [staff] }))
  await send({}, 'POST', '/employee', { name: 'Ada' })
  expect((await send({ scopes: ['employee:read'] }, 'GET', '/employee/1')).body).toEqual({ id: 1, name: 'Ada' })
  expect((await send({ scopes: ['employee:read', 'salary:read'] }, 'GET', '/employee/1')).body).toEqual({
    id: 1,
    name: 'Ada',
    salary: '0.00',
  })
})
