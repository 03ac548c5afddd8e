import { client, ProblemError } from '@nomen/core/client'
import { mocksOf } from '@nomen/core/mocks'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { access, directory } from '../apis.ts'
import { actions, applications, roles } from './data.ts'
import { mock } from './index.ts'

const server = setupServer()
beforeAll(() => server.listen({ onUnhandledFrame: 'error' }))
afterEach(() => mock.reset())
afterAll(() => server.close())

const baseUrl = 'http://directory.test'

describe('a client on the mocks of the directory', () => {
  const { role, application } = client<typeof access>({ baseUrl, version: 1 })
  beforeAll(() => server.resetHandlers(...mock.handlers))

  it('lists, reads, creates, updates and deletes', async () => {
    expect((await role.list({ name: 'ignored' })).results).toEqual(roles)
    expect(await role.read(2)).toEqual(roles[1])
    const created = await role.create({ applicationRef: 1, name: 'Auditor', description: '' })
    expect(created).toEqual({
      roleRef: 5,
      applicationRef: 1,
      name: 'Auditor',
      description: '',
      actions: [],
      createDate: '',
      createUserRef: 0,
    })
    expect(await role.update(5, { name: 'Inspector' })).toMatchObject({ roleRef: 5, name: 'Inspector' })
    expect(await role.delete(5)).toBeNull()
    const error = await role.read(5).catch((error) => error)
    expect([error instanceof ProblemError, error.status]).toEqual([true, 404])
  })

  it.each(['application', 'role', 'user', 'action', 'user-detail', 'user-summary'])(
    'a new %s has the fields of its creation',
    async (name) => {
      const response = await fetch(`${baseUrl}/v1/${name}`, { method: 'POST', body: '{}' })
      expect(await response.json()).toMatchObject({ createDate: '', createUserRef: 0 })
    },
  )

  it('iterates over pages, and reads and links below single records', async () => {
    expect(await Array.fromAsync(role.records())).toEqual(roles)
    expect((await application.of(1).role.list()).results).toEqual(applications[0]?.roles)
    expect((await application.of(7).user.of(9).action.list()).results).toEqual(actions)
    expect(await role.of(1).action.link(9)).toBeNull()
    expect(await role.of(1).action.unlink(9)).toBeNull()
  })
})

describe('mocks of a declared api', () => {
  const person = {
    id: 4,
    firstName: 'Ada',
    lastName: 'Byron',
    email: 'ada@example.com',
    phone: '',
    extension: '',
    status: 'ACTIVE' as const,
    department: 1,
    supervisor: null,
    created: '2026-01-01T00:00:00.000Z',
    lastUpdated: '2026-01-01T00:00:00.000Z',
  }
  const data = {
    user: [person],
    preference: [{ id: 1, type: 'theme', enabled: null, value: 'dark' }],
    department: [{ id: 1, name: 'Sales', retired: false }],
    'saved-view': [],
  }
  const mocked = mocksOf(directory, data)
  const { user, department } = client<typeof directory>({ baseUrl })
  beforeAll(() => server.resetHandlers(...mocked.handlers))
  afterEach(() => mocked.reset())

  it('serves its lists and variants, single records and sub-resources, each in its form', async () => {
    expect((await user.list()).results).toEqual([person])
    expect((await user.summary.list()).results).toEqual([person])
    expect((await user.detail.list()).results).toEqual([person])
    expect(await user.of(4).preference.list()).toEqual(data.preference)
    expect(await user.of(4).preference.read(1)).toEqual(data.preference[0])
    expect(await department.read(1)).toEqual(data.department[0])
  })

  it('creates records with the initial value of each kind of field', async () => {
    expect(await user.create({ firstName: 'New', lastName: 'One', email: 'new@example.com', department: 1 })).toEqual({
      id: 5,
      firstName: 'New',
      lastName: 'One',
      email: 'new@example.com',
      phone: '',
      extension: '',
      status: 'ACTIVE',
      department: 1,
      supervisor: null,
      created: '',
      lastUpdated: '',
    })
    expect((await user.summary.list()).results).toHaveLength(2)
    expect(await department.create({ name: 'Legal' })).toEqual({ id: 2, name: 'Legal', retired: false })
    mocked.reset()
    expect((await user.list()).results).toEqual([person])
  })

  it('changes nothing below a single record', async () => {
    expect(await user.of(4).preference.create({ type: 'x', enabled: true, value: null })).toBeNull()
    expect(await user.of(4).preference.delete(1)).toBeNull()
    expect(await user.of(4).preference.list()).toEqual(data.preference)
  })

  it('is below the version of its api', async () => {
    const empty = {
      user: [],
      application: [],
      role: [{ roleRef: 3, applicationRef: 1, name: 'Clerk', description: '' }],
      action: [],
    }
    server.resetHandlers(...mocksOf(access, empty).handlers)
    const { role, application } = client<typeof access>({ baseUrl, version: 1 })
    expect((await role.list()).results).toEqual(empty.role)
    expect((await application.of(1).user.of(2).role.list()).results).toEqual(empty.role)
    const user = await fetch(`${baseUrl}/v1/user`, { method: 'POST', body: '{}' })
    expect(await user.json()).toMatchObject({ id: 1, createdDate: '', createdBy: null })
  })
})
