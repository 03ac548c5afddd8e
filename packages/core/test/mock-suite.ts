/** The rules of mocks, one test each, wherever mocks run. */
import { describe, expect, it } from 'vitest'
import { actions, applications, emptyRole, type Role, roles, type SetupName, users } from './mock-setup.ts'

export interface Answer {
  readonly status: number
  readonly body: unknown
}

/** Mocks at work. What they do not answer goes to a server that answers 501. */
export interface Mocked {
  ask(method: string, path: string, body?: unknown): Promise<Answer>
  reset(): Promise<void>
}

const changing = ['POST', 'PUT', 'PATCH', 'DELETE']

export function mockSuite(open: (setup: SetupName) => Promise<Mocked>): void {
  const resultsOf = async ({ ask }: Mocked, path: string) => {
    const { status, body } = await ask('GET', path)
    expect(status).toBe(200)
    return (body as { results: unknown[] }).results
  }

  describe('GET one item', () => {
    it('finds the item by its ref, and answers 200', async () => {
      const { ask } = await open('usual')
      expect(await ask('GET', '/v1/role/9')).toEqual({ status: 200, body: roles[1] })
    })

    it.each(['4', '0', '-3', 'x', '3x', 'NaN', 'null', '%20'])('answers 404 and null for the ref %s', async (ref) => {
      const { ask } = await open('usual')
      expect(await ask('GET', `/v1/role/${ref}`)).toEqual({ status: 404, body: null })
    })
  })

  describe('GET a list', () => {
    it('is an envelope of one page with all records', async () => {
      const { ask } = await open('usual')
      const pageInfo = { pageSize: 10, pageNumber: 1, numberOfPages: 1, numberOfRecords: 3 }
      expect(await ask('GET', '/v1/role')).toEqual({ status: 200, body: { pageInfo, results: roles } })
    })

    it('is still one page of more records than a page usually has', async () => {
      const { ask } = await open('usual')
      for (let more = 0; more < 9; more++) await ask('POST', '/v1/role', {})
      const pageInfo = { pageSize: 12, pageNumber: 1, numberOfPages: 1, numberOfRecords: 12 }
      expect((await ask('GET', '/v1/role')).body).toMatchObject({ pageInfo })
    })

    it('is an envelope where there is nothing, without a page', async () => {
      const { ask } = await open('usual')
      const pageInfo = { pageSize: 10, pageNumber: 1, numberOfPages: 0, numberOfRecords: 0 }
      expect(await ask('GET', '/v1/note')).toEqual({ status: 200, body: { pageInfo, results: [] } })
    })

    it('is an array where that was asked for, nested too', async () => {
      const { ask } = await open('array')
      expect(await ask('GET', '/v1/role')).toEqual({ status: 200, body: roles })
      expect(await ask('GET', '/v1/role/3/action')).toEqual({ status: 200, body: actions })
    })

    it.each(['?pageSize=1', '?name=clerk&sort=-name', '?search=%2Fuser%2F1', '?', '?roleRef=3#top'])(
      'ignores the query %s',
      async (query) => {
        const mocked = await open('usual')
        expect(await resultsOf(mocked, `/v1/role${query}`)).toEqual(roles)
        expect(await mocked.ask('GET', `/v1/role/3${query}`)).toEqual({ status: 200, body: roles[0] })
      },
    )
  })

  describe('GET a sub-collection', () => {
    it.each([1, 2, 3, 77, 'x'])('gives all of the child type below %s, unfiltered, refs as they are', async (ref) => {
      expect(await resultsOf(await open('usual'), `/v1/application/${ref}/role`)).toEqual(roles)
    })

    it('of many to many is the same for every parent, at any depth', async () => {
      const mocked = await open('usual')
      for (const path of ['/v1/application/1/user', '/v1/application/2/user']) {
        expect(await resultsOf(mocked, path)).toEqual(users)
        expect(await resultsOf(mocked, `${path}/1/role`)).toEqual(roles)
        expect(await resultsOf(mocked, `${path}/99/action`)).toEqual(actions)
      }
    })

    it('finds a single item in the shared collection, whatever the parent', async () => {
      const { ask } = await open('usual')
      expect(await ask('GET', '/v1/application/99/user/2')).toEqual({ status: 200, body: users[1] })
      expect(await ask('GET', '/v1/application/1/user/1/role/5')).toEqual({ status: 200, body: roles[2] })
      expect(await ask('GET', '/v1/application/1/role/4')).toEqual({ status: 404, body: null })
    })

    it('that was not named is not answered', async () => {
      const { ask } = await open('usual')
      expect((await ask('GET', '/v1/user/1/role')).status).toBe(501)
      expect((await ask('GET', '/v1/role/3/action/1/user')).status).toBe(501)
    })
  })

  describe('a sub-collection that is attached', () => {
    it('is what each parent held at the start', async () => {
      const mocked = await open('attached')
      for (const { applicationRef, roles: own } of applications) {
        expect(await resultsOf(mocked, `/v1/application/${applicationRef}/role`)).toEqual(own)
      }
    })

    it('stays as it is when the default collection changes, or the parent', async () => {
      const mocked = await open('attached')
      await mocked.ask('PATCH', '/v1/role/3', { name: 'changed' })
      await mocked.ask('PATCH', '/v1/application/1', { name: 'changed', roles: [] })
      expect(await resultsOf(mocked, '/v1/application/1/role')).toEqual(applications[0]?.roles)
      expect(await resultsOf(mocked, '/v1/application/2/role')).toEqual(applications[1]?.roles)
    })

    it('is the default collection below an absent parent, or one that was created', async () => {
      const mocked = await open('attached')
      expect(await resultsOf(mocked, '/v1/application/99/role')).toEqual(roles)
      await mocked.ask('DELETE', '/v1/application/3')
      expect(await resultsOf(mocked, '/v1/application/3/role')).toEqual(roles)
      expect((await mocked.ask('POST', '/v1/application', {})).body).toMatchObject({ applicationRef: 3 })
      expect(await resultsOf(mocked, '/v1/application/3/role')).toEqual(roles)
    })

    it('serves that path only: deeper ones, and single items, are shared', async () => {
      const mocked = await open('attached')
      expect(await resultsOf(mocked, '/v1/application/3/user/1/role')).toEqual(roles)
      expect(await mocked.ask('GET', '/v1/application/3/role/9')).toEqual({ status: 200, body: roles[1] })
    })
  })

  describe('POST to a root collection', () => {
    it('appends defaults, then the body, under the largest ref plus one, and answers 200', async () => {
      const mocked = await open('usual')
      const made = { ...emptyRole, roleRef: 10, name: 'new' }
      expect(await mocked.ask('POST', '/v1/role', { name: 'new' })).toEqual({ status: 200, body: made })
      expect(await resultsOf(mocked, '/v1/role')).toEqual([...roles, made])
      expect(await mocked.ask('GET', '/v1/role/10')).toEqual({ status: 200, body: made })
    })

    it('gives 1 in an empty collection', async () => {
      const { ask } = await open('usual')
      expect((await ask('POST', '/v1/note', { text: 'x' })).body).toEqual({ noteRef: 1, text: 'x' })
    })

    it('gives a ref of its own, whatever the body says', async () => {
      const { ask } = await open('usual')
      expect((await ask('POST', '/v1/role', { roleRef: 3 })).body).toEqual({ ...emptyRole, roleRef: 10 })
      expect((await ask('POST', '/v1/role', { roleRef: 'x' })).body).toEqual({ ...emptyRole, roleRef: 11 })
    })

    it('shows in every collection', async () => {
      const mocked = await open('usual')
      const { body } = await mocked.ask('POST', '/v1/role', { name: 'new' })
      expect((await resultsOf(mocked, '/v1/application/2/role')).at(-1)).toEqual(body)
      expect((await resultsOf(mocked, '/v1/application/1/user/1/role')).at(-1)).toEqual(body)
    })
  })

  describe('PATCH of an item', () => {
    it('merges the body, keeps the place, and answers 200', async () => {
      const mocked = await open('usual')
      const changed = { ...(roles[1] as Role), name: 'inspector', more: true }
      const answer = await mocked.ask('PATCH', '/v1/role/9', { name: 'inspector', more: true })
      expect(answer).toEqual({ status: 200, body: changed })
      expect(await resultsOf(mocked, '/v1/role')).toEqual([roles[0], changed, roles[2]])
    })

    it('never changes the ref', async () => {
      const { ask } = await open('usual')
      expect((await ask('PATCH', '/v1/role/9', { roleRef: 1 })).body).toEqual(roles[1])
      expect((await ask('GET', '/v1/role/1')).status).toBe(404)
    })

    it.each(['4', 'x'])('that is absent (%s) answers 404 and null', async (ref) => {
      const mocked = await open('usual')
      expect(await mocked.ask('PATCH', `/v1/role/${ref}`, { name: 'x' })).toEqual({ status: 404, body: null })
      expect(await resultsOf(mocked, '/v1/role')).toEqual(roles)
    })
  })

  describe('DELETE of an item', () => {
    it('removes it, and answers 200 and null', async () => {
      const mocked = await open('usual')
      expect(await mocked.ask('DELETE', '/v1/role/9')).toEqual({ status: 200, body: null })
      expect(await resultsOf(mocked, '/v1/role')).toEqual([roles[0], roles[2]])
      expect(await resultsOf(mocked, '/v1/application/2/role')).toEqual([roles[0], roles[2]])
    })

    it.each(['4', 'x'])('that is absent (%s) answers 404 and null', async (ref) => {
      const mocked = await open('usual')
      expect(await mocked.ask('DELETE', `/v1/role/${ref}`)).toEqual({ status: 404, body: null })
      expect(await resultsOf(mocked, '/v1/role')).toEqual(roles)
    })

    it('is done once', async () => {
      const { ask } = await open('usual')
      await ask('DELETE', '/v1/role/3')
      expect(await ask('DELETE', '/v1/role/3')).toEqual({ status: 404, body: null })
    })
  })

  describe('a change on a path deeper than one item', () => {
    const deep = ['role/3/action/2', 'role/3/action', 'application/1/user/1', 'user/1/password', 'note/1/a/b/c/role/3']
    it.each(deep)('changes nothing at %s, named or not, and answers 200 and null', async (path) => {
      for (const setup of ['usual', 'anywhere'] as const) {
        const mocked = await open(setup)
        for (const method of changing) {
          const answer = await mocked.ask(method, `/v1/${path}`, method === 'DELETE' ? undefined : { name: 'x' })
          expect(answer, method).toEqual({ status: 200, body: null })
        }
        expect(await resultsOf(mocked, '/v1/role')).toEqual(roles)
        expect(await resultsOf(mocked, '/v1/action')).toEqual(actions)
        expect(await resultsOf(mocked, '/v1/user')).toEqual(users)
      }
    })

    it('is none of ours where the parent is no collection', async () => {
      const { ask } = await open('anywhere')
      expect((await ask('DELETE', '/v1/department/3/role/9')).status).toBe(501)
      expect((await ask('GET', '/v1/department/3/role')).status).toBe(501)
      expect((await ask('GET', '/v1/role/9')).body).toEqual(roles[1])
    })
  })

  describe('a type and those that derive from it', () => {
    it('have one source, and give the widest record unchanged', async () => {
      const mocked = await open('usual')
      for (const name of ['user', 'user-summary', 'user-detail']) {
        expect(await resultsOf(mocked, `/v1/${name}`)).toEqual(users)
      }
      const { body } = await mocked.ask('PATCH', '/v1/user/2', { email: 'new@example.com' })
      expect(await resultsOf(mocked, '/v1/user-summary')).toEqual([users[0], body])
      expect(await mocked.ask('GET', '/v1/user-detail/2')).toEqual({ status: 200, body })
    })
  })

  describe('what the rules do not list', () => {
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
    ])('is not answered: %s %s', async (method, path) => {
      const { ask } = await open('usual')
      expect((await ask(method, path, method === 'GET' ? undefined : {})).status).toBe(501)
    })
  })

  it('a reset gives back the data of the start', async () => {
    const mocked = await open('usual')
    await mocked.ask('POST', '/v1/role', {})
    await mocked.ask('PATCH', '/v1/role/3', { name: 'x' })
    await mocked.ask('DELETE', '/v1/role/9')
    await mocked.reset()
    expect(await resultsOf(mocked, '/v1/role')).toEqual(roles)
  })
}
