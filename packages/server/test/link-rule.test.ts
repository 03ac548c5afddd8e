// Rules on links: every way to link or unlink two records runs them, also during concurrent requests.
import { api, DeclarationError, identity, link, noun, operation, resource, tenant, text } from '@nomen/core'
import { handle, linked, type Rule, rule, service } from '@nomen/server'
import { loadRecords, type Reject } from '@nomen/server/admin'
import { isOnPostgres, testDatabase } from '@nomen/testing/test-database'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sourceOf } from './bulk-bench.ts'
import { temporaryPath } from './temporary-database.ts'
import { openService } from './test-service.ts'

const user = noun('user', { id: identity(), name: text() })
const role = noun('role', { id: identity(), name: text() })
const userRole = link(user, role)

const granting = operation({ method: 'POST', on: 'record', body: { first: text(), second: text() } })
const access = api('access', {
  versioning: 'per-noun',
  writes: 'flat',
  resources: [
    resource(user, { operations: { granting }, children: [resource(role, { via: userRole })] }),
    resource(role, { children: [resource(user, { via: userRole })] }),
  ],
})
const granted = handle(user, granting, ({ key, body, transaction }) =>
  transaction(async (call) => {
    const { role: roles } = call(access).user.of(key)
    for (const id of [body.first, body.second]) await roles.link(Number(id))
  }),
)

/** A user has at most three roles. */
const fewRoles = rule(userRole, async (pair, { read }) => {
  const count = await read(role).count({ id: linked(userRole, user, { id: pair.user }) })
  return count < 3 ? undefined : { detail: `User ${pair.user} already has ${count} roles.`, hint: 'Remove one first.' }
})
/** And keeps one, once there is one. */
const oneRole = rule(
  userRole,
  async (pair, { read }) => {
    const count = await read(role).count({ id: linked(userRole, user, { id: pair.user }) })
    return count > 1 ? undefined : { detail: `User ${pair.user} needs a role.` }
  },
  { on: 'unlink' },
)
const notRoot = rule(userRole, ({ role: id }, { caller }) =>
  id === 1 && caller.user !== 'root' ? { detail: 'Only root grants role 1.' } : undefined,
)

async function directory(rules: readonly Rule[] = [fewRoles, oneRole]) {
  const own = await testDatabase()
  onTestFinished(own.remove)
  const database = isOnPostgres ? own.address : `sqlite:${temporaryPath()}`
  const declared = service({ name: 'access', apis: [access], handlers: [granted], rules })
  const app = await openService(declared, { database })
  for (const name of ['Ada', 'Bea']) await app.send('POST', '/user', { name })
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) await app.send('POST', '/role', { name })
  const load = async (text: string) => {
    const rejects: Reject[] = []
    const onReject = (reject: Reject) => rejects.push(reject)
    const report = await loadRecords(declared, { database, noun: 'user-role', source: sourceOf(text), onReject })
    return { report, reasons: rejects.map(({ line, reason }) => `${line}: ${reason}`) }
  }
  const rolesOf = (id: number) => app.column('id', `/user/${id}/role`)
  return { ...app, load, rolesOf }
}

