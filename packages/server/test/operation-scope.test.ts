// Scopes that a declaration names for single operations: checked, documented and in the text of the rejection.
import { api, identity, integer, noun, operation, reference, resource, scopeOf, text } from '@nomen/core'
import { openapi } from '@nomen/core/openapi'
import { handle, open, service } from '@nomen/server'
import { testDatabase } from '@nomen/testing/test-database'
import { describe, expect, it, onTestFinished } from 'vitest'

const shelf = noun('shelf', { id: identity(), name: text() }, { label: 'name' })
const loan = noun('loan', { id: identity(), days: integer().default(14), shelf: reference(() => shelf) })
const renewal = operation({ method: 'POST', on: 'record', response: { days: integer() }, scope: 'loan:renew' })
const doubling = operation({ method: 'POST', on: 'record', response: { days: integer() } })
const library = api('library', {
  versioning: 'per-noun',
  writes: 'nested',
  resources: [
    resource(shelf, { scopes: { list: 'shelf:browse', read: 'shelf:browse' } }),
    resource(loan, {
      operations: { renewal, doubling },
      display: ['shelf'],
      scopes: { delete: 'loan:purge', list: 'loan:browse' },
    }),
  ],
})
const desk = service({
  name: 'library',
  apis: [library],
  handlers: [
    handle(loan, renewal, async ({ key, record, call, caller }) => {
      const elevated = call(library, { ...caller, scopes: [...caller.scopes, 'loan:write', 'loan:read'] })
      const { days } = await elevated.loan.update(key, { days: record.days + 14 })
      return { days }
    }),
    handle(loan, doubling, async ({ key, call }) => {
      await call(library).loan.of(key).renewal.post()
      return call(library).loan.of(key).renewal.post()
    }),
  ],
  sample: () => [
    { noun: 'shelf', rows: [{ id: 1, name: 'History' }] },
    { noun: 'loan', rows: [{ id: 1, days: 14, shelf: 1 }] },
  ],
})

async function openDesk() {
  const { address, remove } = await testDatabase()
  const app = await open(desk, { database: address })
  onTestFinished(async () => {
    await app.close()
    await remove()
  })
  return app
}

async function send(fetch: (url: string, request?: RequestInit) => Promise<Response>, method: string, path: string) {
  const response = await fetch(`http://localhost${path}`, { method })
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}

describe('a scope of an operation', () => {
  it('replaces those of its noun', () => {
    const scopes = Object.fromEntries(desk.operations.map((operation) => [operation.id, scopeOf(operation)]))
    expect(scopes).toMatchObject({
      'loan.list': 'loan:browse',
      'loan.read': 'loan:read',
      'loan.create': 'loan:write loan:read',
      'loan.delete': 'loan:purge loan:read',
      'shelf.list': 'shelf:browse',
      'shelf.update': 'shelf:write shelf:browse',
    })
    const own = desk.operations
      .filter(({ custom }) => custom)
      .map((operation) => [operation.custom?.name, scopeOf(operation)])
    expect(own).toEqual([
      ['renewal', 'loan:renew'],
      ['doubling', 'loan:write'],
    ])
  })

  it('is checked, and a rejection names the scopes that are needed and present', async () => {
    const app = await openDesk()
    const clerk = app.as({ user: 'ada', scopes: ['loan:read', 'loan:write'] }).fetch
    const rejected = await send(clerk, 'POST', '/loan/1/renewal')
    expect([rejected.status, rejected.body.code]).toEqual([403, 'insufficient-scope'])
    expect(rejected.body.detail).toBe(
      'This operation requires the scope loan:renew; the token has loan:read loan:write.',
    )
    expect((await send(clerk, 'DELETE', '/loan/1')).status).toBe(403)
    expect((await send(clerk, 'GET', '/loan')).status).toBe(403)
    expect((await send(clerk, 'GET', '/loan/1')).status).toBe(200)
    const inner = await send(clerk, 'POST', '/loan/1/doubling')
    expect([inner.status, inner.body.detail]).toEqual([
      403,
      'This operation also requires the scope loan:renew for POST /loan/{loanId}/renewal; the caller has loan:read loan:write.',
    ])
    const renewer = app.as({ user: 'bob', scopes: ['loan:renew'] }).fetch
    expect(await send(renewer, 'POST', '/loan/1/renewal')).toEqual({ status: 200, body: { days: 28 } })
    expect((await send(renewer, 'GET', '/loan/1')).status).toBe(403)
    // A wildcard covers all scopes with the same verb, and no others.
    expect((await send(app.as({ user: 'eve', scopes: ['*:renew'] }).fetch, 'POST', '/loan/1/renewal')).status).toBe(200)
    const writer = app.as({ user: 'eve', scopes: ['*:read', '*:write'] }).fetch
    expect((await send(writer, 'POST', '/loan/1/renewal')).status).toBe(403)
    const purger = app.as({ user: 'eve', scopes: ['loan:purge', 'loan:read'] }).fetch
    expect((await send(purger, 'DELETE', '/loan/1')).status).toBe(200)
  })

  it('is not required without authentication, also for operations that call others', async () => {
    const app = await openDesk()
    expect(await send(app.fetch, 'POST', '/loan/1/doubling')).toEqual({ status: 200, body: { days: 42 } })
  })

  it('shows labels to callers who can read the records with it', async () => {
    const app = await openDesk()
    const list = async (...scopes: string[]) => (await send(app.as({ user: 'ada', scopes }).fetch, 'GET', '/loan')).body
    expect((await list('loan:browse')).results).toMatchObject([{ shelf: '1' }])
    expect((await list('loan:browse', 'shelf:browse')).results).toMatchObject([{ shelf: 'History' }])
  })

  it('is in the OpenAPI document', () => {
    const { paths } = openapi(library, { issuer: 'https://issuer.example.com' }) as never as {
      paths: Record<string, Record<string, { security: Record<string, string[]>[] }>>
    }
    const security = (path: string, method: string) => paths[path]?.[method]?.security.flatMap(Object.values).flat()
    expect(security('/loan/{loanId}/renewal', 'post')).toContain('loan:renew')
    expect(security('/loan/{id}', 'delete')).toEqual(expect.arrayContaining(['loan:purge', 'loan:read']))
  })

  it.each(['renew', 'loan:*', '*:renew', 'loan:renew loan:read', 'Loan:Renew', 'loan renew'])(
    'is rejected as %s',
    (scope) => {
      const bad = operation({ method: 'POST', on: 'record', scope })
      expect(() => resource(loan, { operations: { bad } })).toThrow('must have the form "noun:verb"')
      expect(() => resource(loan, { scopes: { delete: scope } })).toThrow('scope of delete: the scope')
    },
  )
})
