// Nesting: records below their parents at any depth, and their relations.
import { api, identity, noun, reference, resource } from '@nomen/core'
import { describe, expect, it } from 'vitest'
import { only, type Preference, type Role, sampleOf, shapes } from './record.ts'
import { allowedMethods, expectProblem, openEach, openOnce } from './service.ts'

const size = 40
const sample = sampleOf(size)
const { users, roles, actions, applications, userRoles, roleActions } = sample

const hasRole = (user: number, role: number) => userRoles.some(([u, r]) => u === user && r === role)
const allows = (role: number, action: number) => roleActions.some(([r, a]) => r === role && a === action)
const rolesOf = (user: number) => roles.filter(({ roleRef }) => hasRole(user, roleRef))
const rolesIn = (application: number) => roles.filter(({ applicationRef }) => applicationRef === application)
const isMember = (user: number, application: number) =>
  rolesIn(application).some(({ roleRef }) => hasRole(user, roleRef))
const refs = applications.map(({ applicationRef }) => applicationRef)

describe('reads below a parent', () => {
  const { get, listAll } = openOnce(size)

  it('spec 4.2: /{parent}/{parentRef}/{child} lists the children of the parent', async () => {
    for (const ref of refs) expect(await listAll(`/v1/application/${ref}/role`)).toEqual(rolesIn(ref))
    for (const user of users.slice(0, 10)) expect(await listAll(`/v1/user/${user.id}/role`)).toEqual(rolesOf(user.id))
    for (const { roleRef } of roles.slice(0, 10)) {
      expect(await listAll(`/v1/role/${roleRef}/action`)).toEqual(
        actions.filter(({ actionRef }) => allows(roleRef, actionRef)),
      )
    }
  })

  it('decision directory: a user is in an application if the user has one of its roles', async () => {
    for (const ref of refs) {
      const members = users.filter(({ id }) => isMember(id, ref))
      expect(members.length).toBeGreaterThan(0)
      expect(members.length).toBeLessThan(size)
      expect(await listAll(`/v1/application/${ref}/user`)).toEqual(
        members.map((user) => only(user, shapes.accessUserItem)),
      )
    }
  })

  it('spec 4.1: nesting goes deeper: /application/{applicationRef}/user/{userRef}/role', async () => {
    for (const ref of refs) {
      for (const { id } of users.filter((user) => isMember(user.id, ref))) {
        const expected = rolesIn(ref).filter(({ roleRef }) => hasRole(id, roleRef))
        expect(await listAll(`/v1/application/${ref}/user/${id}/role`)).toEqual(expected)
      }
    }
  })

  it('decision directory: …/user/{userRef}/action lists the actions that the roles of the user allow in the application', async () => {
    for (const ref of refs) {
      for (const { id } of users.filter((user) => isMember(user.id, ref))) {
        const userRolesInApplication = rolesIn(ref).filter(({ roleRef }) => hasRole(id, roleRef))
        const expected = actions.filter(({ actionRef }) =>
          userRolesInApplication.some(({ roleRef }) => allows(roleRef, actionRef)),
        )
        expect(await listAll(`/v1/application/${ref}/user/${id}/action`)).toEqual(expected)
      }
    }
  })

  it('decision nesting: …/role/{roleRef}/action lists the actions that the role allows', async () => {
    for (const { roleRef, applicationRef } of roles) {
      const expected = actions.filter(({ actionRef }) => allows(roleRef, actionRef))
      expect(await listAll(`/v1/application/${applicationRef}/role/${roleRef}/action`)).toEqual(expected)
    }
  })

  it('decision nesting: a record that is related in two ways is in a list only once', async () => {
    const roleRefs = rolesIn(1).map(({ roleRef }) => roleRef)
    const twice = users.find(({ id }) => roleRefs.filter((role) => hasRole(id, role)).length > 1)
    const shared = actions.find(({ actionRef }) => roleRefs.filter((role) => allows(role, actionRef)).length > 1)
    expect(shared).toBeDefined()
    const members = await listAll<{ id: number }>('/v1/application/1/user')
    expect(new Set(members.map(({ id }) => id)).size).toBe(members.length)
    if (twice) expect(members.filter(({ id }) => id === twice.id).length).toBe(1)
  })

  it('decision nesting: a missing ancestor is 404', async () => {
    for (const url of [
      '/user/9999/preference',
      '/v1/user/9999/role',
      '/v1/role/9999/action',
      '/v1/application/9999/role',
      '/v1/application/9999/user',
      '/v1/application/9999/user/1/role',
      '/v1/application/1/user/9999/role',
      '/v1/application/1/user/9999/action',
      '/v1/application/1/role/9999/action',
    ]) {
      expectProblem(await get(url), 'record-not-found', '9999')
    }
  })

  it('decision nesting: an ancestor that is not related to its own ancestors is 404', async () => {
    const outsider = users.find(({ id }) => !isMember(id, 1))?.id
    const foreign = roles.find(({ applicationRef }) => applicationRef !== 1)?.roleRef
    for (const url of [
      `/v1/application/1/user/${outsider}`,
      `/v1/application/1/user/${outsider}/role`,
      `/v1/application/1/user/${outsider}/action`,
      `/v1/application/1/role/${foreign}`,
      `/v1/application/1/role/${foreign}/action`,
    ]) {
      expectProblem(await get(url), 'record-not-found')
    }
  })

  it('decision nesting: a nested record can be read on its own, in its complete shape', async () => {
    for (const [nested, root] of [
      ['/v1/application/1/role/1', '/v1/role/1'],
      ['/v1/application/1/user/1', '/v1/user/1'],
      ['/v1/user/1/role/1', '/v1/role/1'],
      ['/v1/role/1/action/1', '/v1/action/1'],
      ['/v1/application/1/role/1/action/1', '/v1/action/1'],
      ['/v1/application/1/user/1/role/1', '/v1/role/1'],
      ['/v1/application/1/user/1/action/1', '/v1/action/1'],
    ] as const) {
      const { status, body } = await get(nested)
      expect([status, body], nested).toEqual([200, (await get(root)).body])
    }
  })

  it('decision nesting: a record that is not related to every ancestor is 404', async () => {
    const unheld = rolesIn(1).find(({ roleRef }) => !hasRole(1, roleRef))?.roleRef
    const foreign = rolesOf(1).find(({ applicationRef }) => applicationRef !== 1)?.roleRef
    expect((await get(`/v1/user/1/role/${unheld}`)).status).toBe(404)
    expect((await get(`/v1/application/1/user/1/role/${unheld}`)).status).toBe(404)
    if (foreign !== undefined) expect((await get(`/v1/application/1/user/1/role/${foreign}`)).status).toBe(404)
    const otherUser =
      (await get<Preference[]>('/user/2/preference')).body[0]?.id ??
      sample.preferences.find(({ user }) => user !== 1)?.id
    expect((await get(`/user/1/preference/${otherUser}`)).status).toBe(404)
  })

  it('decision nesting: a nested list supports filters, sort, include and pages', async () => {
    const ownRoles = rolesIn(1)
    const byName = [...ownRoles].sort((a, b) => Buffer.compare(Buffer.from(b.name), Buffer.from(a.name)))
    expect(await listAll('/v1/application/1/role?sort=-name')).toEqual(byName)
    const [first, second] = ownRoles
    expect(await listAll(`/v1/application/1/role?name=${second?.name}&include=${first?.roleRef}`)).toEqual([
      first,
      second,
    ])
    const { body } = await get<{ pageInfo: object; results: Role[] }>('/v1/application/1/role?pageSize=2&pageNumber=2')
    expect(body.pageInfo).toMatchObject({
      numberOfRecords: ownRoles.length,
      numberOfPages: Math.ceil(ownRoles.length / 2),
    })
    expect(body.results).toEqual(ownRoles.slice(2, 4))
  })
})