describe('a rule on a link', () => {
  it('rejects to link, from either side', async () => {
    const { send, rolesOf } = await directory()
    for (const id of [1, 2]) expect((await send('PUT', `/user/1/role/${id}`)).status).toBe(200)
    expect((await send('PUT', '/role/3/user/1')).status).toBe(200)
    for (const path of ['/user/1/role/4', '/role/4/user/1']) {
      const { status, body } = await send('PUT', path)
      expect([status, body.code, body.detail, body.hint]).toEqual([
        422,
        'rule-broken',
        'User 1 already has 3 roles.',
        'Remove one first.',
      ])
    }
    expect(await rolesOf(1)).toEqual([1, 2, 3])
    expect((await send('PUT', '/user/2/role/4')).status).toBe(200)
  })

  it('does not run for a link that exists', async () => {
    const { send } = await directory()
    for (const id of [1, 2, 3]) await send('PUT', `/user/1/role/${id}`)
    expect((await send('PUT', '/user/1/role/3')).status).toBe(200)
    expect((await send('PUT', '/user/1/role/4', undefined, { 'if-match': '*' })).status).toBe(412)
    expect((await send('PUT', '/user/1/role/3', undefined, { 'if-none-match': '*' })).status).toBe(412)
    expect((await send('PUT', '/user/1/role/4', undefined, { 'if-none-match': '*' })).status).toBe(422)
  })

  it('runs before a link is removed, if it says so', async () => {
    const { send, rolesOf } = await directory()
    for (const id of [1, 2]) await send('PUT', `/user/1/role/${id}`)
    expect((await send('DELETE', '/user/1/role/1')).status).toBe(200)
    const rejected = await send('DELETE', '/user/1/role/2')
    expect([rejected.status, rejected.body.detail]).toEqual([422, 'User 1 needs a role.'])
    expect((await send('DELETE', '/user/1/role/3')).status).toBe(404)
    expect(await rolesOf(1)).toEqual([2])
    expect((await send('DELETE', '/role/2')).status).toBe(200)
    expect(await rolesOf(1)).toEqual([])
  })

  it('runs after the check that both records exist', async () => {
    const { send } = await directory()
    for (const id of [1, 2, 3]) await send('PUT', `/user/1/role/${id}`)
    expect((await send('PUT', '/user/1/role/99')).status).toBe(404)
    expect((await send('PUT', '/user/99/role/1')).status).toBe(404)
  })

  it('may be synchronous, and gets the caller', async () => {
    const { send, app, rolesOf } = await directory([notRoot])
    const rejected = await send('PUT', '/user/1/role/1')
    expect([rejected.status, rejected.body.detail]).toEqual([422, 'Only root grants role 1.'])
    expect((await send('PUT', '/user/1/role/2')).status).toBe(200)
    const byRoot = await app.as({ user: 'root' }).fetch('http://access/user/1/role/1', { method: 'PUT' })
    expect(byRoot.status).toBe(200)
    expect((await send('PUT', '/user/1/role/1')).status).toBe(200)
    expect((await send('DELETE', '/user/1/role/1')).status).toBe(200)
    expect(await rolesOf(1)).toEqual([2])
  })

  it('counts links of its own transaction, and rolls all of them back', async () => {
    const { send, rolesOf } = await directory()
    for (const id of [1, 2]) await send('PUT', `/user/1/role/${id}`)
    expect((await send('POST', '/user/1/granting', { first: '3', second: '4' })).status).toBe(422)
    expect(await rolesOf(1)).toEqual([1, 2])
    expect((await send('POST', '/user/2/granting', { first: '3', second: '4' })).status).toBe(204)
  })

  it('applies to concurrent requests', async () => {
    const { send, rolesOf } = await directory()
    const requests = Array.from({ length: 24 }, (_, at) => send('PUT', `/user/${1 + (at % 2)}/role/${1 + (at % 6)}`))
    const statuses = (await Promise.all(requests)).map(({ status }) => status)
    expect(new Set(statuses).isSubsetOf(new Set([200, 422]))).toBe(true)
    expect((await rolesOf(1)).length).toBe(3)
    expect((await rolesOf(2)).length).toBe(3)
    await Promise.all((await rolesOf(1)).map((id) => send('DELETE', `/user/1/role/${id}`)))
    expect((await rolesOf(1)).length).toBe(1)
  })

  it('applies to a bulk load', async () => {
    const { load, rolesOf } = await directory()
    const pairs = [1, 2, 3, 4, 3].map((id) => `1,${id}`).join('\n')
    const { report, reasons } = await load(`user,role\n${pairs}\n2,5\n9,1\n`)
    expect(report).toMatchObject({ loaded: 4, unchanged: 1, rejected: 2 })
    expect(reasons).toEqual(['5: User 1 already has 3 roles.', '8: user 9 does not exist.'])
    expect([await rolesOf(1), await rolesOf(2)]).toEqual([[1, 2, 3], [5]])
  })

  it('applies to a bulk load if it is synchronous', async () => {
    const { load, rolesOf } = await directory([notRoot])
    const { report, reasons } = await load('user,role\n1,1\n1,2\n')
    expect([report.loaded, reasons]).toEqual([1, ['2: Only root grants role 1.']])
    expect(await rolesOf(1)).toEqual([2])
  })

  it('applies during a bulk load', async () => {
    const { load, send, rolesOf } = await directory()
    const requests = [1, 2, 3, 4, 5, 6].map((id) => send('PUT', `/user/1/role/${id}`))
    await Promise.all([load(`user,role\n${[6, 5, 4, 3, 2, 1].map((id) => `1,${id}`).join('\n')}\n`), ...requests])
    expect((await rolesOf(1)).length).toBe(3)
  })

  it('reads records of the tenant of the linked records', async () => {
    const team = noun('team', { id: identity(), tenant: tenant(), name: text() })
    const member = noun('member', { id: identity(), tenant: tenant(), name: text() })
    const teamMember = link(team, member)
    const teams = api('teams', {
      versioning: 'per-noun',
      writes: 'flat',
      resources: [resource(team, { children: [resource(member, { via: teamMember })] }), resource(member)],
    })
    const counts: number[] = []
    const counted = rule(teamMember, async (_, { read }) => void counts.push(await read(member).count()))
    const { app } = await openService(
      service({ name: 'teams', apis: [teams], tenant: { claim: 'org' }, rules: [counted] }),
    )
    const send = (org: string, method: string, path: string) =>
      app.as({ user: 'ada', claims: { org } }).fetch(`http://teams${path}`, {
        method,
        ...(method === 'POST' && { body: '{"name":"x"}', headers: { 'content-type': 'application/json' } }),
      })
    for (const org of ['a', 'a', 'b']) await send(org, 'POST', '/member')
    for (const org of ['a', 'b']) await send(org, 'POST', '/team')
    expect((await send('a', 'PUT', '/team/1/member/1')).status).toBe(200)
    expect((await send('b', 'PUT', '/team/2/member/3')).status).toBe(200)
    expect((await send('b', 'PUT', '/team/2/member/1')).status).toBe(404)
    expect(counts).toEqual([2, 1])
  })

  it('that returns a promise without being async is a fault: 500, and nothing is linked', async () => {
    const faults: string[] = []
    const broken = rule(userRole, () => Promise.resolve(undefined))
    const { send, get } = await openService(
      service({ name: 'access', apis: [access], handlers: [granted], rules: [broken] }),
      {
        onFault: (_message, error) => faults.push((error as Error).message),
      },
    )
    await send('POST', '/user', { name: 'Ada' })
    await send('POST', '/role', { name: 'a' })
    expect((await send('PUT', '/user/1/role/1')).status).toBe(500)
    expect(faults).toEqual(['A rule of "user-role" returned a promise. Declare its function with async.'])
    expect((await get('/user/1/role')).body.results).toEqual([])
  })

  it('on a link that no api uses is rejected at start', () => {
    const other = link(role, user)
    const declare = () =>
      service({ name: 'access', apis: [access], handlers: [granted], rules: [rule(other, () => undefined)] })
    expect(declare).toThrow(DeclarationError)
    expect(declare).toThrow('it has a rule on the link "role-user", but no API of the service uses that link.')
  })
})
