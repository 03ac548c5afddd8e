// The examples of docs/mocks.md respond as the page says.
import { collection, mocks, mocksOf } from '@nomen/core/mocks'
import { examplesOn } from '@nomen/testing/markdown/examples'
import { delay, HttpResponse, http } from 'msw'
import { type SetupServer, setupServer } from 'msw/node'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { directory } from '../src/index.ts'

const example = examplesOn('docs/mocks.md')

const data = {
  applications: [{ applicationRef: 1, name: 'Desk' }],
  roles: [
    { roleRef: 1, name: 'Clerk', applicationRef: 1 },
    { roleRef: 3, name: 'Auditor', applicationRef: 1 },
  ],
  emptyApplication: { name: '' },
  emptyRole: { name: '', applicationRef: 0 },
}
const names = { collection, mocks, setupServer, http, HttpResponse, delay, ...data }

/** The hooks that the example registers. */
let hooks: Record<'beforeAll' | 'afterEach' | 'afterAll', () => void>
let mock: ReturnType<typeof mocks>
let server: SetupServer
beforeEach(async () => {
  ;({ mock } = (await example('export const mock = mocks(', names)) as { mock: typeof mock })
  const registered: Record<string, () => void> = {}
  const register = (name: string) => (hook: () => void) => {
    registered[name] = hook
  }
  const registering = Object.fromEntries(['beforeAll', 'afterEach', 'afterAll'].map((name) => [name, register(name)]))
  ;({ server } = (await example('server.listen()', { ...names, mock, ...registering })) as { server: SetupServer })
  hooks = registered as typeof hooks
  hooks.beforeAll()
})
afterEach(() => hooks.afterAll())

async function send(method: string, path: string, body?: object) {
  const init = body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
  const response = await fetch(`http://desk/v1${path}`, { method, ...init })
  return [response.status, await response.json()] as const
}

it('responds to the requests of the table', async () => {
  const [first, third] = data.roles
  expect((await send('GET', '/role?name=x'))[1].results).toEqual(data.roles)
  expect(await send('GET', '/role/3')).toEqual([200, third])
  expect(await send('GET', '/role/9')).toEqual([404, null])
  expect(await send('GET', '/application/1/role/1')).toEqual([200, first])
  expect(await send('POST', '/application/1/role', {})).toEqual([200, null])
  expect(await send('POST', '/role', { name: 'Guest' })).toEqual([
    200,
    { roleRef: 4, name: 'Guest', applicationRef: 0 },
  ])
  expect(await send('DELETE', '/role/1')).toEqual([200, null])
  expect((await send('GET', '/application/1/role'))[1].results).toHaveLength(2)
  hooks.afterEach()
  expect((await send('GET', '/role'))[1].results).toEqual(data.roles)
})

it('lets own handlers come first', async () => {
  const role = collection({ ref: 'roleRef', data: data.roles, defaults: data.emptyRole })
  let handlers: Parameters<typeof setupServer> = []
  const keep = (...all: typeof handlers) => {
    handlers = all
  }
  await example('const replaceRole', { ...names, mock, role, setupServer: keep })
  server.use(...handlers)
  expect(await send('PUT', '/role/3', { name: 'Reader' })).toMatchObject([200, { roleRef: 3, name: 'Reader' }])
  expect((await send('GET', '/role?name=Clerk'))[1].results).toHaveLength(1)
})

it('lets a test change the response to a request', async () => {
  let run: (() => Promise<void>) | undefined
  const keep = (_: string, body: () => Promise<void>) => {
    run = body
  }
  await example("it('waits", { ...names, mock, server, afterEach: () => {}, it: keep })
  await run?.()
  expect(await send('POST', '/role', {})).toEqual([409, { code: 'value-taken' }])
  expect((await send('POST', '/role', {}))[0]).toBe(200)
  await expect(send('DELETE', '/role/3')).rejects.toThrow(TypeError)
})

it('makes mocks from a declaration', async () => {
  const [users, preferences, departments] = [[], [], [{ id: 1, name: 'Sales' }]]
  const made = await example('mocksOf(directory', { mocksOf, directory, users, preferences, departments })
  server.use(...(made.mock as typeof mock).handlers)
  const response = await fetch('http://desk/department/1')
  expect(await response.json()).toMatchObject({ id: 1, name: 'Sales' })
})
