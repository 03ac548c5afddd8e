import { api, identity, noun, problems, reference, resource } from '@nomen/core'
import { type Caller, service, type Visibility, visible } from '@nomen/server'
import { documentsOf } from '@nomen/server/internal'
import { testDatabase } from '@nomen/testing/test-database'
import { describe, expect, it, onTestFinished } from 'vitest'
import { callerOf, openCallerClient } from './visible/caller-client.ts'
import {
  ada,
  badge,
  everyone,
  guids,
  isRoot,
  listed,
  member,
  openClient,
  removeSharedDatabase,
  sample,
  skill,
  staffWith,
  team,
} from './visible/staff.ts'

removeSharedDatabase()

describe('a hidden record', () => {
  const team2 = visible(member, (caller) => isRoot(caller) || { team: 2 })

  it('is shown by its identity if a list shows labels', async () => {
    const at = await openClient([team2, visible(team, () => ({ isOpen: true }))])
    await at.send(everyone, { method: 'PATCH', url: '/member/3', body: { mentor: 2 } })
    const { body } = await at.send(ada, { method: 'GET', url: '/member-detail?id=3&id=5&id=1' })
    expect(body.results).toMatchObject([
      { id: 1, team: '2', mentor: null },
      { id: 3, team: '2', mentor: '2' },
      { id: 5, team: '2', mentor: 'P3' },
    ])
  })

  it('cannot be referenced, like a missing record', async () => {
    const at = await openClient([team2])
    const point = (mentor: number) => at.send(ada, { method: 'PATCH', url: '/member/5', body: { mentor } })
    const [hidden, missing] = [await point(2), await point(77)]
    expect(hidden.status).toBe(422)
    expect(hidden.text.replaceAll('2 ', '77 ')).toBe(missing.text.replaceAll('2 ', '77 '))
    const more = { name: 'N', email: 'n@example.com', grade: 'JUNIOR', team: 2 }
    const created = await at.send(ada, { method: 'POST', url: '/member', body: { ...more, mentor: 2 } })
    expect(created.body).toMatchObject({ status: 422, code: 'reference-not-found' })
  })

  it('cannot be linked with a condition either', async () => {
    const at = await openClient([visible(skill, (caller) => isRoot(caller) || { name: ['S1', 'S2'] })])
    const linked = async (caller: Caller, method: string, id: number, headers: Record<string, string>) => {
      const { status, body } = await at.send(caller, { method, url: `/badge/${guids[0]}/skill/${id}`, headers })
      return status === 200 ? body.id : body.code
    }
    const tag = `"${(await at.send(ada, { method: 'GET', url: `/badge/${guids[0]}/skill/1` })).tag}"`
    expect(await linked(ada, 'PUT', 1, { 'if-match': tag })).toBe(1)
    expect(await linked(ada, 'DELETE', 1, { 'if-match': tag })).toBe(1)
    expect(await linked(ada, 'PUT', 1, { 'if-match': tag })).toBe('precondition-failed')
    expect(await linked(ada, 'PUT', 1, { 'if-none-match': '*' })).toBe(1)
    for (const method of ['PUT', 'DELETE'])
      for (const header of ['if-match', 'if-none-match'])
        expect(await linked(ada, method, 3, { [header]: '*' }), `${method} ${header}`).toBe('record-not-found')
    expect(await linked(everyone, 'DELETE', 3, { 'if-match': '*' })).toBe(3)
  })

  it('may remain the target of a reference, and the reference can be cleared', async () => {
    const at = await openClient([team2])
    await at.send(everyone, { method: 'PATCH', url: '/member/3', body: { mentor: 2 } })
    const { body } = await at.send(ada, { method: 'GET', url: '/member/3' })
    expect(body.mentor).toBe(2)
    const again = await at.send(ada, { method: 'PUT', url: '/member/3', body: { ...body, name: 'New' } })
    expect(again.body).toMatchObject({ name: 'New', mentor: 2 })
    const conflict = await at.send(ada, { method: 'PUT', url: '/member/3', body: { ...body, email: 'p5@example.com' } })
    expect(conflict.body).toMatchObject({ status: 409, code: 'value-taken' })
    const cleared = await at.send(ada, { method: 'PATCH', url: '/member/3', body: { mentor: null } })
    expect(cleared.body.mentor).toBeNull()
  })

  it('causes a conflict without being revealed', async () => {
    const at = await openClient([team2])
    const more = { name: 'N', grade: 'JUNIOR', team: 2 }
    const conflict = async (email: string) =>
      (await at.send(ada, { method: 'POST', url: '/member', body: { ...more, email } })).text
    expect(await conflict('p2@example.com')).toBe((await conflict('p3@example.com')).replaceAll('p3@', 'p2@'))
  })

  it('cannot be created, and no change can hide a record', async () => {
    const at = await openClient([team2])
    const body = { name: 'N', email: 'n@example.com', grade: 'JUNIOR', team: 1 }
    const created = await at.send(ada, { method: 'POST', url: '/member', body })
    expect(created.body).toMatchObject({
      status: 403,
      code: 'out-of-sight',
      detail: 'The member would not be visible to you because of team.',
      errors: [{ pointer: '/team' }],
    })
    const moved = await at.send(ada, { method: 'PATCH', url: '/member/3', body: { team: 1 } })
    expect(moved.body).toMatchObject({
      status: 403,
      code: 'out-of-sight',
      detail: 'The member would not be visible to you because of team.',
    })
    expect((await at.send(everyone, { method: 'GET', url: '/member/3' })).body.team).toBe(2)
    expect((await listed(at, everyone, '/member')).length).toBe(5)
  })

  it('cannot result from a change of a linked record', async () => {
    const at = await openClient([visible(badge, (caller) => isRoot(caller) || { team: 2 })])
    const moved = await at.send(ada, { method: 'PATCH', url: `/badge/${guids[1]}`, body: { team: 1 } })
    expect(moved.body).toMatchObject({ status: 403, code: 'out-of-sight' })
    expect((await at.send(everyone, { method: 'GET', url: `/badge/${guids[1]}` })).body.team).toBe(2)
  })

  it('hides its children, also below another parent', async () => {
    const entry = noun('entry', { id: identity(), member: reference(() => member), team: reference(() => team) })
    const diary = api('diary', {
      versioning: 'per-noun',
      writes: 'nested',
      resources: [
        resource(member, { children: [resource(entry)] }),
        resource(team, { children: [resource(entry, { offers: ['list', 'read'] })] }),
      ],
    })
    const parts = [...sample.slice(0, 2), { noun: 'entry', rows: [1, 2, 3].map((id) => ({ id, member: id, team: 1 })) }]
    const { address, remove } = await testDatabase()
    const at = await openCallerClient(
      service({ name: 'diary', apis: [diary], visibility: [team2], sample: () => parts }),
      address,
    )
    onTestFinished(async () => {
      await at.close()
      await remove()
    })
    expect(await listed(at, everyone, '/team/1/entry')).toEqual([1, 2, 3])
    expect(await listed(at, ada, '/team/1/entry')).toEqual([1, 3])
    expect((await at.send(ada, { method: 'GET', url: '/team/1/entry/2' })).status).toBe(404)
    expect((await at.send(ada, { method: 'GET', url: '/team/1/entry/3' })).status).toBe(200)
  })

  it('is not named by fields that the api does not show', async () => {
    const at = await openClient([visible(member, () => ({ tenant: 'south' }))])
    const body = { name: 'N', email: 'n@example.com', grade: 'JUNIOR', team: 1 }
    const { text, status } = await at.send(ada, { method: 'POST', url: '/member', body })
    expect(status).toBe(403)
    expect(text).not.toContain('tenant')
  })

  it('is every new record for callers who see records by identity', async () => {
    const at = await openClient([visible(team, ({ record }) => typeof record === 'number' && { id: record })])
    const body = { name: 'T', isOpen: true }
    expect((await at.send(callerOf('x', {}, 4), { method: 'POST', url: '/team', body })).status).toBe(403)
    expect(await listed(at, callerOf('x', {}, 2), '/team')).toEqual([2])
  })

  it('can still be recorded as the author of a write', async () => {
    const at = await openClient([team2])
    const body = { name: 'N', email: 'n@example.com', grade: 'JUNIOR', team: 2 }
    const created = await at.send(callerOf('p4', {}, 4), { method: 'POST', url: '/member', body })
    expect(created.status, created.text).toBe(201)
  })

  it('prevents a delete without being counted', async () => {
    const at = await openClient([team2, visible(badge, () => false), visible(skill, () => false)])
    const remove = async (id: number) => (await at.send(ada, { method: 'DELETE', url: `/team/${id}` })).body
    expect(await remove(2)).toMatchObject({
      status: 409,
      detail: '3 member records reference this team in the field "team".',
      hint: 'Change or delete the 3 member records first.',
    })
    expect(await remove(1)).toMatchObject({ status: 409, detail: 'Records that you cannot see reference this team.' })
    expect(await remove(3)).toMatchObject({ id: 3 })
  })

  it('is linked without being counted', async () => {
    const move = { method: 'PATCH', url: `/badge/${guids[0]}`, body: { team: 2 } }
    const some = await openClient([visible(skill, () => ({ id: [1, 2] }))])
    expect((await some.send(ada, move)).body.detail).toMatch(/is linked to 2 skill records/)
    const none = await openClient([visible(skill, () => false)])
    const { body } = await none.send(ada, move)
    expect(body).toMatchObject({ status: 422, code: 'rule-broken' })
    expect(body.detail).toBe(
      'The team cannot change: the badge is linked to records that you cannot see, and linked records must have the same team.',
    )
  })
})