describe('writes', () => {
  const { get, post, put, patch, del, listAll } = openEach()

  it('spec 4.2 rule 1: the nested form changes a child below its parent only', async () => {
    const created = await post<Preference>('/user/3/preference', { type: 'sound', value: 'loud' })
    const url = `/user/3/preference/${created.body.id}`
    expect((await patch<Preference>(url, { value: 'low' })).body.value).toBe('low')
    expect((await put<Preference>(url, { type: 'sound', enabled: null, value: 'off' })).body.value).toBe('off')
    expect((await del(url)).body).toEqual({ id: created.body.id, type: 'sound', enabled: null, value: 'off' })
    for (const flat of ['/preference', '/preference/1'])
      expectProblem(await patch(flat, { value: 'x' }), 'path-not-found')
  })

  it('spec 4.2 rule 1: the flat form changes a child at the root, with the parent in the body', async () => {
    const created = await post<Role>('/v1/role', { applicationRef: 2, name: 'Guest', description: '' })
    expect(created.body).toMatchObject({ applicationRef: 2, name: 'Guest' })
    const url = `/v1/role/${created.body.roleRef}`
    expect((await put<Role>(url, { applicationRef: 3, name: 'Guest', description: 'x' })).body.applicationRef).toBe(3)
    expect((await del(url)).status).toBe(200)
    expectProblem(await post('/v1/role', { name: 'Guest', description: '' }), 'invalid-body', 'applicationRef')
  })

  it('spec 4.2 rule 1: the flat form is not offered below a parent', async () => {
    const responses = [
      await post('/v1/application/1/role', { name: 'x', description: '' }),
      await patch('/v1/application/1/role/1', { name: 'x' }),
      await put('/v1/application/1/role/1', { applicationRef: 1, name: 'x', description: '' }),
      await del('/v1/application/1/role/1'),
      await put('/v1/application/1/user/1/role/1'),
      await del('/v1/application/1/user/1/role/1'),
    ]
    for (const response of responses) {
      expectProblem(response, 'method-not-allowed')
      expect(allowedMethods(response)).toEqual(['GET', 'HEAD', 'OPTIONS'])
    }
  })

  it.each(['role', 'action', 'application'])(
    'spec 4.2: PUT, PATCH and DELETE act on a globally unique record at its root: %s',
    async (noun) => {
      const guid = '3f0e0e3e-8f0c-4d3c-9a53-0d5e1a5f6b7c'
      const record =
        noun === 'application'
          ? { guid, name: 'x', description: '' }
          : { applicationRef: 1, name: 'x', description: '' }
      const created = await post<Record<string, unknown>>(`/v1/${noun}`, record)
      const url = `/v1/${noun}/${created.body[`${noun}Ref`]}`
      expect((await put(url, { ...record, name: 'y' })).body).toEqual({ ...created.body, name: 'y' })
      expect((await patch(url, { name: 'z' })).body).toEqual({ ...created.body, name: 'z' })
      expect((await del(url)).body).toEqual({ ...created.body, name: 'z' })
      expect((await get(url)).status).toBe(404)
    },
  )

  it('spec 4.2: in the nested form identifiers in the body must equal those of the path', async () => {
    const preference = { type: 'sound', enabled: true, value: null }
    const created = await post<Preference>('/user/3/preference', preference)
    const url = `/user/3/preference/${created.body.id}`
    expect((await put(url, { id: created.body.id, user: 3, ...preference })).status).toBe(200)
    expectProblem(await put(url, { id: created.body.id + 1, ...preference }), 'identity-mismatch')
    expectProblem(await put(url, { user: 4, ...preference }), 'identity-mismatch')
  })

  it('decision nesting: a child cannot be changed below another parent', async () => {
    const created = await post<Preference>('/user/3/preference', { type: 'sound', value: 'loud' })
    const elsewhere = `/user/4/preference/${created.body.id}`
    expectProblem(await patch(elsewhere, { value: 'x' }), 'record-not-found')
    expectProblem(await put(elsewhere, { type: 'sound', enabled: null, value: 'x' }), 'record-not-found')
    expectProblem(await del(elsewhere), 'record-not-found')
    expect((await get(`/user/3/preference/${created.body.id}`)).body).toEqual(created.body)
  })

  it('spec 1: records are listed, read, updated and deleted, and own sub-resources', async () => {
    const created = await post<{ id: number }>('/user', {
      firstName: 'A',
      lastName: 'B',
      email: 'a.b@example.com',
      department: 1,
    })
    const url = `/user/${created.body.id}`
    expect((await listAll<{ id: number }>('/user')).at(-1)?.id).toBe(created.body.id)
    expect((await post(`${url}/preference`, { type: 'sound', enabled: true })).status).toBe(201)
    expect((await get<unknown[]>(`${url}/preference`)).body.length).toBe(1)
    expect((await patch(url, { lastName: 'C' })).status).toBe(200)
    expect((await del(url)).body).toMatchObject({ lastName: 'C' })
    expect((await get(`${url}/preference`)).status).toBe(404)
  })

  it('spec 4.2 rule 1: an api that would change a noun in both forms is rejected', () => {
    const box = noun('box', { id: identity() })
    const item = noun('item', { id: identity(), box: reference(() => box) })
    const bothForms = () =>
      api('boxes', {
        versioning: 'per-noun',
        writes: 'nested',
        resources: [resource(box, { children: [resource(item)] }), resource(item)],
      })
    expect(bothForms).toThrow('a noun must have one path for writes')
  })
})
