// DELETE: responses, repeated deletes, and effects on related records.
import { describe, expect, it } from 'vitest'
import { type AccessUser, newUser, type Preference, sampleOf, type User, type UserItem } from './record.ts'
import { allowedMethods, expectProblem, openEach } from './service.ts'

const { get, post, put, patch, del, listAll } = openEach()
const sample = sampleOf()

describe('DELETE', () => {
  it('spec 4.4 delete rule 1: DELETE returns 200 with the deleted record', async () => {
    const { body: before } = await get<User>('/user/7')
    const { status, body } = await del('/user/7')
    expect([status, body]).toEqual([200, before])
    expectProblem(await get('/user/7'), 'record-not-found', '7')
    expect((await listAll<UserItem>('/user')).map(({ id }) => id)).not.toContain(7)
  })

  it('spec 4.1: DELETE /user/{id} needs no body and returns 200', async () => {
    expect((await del('/user/20')).status).toBe(200)
    expect((await listAll('/user')).length).toBe(19)
  })

  it('spec 4.4 delete rule 2: DELETE again is 404, on every path', async () => {
    const role = await post<{ roleRef: number }>('/v1/role', { applicationRef: 1, name: 'x', description: '' })
    const action = await post<{ actionRef: number }>('/v1/action', { applicationRef: 1, name: 'x', description: '' })
    const guid = '3f0e0e3e-8f0c-4d3c-9a53-0d5e1a5f6b7c'
    const application = await post<{ applicationRef: number }>('/v1/application', { guid, name: 'x', description: '' })
    for (const url of [
      '/user/7',
      '/user/1/preference/1',
      '/department/13',
      `/v1/role/${role.body.roleRef}`,
      `/v1/action/${action.body.actionRef}`,
      `/v1/application/${application.body.applicationRef}`,
      '/v1/role/1/action/1',
      '/v1/user/1/role/1',
    ]) {
      expect((await del(url)).status, url).toBe(200)
      expect((await del(url)).status, url).toBe(404)
      expect((await del(url)).status, url).toBe(404)
    }
  })

  it('spec 7: DELETE of a record that never existed is 404', async () => {
    for (const url of [
      '/user/9999',
      '/user/one',
      '/department/9999',
      '/v1/role/9999',
      '/user/1/preference/9999',
      '/user/9999/preference/1',
    ]) {
      expect((await del(url)).status, url).toBe(404)
    }
  })

  it('decision directory: the v1 api offers no DELETE of users', async () => {
    const response = await del('/v1/user/1')
    expectProblem(response, 'method-not-allowed', 'DELETE')
    expect(allowedMethods(response)).toEqual(['GET', 'HEAD', 'OPTIONS', 'PATCH', 'PUT'])
    expect((await get('/v1/user/1')).status).toBe(200)
  })
})

