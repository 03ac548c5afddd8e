// Links: two records that belong together, as a URL of their own.
import { describe, expect, it } from 'vitest'
import { type Action, type Role, sampleOf } from './record.ts'
import { allowed, expectProblem, openedEach } from './service.ts'

const { get, post, put, patch, del, send, all } = openedEach()
const sample = sampleOf()
const { roles, actions, userRoles, roleActions } = sample

const heldBy1 = new Set(userRoles.filter(([user]) => user === 1).map(([, role]) => role))
const held = [...heldBy1][0] as number
const unheld = roles.find(({ roleRef }) => !heldBy1.has(roleRef))?.roleRef as number
const allowedBy1 = new Set(roleActions.filter(([role]) => role === 1).map(([, action]) => action))
const linked = [...allowedBy1][0] as number
const free = actions.find(({ actionRef, applicationRef }) => applicationRef === 1 && !allowedBy1.has(actionRef))
  ?.actionRef as number
const foreign = actions.find(({ applicationRef }) => applicationRef === 2)?.actionRef as number

const rolesOf1 = async () => (await all<Role>('/v1/user/1/role')).map(({ roleRef }) => roleRef)
const actionsOf1 = async () => (await all<Action>('/v1/role/1/action')).map(({ actionRef }) => actionRef)

describe('a link', () => {
  it('decision link: PUT links two records and answers the linked one', async () => {
    const { status, body } = await put(`/v1/user/1/role/${unheld}`)
    expect([status, body]).toEqual([200, roles[unheld - 1]])
    expect(await rolesOf1()).toContain(unheld)
    const action = await put(`/v1/role/1/action/${free}`)
    expect([action.status, action.body]).toEqual([200, actions[free - 1]])
    expect(await actionsOf1()).toContain(free)
  })

  it('decision link: PUT again is 200 and links once', async () => {
    await put(`/v1/user/1/role/${unheld}`)
    const before = await rolesOf1()
    const { status, body } = await put(`/v1/user/1/role/${unheld}`)
    expect([status, body]).toEqual([200, roles[unheld - 1]])
    expect(await rolesOf1()).toEqual(before)
    expect((await put(`/v1/user/1/role/${held}`)).status).toBe(200)
    expect(before.length).toBe(heldBy1.size + 1)
  })

  it('decision link: DELETE unlinks and answers the record, which stays', async () => {
    const { status, body } = await del(`/v1/user/1/role/${held}`)
    expect([status, body]).toEqual([200, roles[held - 1]])
    expect(await rolesOf1()).not.toContain(held)
    expect((await get(`/v1/role/${held}`)).status).toBe(200)
    expect((await get(`/v1/user/1/role/${held}`)).status).toBe(404)
  })

  it('decision link: DELETE of what is not linked is 404', async () => {
    expectProblem(await del(`/v1/user/1/role/${unheld}`), 'record-not-found')
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

  it('decision link: a role takes actions of its own application only', async () => {
    expectProblem(await put(`/v1/role/1/action/${foreign}`), 'rule-broken', 'applicationRef')
    expect(await actionsOf1()).toEqual([...allowedBy1])
  })

  it('decision link: a link changes neither of its records', async () => {
    const [user, role] = [await get('/v1/user/1'), await get(`/v1/role/${unheld}`)]
    const { headers } = await put(`/v1/user/1/role/${unheld}`)
    expect(headers.etag).toBe(role.headers.etag)
    for (const [url, before] of [
      ['/v1/user/1', user],
      [`/v1/role/${unheld}`, role],
    ] as const) {
      const now = await get(url)
      expect([now.body, now.headers.etag]).toEqual([before.body, before.headers.etag])
    }
  })

  it('decision link: a body is not needed, and not read', async () => {
    const json = { 'content-type': 'application/json' }
    expect((await send('PUT', `/v1/user/1/role/${unheld}`, '{}', json)).status).toBe(200)
    expect((await send('DELETE', `/v1/user/1/role/${unheld}`, '{"roleRef":1}', json)).status).toBe(200)
    expect((await send('PUT', `/v1/user/1/role/${unheld}`, undefined, json)).status).toBe(200)
  })

  it('decision link: a link shows in every list that follows it', async () => {
    const made = (await post<Role>('/v1/role', { applicationRef: 6, name: 'Guest', description: '' })).body
    const action = actions.find(({ applicationRef }) => applicationRef === 6)?.actionRef
    const outsider = (
      await post<{ id: number }>('/user', { firstName: 'A', lastName: 'B', email: 'a@example.com', department: 1 })
    ).body.id
    expect((await get(`/v1/application/6/user/${outsider}`)).status).toBe(404)
    await put(`/v1/user/${outsider}/role/${made.roleRef}`)
    expect((await get(`/v1/application/6/user/${outsider}`)).status).toBe(200)
    expect(await all(`/v1/application/6/user/${outsider}/role`)).toEqual([made])
    expect(await all(`/v1/application/6/user/${outsider}/action`)).toEqual([])
    await put(`/v1/role/${made.roleRef}/action/${action}`)
    const now = await all<Action>(`/v1/application/6/user/${outsider}/action`)
    expect(now.map(({ actionRef }) => actionRef)).toEqual([action])
    await del(`/v1/user/${outsider}/role/${made.roleRef}`)
    expect((await get(`/v1/application/6/user/${outsider}/action`)).status).toBe(404)
  })

  it('decision link: a link is read, made and removed at its URL, and nothing else', async () => {
    for (const url of ['/v1/user/1/role/1', '/v1/role/1/action/1']) {
      const answer = await patch(url, { name: 'x' })
      expectProblem(answer, 'method-not-allowed', 'PATCH')
      expect(allowed(answer)).toEqual(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PUT'])
    }
    const answer = await post('/v1/user/1/role', { roleRef: 1 })
    expectProblem(answer, 'method-not-allowed', 'POST')
  })
})
