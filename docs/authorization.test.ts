// The service files of docs/authorization.md show each caller the records that the page says.
import { access, application, directory, directoryService, role, user } from '@nomen/directory'
import { callerNoun, type OpenService, open, type Service, service, visible, visibleTarget } from '@nomen/server'
import { examplesOn } from '@nomen/testing/markdown/examples'
import { expect, it, onTestFinished } from 'vitest'

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
