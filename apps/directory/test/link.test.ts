// Links between two records, each with its own URL.
import { describe, expect, it } from 'vitest'
import { type Action, type Role, sampleOf } from './record.ts'
import { allowedMethods, expectProblem, openEach } from './service.ts'

const { get, post, put, patch, del, send, listAll } = openEach()
const sample = sampleOf()
const { roles, actions, userRoles, roleActions } = sample

const rolesOfUser1 = new Set(userRoles.filter(([user]) => user === 1).map(([, role]) => role))
const linkedRole = [...rolesOfUser1][0] as number
const freeRole = roles.find(({ roleRef }) => !rolesOfUser1.has(roleRef))?.roleRef as number
const allowedBy1 = new Set(roleActions.filter(([role]) => role === 1).map(([, action]) => action))
const linked = [...allowedBy1][0] as number
const free = actions.find(({ actionRef, applicationRef }) => applicationRef === 1 && !allowedBy1.has(actionRef))
  ?.actionRef as number
const foreign = actions.find(({ applicationRef }) => applicationRef === 2)?.actionRef as number

const rolesOf1 = async () => (await listAll<Role>('/v1/user/1/role')).map(({ roleRef }) => roleRef)
const actionsOf1 = async () => (await listAll<Action>('/v1/role/1/action')).map(({ actionRef }) => actionRef)

describe('a link', () => {
  it('decision link: PUT links two records and responds with the linked one', async () => {
    const { status, body } = await put(`/v1/user/1/role/${freeRole}`)
    expect([status, body]).toEqual([200, roles[freeRole - 1]])
    expect(await rolesOf1()).toContain(freeRole)
    const action = await put(`/v1/role/1/action/${free}`)
    expect([action.status, action.body]).toEqual([200, actions[free - 1]])
    expect(await actionsOf1()).toContain(free)
  })

  it('decision link: a repeated PUT is 200 and does not add a second link', async () => {
    await put(`/v1/user/1/role/${freeRole}`)
    const before = await rolesOf1()
    const { status, body } = await put(`/v1/user/1/role/${freeRole}`)
    expect([status, body]).toEqual([200, roles[freeRole - 1]])
    expect(await rolesOf1()).toEqual(before)
    expect((await put(`/v1/user/1/role/${linkedRole}`)).status).toBe(200)
    expect(before.length).toBe(rolesOfUser1.size + 1)
  })

  it('decision link: DELETE removes the link and responds with the record, which remains', async () => {
    const { status, body } = await del(`/v1/user/1/role/${linkedRole}`)
    expect([status, body]).toEqual([200, roles[linkedRole - 1]])
    expect(await rolesOf1()).not.toContain(linkedRole)
    expect((await get(`/v1/role/${linkedRole}`)).status).toBe(200)
    expect((await get(`/v1/user/1/role/${linkedRole}`)).status).toBe(404)
  })

  it('decision link: DELETE of a missing link is 404', async () => {
    expectProblem(await del(`/v1/user/1/role/${freeRole}`), 'record-not-found')
    await del(`/v1/role/1/action/${linked}`)
    expectProblem(await del(`/v1/role/1/action/${linked}`), 'record-not-found')
    expectProblem(await del(`/v1/role/1/action/${foreign}`), 'record-not-found')
  })

  it('decision link: both records must exist', async () => {
    for (const url of [
      '/v1/user/9999/role/1',
      '/v1/user/1/role/9999',
      '/v1/role/9999/action/1',
      '/v1/role/1/action/9999',
    ]) {
      expectProblem(await put(url), 'record-not-found', '9999')
      expectProblem(await del(url), 'record-not-found', '9999')
    }
    expect((await put('/v1/user/1/role/one')).status).toBe(404)
  })

  it('decision link: a role accepts only actions of its own application', async () => {
    expectProblem(await put(`/v1/role/1/action/${foreign}`), 'rule-broken', 'applicationRef')
    expect(await actionsOf1()).toEqual([...allowedBy1])
  })

  it('decision link: a link changes neither of its records', async () => {
    const [user, role] = [await get('/v1/user/1'), await get(`/v1/role/${freeRole}`)]
    const { headers } = await put(`/v1/user/1/role/${freeRole}`)
    expect(headers.etag).toBe(role.headers.etag)
    for (const [url, before] of [
      ['/v1/user/1', user],
      [`/v1/role/${freeRole}`, role],
    ] as const) {
      const now = await get(url)
      expect([now.body, now.headers.etag]).toEqual([before.body, before.headers.etag])
    }
  })

  it('decision link: a body is not required, and is ignored', async () => {
    const json = { 'content-type': 'application/json' }
    expect((await send('PUT', `/v1/user/1/role/${freeRole}`, '{}', json)).status).toBe(200)
    expect((await send('DELETE', `/v1/user/1/role/${freeRole}`, '{"roleRef":1}', json)).status).toBe(200)
    expect((await send('PUT', `/v1/user/1/role/${freeRole}`, undefined, json)).status).toBe(200)
  })

  it('decision link: every list that follows a link contains the linked record', async () => {
    const created = (await post<Role>('/v1/role', { applicationRef: 6, name: 'Guest', description: '' })).body
    const action = actions.find(({ applicationRef }) => applicationRef === 6)?.actionRef
    const outsider = (
      await post<{ id: number }>('/user', { firstName: 'A', lastName: 'B', email: 'a@example.com', department: 1 })
    ).body.id
    expect((await get(`/v1/application/6/user/${outsider}`)).status).toBe(404)
    await put(`/v1/user/${outsider}/role/${created.roleRef}`)
    expect((await get(`/v1/application/6/user/${outsider}`)).status).toBe(200)
    expect(await listAll(`/v1/application/6/user/${outsider}/role`)).toEqual([created])
    expect(await listAll(`/v1/application/6/user/${outsider}/action`)).toEqual([])
    await put(`/v1/role/${created.roleRef}/action/${action}`)
    const now = await listAll<Action>(`/v1/application/6/user/${outsider}/action`)
    expect(now.map(({ actionRef }) => actionRef)).toEqual([action])
    await del(`/v1/user/${outsider}/role/${created.roleRef}`)
    expect((await get(`/v1/application/6/user/${outsider}/action`)).status).toBe(404)
  })

  it('decision link: the URL of a link supports only read, create and delete', async () => {
    for (const url of ['/v1/user/1/role/1', '/v1/role/1/action/1']) {
      const response = await patch(url, { name: 'x' })
      expectProblem(response, 'method-not-allowed', 'PATCH')
      expect(allowedMethods(response)).toEqual(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PUT'])
    }
    const response = await post('/v1/user/1/role', { roleRef: 1 })
    expectProblem(response, 'method-not-allowed', 'POST')
  })
})