describe('related records', () => {
  it('decision delete: the preferences of a user are deleted with the user', async () => {
    const [first] = (await get<Preference[]>('/user/1/preference')).body
    expect(first).toBeDefined()
    await del('/user/1')
    expect((await get('/user/1/preference')).status).toBe(404)
    expect((await get(`/user/1/preference/${first?.id}`)).status).toBe(404)
  })

  it('decision delete: the roles of a deleted user are unlinked but not deleted', async () => {
    const roleRefs = sample.userRoles.filter(([user]) => user === 1).map(([, role]) => role)
    expect(roleRefs.length).toBeGreaterThan(0)
    const roles = await listAll('/v1/role')
    await del('/user/1')
    expect(await listAll('/v1/role')).toEqual(roles)
    expect((await listAll<UserItem>('/v1/application/1/user')).map(({ id }) => id)).not.toContain(1)
    expect((await get('/v1/user/1/role')).status).toBe(404)
  })

  it('decision delete: deleting a supervisor clears the references, which counts as a change', async () => {
    const led = sample.users.filter(({ supervisor }) => supervisor === 2).map(({ id }) => id)
    expect(led.length).toBeGreaterThan(0)
    const before = await Promise.all(led.map((id) => get<User>(`/user/${id}`)))
    await del('/user/2')
    for (const { body: old, headers } of before) {
      const now = await get<User>(`/user/${old.id}`)
      expect(now.body).toEqual({ ...old, supervisor: null, lastUpdated: now.body.lastUpdated })
      expect(now.body.lastUpdated > old.lastUpdated).toBe(true)
      expect(now.headers.etag).not.toBe(headers.etag)
    }
  })

  it('decision delete: createdBy and updatedBy are cleared only if they reference the deleted user', async () => {
    const before = await Promise.all(
      sample.users.filter(({ id }) => id !== 3).map(({ id }) => get<AccessUser>(`/v1/user/${id}`)),
    )
    const touched = before.filter(({ body }) => body.createdBy === 3 || body.updatedBy === 3)
    expect(touched.length).toBeGreaterThan(0)
    await del('/user/3')
    for (const { body: old, headers } of before) {
      const now = await get<AccessUser>(`/v1/user/${old.id}`)
      const cleared = (by: number | null) => (by === 3 ? null : by)
      expect(now.body).toMatchObject({ createdBy: cleared(old.createdBy), updatedBy: cleared(old.updatedBy) })
      const isLed = sample.users[old.id - 1]?.supervisor === 3
      const isTouched = isLed || old.createdBy === 3 || old.updatedBy === 3
      expect(now.headers.etag === headers.etag, `user ${old.id}`).toBe(!isTouched)
      expect(now.body.updatedDate === old.updatedDate, `user ${old.id}`).toBe(!isTouched)
    }
  })

  it('decision user-rule: a department can be deleted only without users', async () => {
    const { body: before } = await get('/department/1')
    expectProblem(await del('/department/1'), 'still-referenced', 'user')
    expect((await get('/department/1')).body).toEqual(before)
    const { status, body } = await del('/department/13')
    expect([status, body]).toEqual([200, { id: 13, name: 'Telex Room', retired: true }])
  })

  it('decision delete: an application can be deleted only without roles and actions', async () => {
    expectProblem(await del('/v1/application/1'), 'still-referenced')
    const guid = '3f0e0e3e-8f0c-4d3c-9a53-0d5e1a5f6b7c'
    const { body } = await post<{ applicationRef: number }>('/v1/application', { guid, name: 'Chess', description: '' })
    const url = `/v1/application/${body.applicationRef}`
    const action = await post<{ actionRef: number }>('/v1/action', {
      ...body,
      guid: undefined,
      name: 'move',
      description: '',
    })
    expectProblem(await del(url), 'still-referenced', 'action')
    await del(`/v1/action/${action.body.actionRef}`)
    expect((await del(url)).status).toBe(200)
  })

  it('decision delete: the links of a role are deleted with it, but not its users and actions', async () => {
    const users = await listAll('/user')
    const actions = await listAll('/v1/action')
    expect((await del('/v1/role/1')).status).toBe(200)
    expect(await listAll('/user')).toEqual(users)
    expect(await listAll('/v1/action')).toEqual(actions)
    const links = await listAll<{ roleRef: number }>('/v1/user/1/role')
    expect(links.map(({ roleRef }) => roleRef)).not.toContain(1)
  })

  it('decision delete: the links of an action are deleted with it', async () => {
    expect((await listAll<{ actionRef: number }>('/v1/role/1/action')).map(({ actionRef }) => actionRef)).toContain(1)
    expect((await del('/v1/action/1')).status).toBe(200)
    expect((await listAll<{ actionRef: number }>('/v1/role/1/action')).map(({ actionRef }) => actionRef)).not.toContain(
      1,
    )
  })

  it('decision delete: a rejected delete changes nothing', async () => {
    const before = [await listAll('/user-detail'), await listAll('/department?retired=true&retired=false')]
    await del('/department/8')
    expect([await listAll('/user-detail'), await listAll('/department?retired=true&retired=false')]).toEqual(before)
  })

  it('decision delete: a deleted record can be created again, with a new ID', async () => {
    const { body: before } = await get<User>('/user/20')
    await del('/user/20')
    const { status, body } = await post<User>('/user', { ...newUser(), email: before.email })
    expect([status, body.id]).toEqual([201, 21])
  })

  it('decision delete: a deleted record cannot be changed or linked', async () => {
    await del('/user/7')
    expect((await patch('/user/7', { lastName: 'x' })).status).toBe(404)
    expect((await post('/user/7/preference', { type: 'x', enabled: true })).status).toBe(404)
    expect((await put('/v1/user/7/role/1')).status).toBe(404)
    expectProblem(await patch('/user/8', { supervisor: 7 }), 'reference-not-found', '7')
  })
})
