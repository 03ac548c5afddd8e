/** The rules of mocks, one test each, for every environment in which mocks run. */
import { describe, expect, it } from 'vitest'
import { actions, applications, emptyRole, type Role, roles, type SetupName, users } from './mock-setup.ts'

export interface MockResponse {
  readonly status: number
  readonly body: unknown
}

/** Running mocks. Requests without a mock go to a server that responds with 501. */
export interface RunningMocks {
  send(method: string, path: string, body?: unknown): Promise<MockResponse>
  reset(): Promise<void>
}

const writeMethods = ['POST', 'PUT', 'PATCH', 'DELETE']

export function mockSuite(open: (setup: SetupName) => Promise<RunningMocks>): void {
  const resultsOf = async ({ send }: RunningMocks, path: string) => {
    const { status, body } = await send('GET', path)
    expect(status).toBe(200)
    return (body as { results: unknown[] }).results
  }

  describe('GET one item', () => {
    it('finds the item by its ref and responds with 200', async () => {
      const { send } = await open('usual')
      expect(await send('GET', '/v1/role/9')).toEqual({ status: 200, body: roles[1] })
    })

    it.each(['4', '0', '-3', 'x', '3x', 'NaN', 'null', '%20'])(
      'responds with 404 and null for the ref %s',
      async (ref) => {
        const { send } = await open('usual')
        expect(await send('GET', `/v1/role/${ref}`)).toEqual({ status: 404, body: null })
      },
    )
  })

  describe('GET a list', () => {
    it('is an envelope of one page with all records', async () => {
      const { send } = await open('usual')
      const pageInfo = { pageSize: 10, pageNumber: 1, numberOfPages: 1, numberOfRecords: 3 }
      expect(await send('GET', '/v1/role')).toEqual({ status: 200, body: { pageInfo, results: roles } })
    })

    it('is one page even with more records than a default page', async () => {
      const { send } = await open('usual')
      for (let count = 0; count < 9; count++) await send('POST', '/v1/role', {})
      const pageInfo = { pageSize: 12, pageNumber: 1, numberOfPages: 1, numberOfRecords: 12 }
      expect((await send('GET', '/v1/role')).body).toMatchObject({ pageInfo })
    })

    it('is an envelope with zero pages if the collection is empty', async () => {
      const { send } = await open('usual')
      const pageInfo = { pageSize: 10, pageNumber: 1, numberOfPages: 0, numberOfRecords: 0 }
      expect(await send('GET', '/v1/note')).toEqual({ status: 200, body: { pageInfo, results: [] } })
    })

    it('is an array with the option, at the root and nested', async () => {
      const { send } = await open('array')
      expect(await send('GET', '/v1/role')).toEqual({ status: 200, body: roles })
      expect(await send('GET', '/v1/role/3/action')).toEqual({ status: 200, body: actions })
    })

    it.each(['?pageSize=1', '?name=clerk&sort=-name', '?search=%2Fuser%2F1', '?', '?roleRef=3#top'])(
      'ignores the query %s',
      async (query) => {
        const mocks = await open('usual')
        expect(await resultsOf(mocks, `/v1/role${query}`)).toEqual(roles)
        expect(await mocks.send('GET', `/v1/role/3${query}`)).toEqual({ status: 200, body: roles[0] })
      },
    )
  })

  describe('GET a sub-collection', () => {
    it.each([1, 2, 3, 77, 'x'])(
      'returns all records of the child type below %s, unfiltered, with unchanged refs',
      async (ref) => {
        expect(await resultsOf(await open('usual'), `/v1/application/${ref}/role`)).toEqual(roles)
      },
    )

    it('of a many-to-many relation is the same for every parent, at any depth', async () => {
      const mocks = await open('usual')
      for (const path of ['/v1/application/1/user', '/v1/application/2/user']) {
        expect(await resultsOf(mocks, path)).toEqual(users)
        expect(await resultsOf(mocks, `${path}/1/role`)).toEqual(roles)
        expect(await resultsOf(mocks, `${path}/99/action`)).toEqual(actions)
      }
    })

    it('finds a single item in the shared collection below any parent', async () => {
      const { send } = await open('usual')
      expect(await send('GET', '/v1/application/99/user/2')).toEqual({ status: 200, body: users[1] })
      expect(await send('GET', '/v1/application/1/user/1/role/5')).toEqual({ status: 200, body: roles[2] })
      expect(await send('GET', '/v1/application/1/role/4')).toEqual({ status: 404, body: null })
    })

    it('that is not declared is not mocked', async () => {
      const { send } = await open('usual')
      expect((await send('GET', '/v1/user/1/role')).status).toBe(501)
      expect((await send('GET', '/v1/role/3/action/1/user')).status).toBe(501)
    })
  })

  describe('a sub-collection that is attached to its parents', () => {
    it('has the initial records of each parent', async () => {
      const mocks = await open('attached')
      for (const { applicationRef, roles: initialRoles } of applications) {
        expect(await resultsOf(mocks, `/v1/application/${applicationRef}/role`)).toEqual(initialRoles)
      }
    })

    it('does not change with the default collection or the parent', async () => {
      const mocks = await open('attached')
      await mocks.send('PATCH', '/v1/role/3', { name: 'changed' })
      await mocks.send('PATCH', '/v1/application/1', { name: 'changed', roles: [] })
      expect(await resultsOf(mocks, '/v1/application/1/role')).toEqual(applications[0]?.roles)
      expect(await resultsOf(mocks, '/v1/application/2/role')).toEqual(applications[1]?.roles)
    })

    it('is the default collection below a missing or a new parent', async () => {
      const mocks = await open('attached')
      expect(await resultsOf(mocks, '/v1/application/99/role')).toEqual(roles)
      await mocks.send('DELETE', '/v1/application/3')
      expect(await resultsOf(mocks, '/v1/application/3/role')).toEqual(roles)
      expect((await mocks.send('POST', '/v1/application', {})).body).toMatchObject({ applicationRef: 3 })
      expect(await resultsOf(mocks, '/v1/application/3/role')).toEqual(roles)
    })

    it('applies to that path only: deeper paths and single items are shared', async () => {
      const mocks = await open('attached')
      expect(await resultsOf(mocks, '/v1/application/3/user/1/role')).toEqual(roles)
      expect(await mocks.send('GET', '/v1/application/3/role/9')).toEqual({ status: 200, body: roles[1] })
    })
  })

  describe('POST to a root collection', () => {
    it('appends a record of defaults and body under the largest ref plus one, and responds with 200', async () => {
      const mocks = await open('usual')
      const created = { ...emptyRole, roleRef: 10, name: 'new' }
      expect(await mocks.send('POST', '/v1/role', { name: 'new' })).toEqual({ status: 200, body: created })
      expect(await resultsOf(mocks, '/v1/role')).toEqual([...roles, created])
      expect(await mocks.send('GET', '/v1/role/10')).toEqual({ status: 200, body: created })
    })

    it('assigns the ref 1 in an empty collection', async () => {
      const { send } = await open('usual')
      expect((await send('POST', '/v1/note', { text: 'x' })).body).toEqual({ noteRef: 1, text: 'x' })
    })

    it('assigns a ref and ignores the ref of the body', async () => {
      const { send } = await open('usual')
      expect((await send('POST', '/v1/role', { roleRef: 3 })).body).toEqual({ ...emptyRole, roleRef: 10 })
      expect((await send('POST', '/v1/role', { roleRef: 'x' })).body).toEqual({ ...emptyRole, roleRef: 11 })
    })

    it('is visible in every collection', async () => {
      const mocks = await open('usual')
      const { body } = await mocks.send('POST', '/v1/role', { name: 'new' })
      expect((await resultsOf(mocks, '/v1/application/2/role')).at(-1)).toEqual(body)
      expect((await resultsOf(mocks, '/v1/application/1/user/1/role')).at(-1)).toEqual(body)
    })
  })

  describe('PATCH of an item', () => {
    it('merges the body, keeps the position, and responds with 200', async () => {
      const mocks = await open('usual')
      const changed = { ...(roles[1] as Role), name: 'inspector', more: true }
      const response = await mocks.send('PATCH', '/v1/role/9', { name: 'inspector', more: true })
      expect(response).toEqual({ status: 200, body: changed })
      expect(await resultsOf(mocks, '/v1/role')).toEqual([roles[0], changed, roles[2]])
    })

    it('never changes the ref', async () => {
      const { send } = await open('usual')
      expect((await send('PATCH', '/v1/role/9', { roleRef: 1 })).body).toEqual(roles[1])
      expect((await send('GET', '/v1/role/1')).status).toBe(404)
    })

    it.each(['4', 'x'])('that is missing (%s) responds with 404 and null', async (ref) => {
      const mocks = await open('usual')
      expect(await mocks.send('PATCH', `/v1/role/${ref}`, { name: 'x' })).toEqual({ status: 404, body: null })
      expect(await resultsOf(mocks, '/v1/role')).toEqual(roles)
    })
  })

  describe('DELETE of an item', () => {
    it('removes the item, and responds with 200 and null', async () => {
      const mocks = await open('usual')
      expect(await mocks.send('DELETE', '/v1/role/9')).toEqual({ status: 200, body: null })
      expect(await resultsOf(mocks, '/v1/role')).toEqual([roles[0], roles[2]])
      expect(await resultsOf(mocks, '/v1/application/2/role')).toEqual([roles[0], roles[2]])
    })

    it.each(['4', 'x'])('that is missing (%s) responds with 404 and null', async (ref) => {
      const mocks = await open('usual')
      expect(await mocks.send('DELETE', `/v1/role/${ref}`)).toEqual({ status: 404, body: null })
      expect(await resultsOf(mocks, '/v1/role')).toEqual(roles)
    })

    it('deletes only once', async () => {
      const { send } = await open('usual')
      await send('DELETE', '/v1/role/3')
      expect(await send('DELETE', '/v1/role/3')).toEqual({ status: 404, body: null })
    })
  })

  describe('a change on a path deeper than one item', () => {
    const deep = ['role/3/action/2', 'role/3/action', 'application/1/user/1', 'user/1/password', 'note/1/a/b/c/role/3']
    it.each(deep)('changes nothing at %s, declared or not, and responds with 200 and null', async (path) => {
      for (const setup of ['usual', 'anywhere'] as const) {
        const mocks = await open(setup)
        for (const method of writeMethods) {
          const response = await mocks.send(method, `/v1/${path}`, method === 'DELETE' ? undefined : { name: 'x' })
          expect(response, method).toEqual({ status: 200, body: null })
        }
        expect(await resultsOf(mocks, '/v1/role')).toEqual(roles)
        expect(await resultsOf(mocks, '/v1/action')).toEqual(actions)
        expect(await resultsOf(mocks, '/v1/user')).toEqual(users)
      }
    })

    it('is not mocked if the parent is not a collection', async () => {
      const { send } = await open('anywhere')
      expect((await send('DELETE', '/v1/department/3/role/9')).status).toBe(501)
      expect((await send('GET', '/v1/department/3/role')).status).toBe(501)
      expect((await send('GET', '/v1/role/9')).body).toEqual(roles[1])
    })
  })

  describe('a type and the types derived from it', () => {
    it('share one collection, and return the widest record unchanged', async () => {
      const mocks = await open('usual')
      for (const name of ['user', 'user-summary', 'user-detail']) {
        expect(await resultsOf(mocks, `/v1/${name}`)).toEqual(users)
      }
      const { body } = await mocks.send('PATCH', '/v1/user/2', { email: 'new@example.com' })
      expect(await resultsOf(mocks, '/v1/user-summary')).toEqual([users[0], body])
      expect(await mocks.send('GET', '/v1/user-detail/2')).toEqual({ status: 200, body })
    })
  })

  describe('a request that the rules do not list', () => {
    it.each([
      ['PUT', '/v1/role/3'],
      ['PUT', '/v1/role'],
      ['PATCH', '/v1/role'],
      ['DELETE', '/v1/role'],
      ['POST', '/v1/role/3'],
      ['GET', '/v1/department'],
      ['GET', '/v2/role'],
      ['GET', '/role'],
      ['GET', '/v1/roles'],
    ])('is not mocked: %s %s', async (method, path) => {
      const { send } = await open('usual')
      expect((await send(method, path, method === 'GET' ? undefined : {})).status).toBe(501)
    })
  })

  it('restores the initial data on reset', async () => {
    const mocks = await open('usual')
    await mocks.send('POST', '/v1/role', {})
    await mocks.send('PATCH', '/v1/role/3', { name: 'x' })
    await mocks.send('DELETE', '/v1/role/9')
    await mocks.reset()
    expect(await resultsOf(mocks, '/v1/role')).toEqual(roles)
  })
}