describe('a repeated request', () => {
  const create = {
    method: 'POST',
    url: '/team',
    body: { name: 'T', isOpen: true },
    headers: { 'idempotency-key': 'k' },
  }

  it('gets the stored response only for the same user', async () => {
    const at = await openClient([])
    const [first, other, again] = [
      await at.send(callerOf('ada'), create),
      await at.send(callerOf('bob'), create),
      await at.send(callerOf('ada'), create),
    ]
    expect([first.status, other.status, again.status]).toEqual([201, 201, 201])
    expect(other.body.id).not.toBe(first.body.id)
    expect(again.text).toBe(first.text)
    expect(again.headers['idempotency-replayed']).toBe('true')
    expect(other.headers['idempotency-replayed']).toBeUndefined()
  })

  it('is recognized before any check', async () => {
    const isOpen = { isOpen: true }
    const at = await openClient([visible(team, ({ claims }) => (claims.isShut ? { isOpen: false } : isOpen))])
    const first = await at.send(callerOf('ada'), create)
    const again = await at.send(callerOf('ada', { isShut: true }), create)
    expect(again.text).toBe(first.text)
  })
})

it('is documented if a write may be rejected because of it', () => {
  const rejections = (visibility: readonly Visibility[]) => {
    const { paths = {}, components } = documentsOf(staffWith(visibility))[0]?.build() ?? {}
    // Without authentication, every write may also be rejected as a cross-site request.
    const isOutOfSight = (response: { readonly $ref?: string } | undefined) => {
      const shared = Object.entries(components?.responses ?? {}).find(([name]) => response?.$ref?.endsWith(`/${name}`))
      return JSON.stringify(shared?.[1] ?? response ?? '').includes(problems['out-of-sight'][1])
    }
    return Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).flatMap(([method, { responses }]) =>
        isOutOfSight((responses as Record<string, object>)['403']) ? `${method} ${path}` : [],
      ),
    )
  }
  expect(rejections([])).toEqual([])
  expect(rejections([visible(team, () => true)])).toEqual(['post /team', 'put /team/{id}', 'patch /team/{id}'])
})
