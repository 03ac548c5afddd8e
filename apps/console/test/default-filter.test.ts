// Records that a default filter hides, against a real service: they are counted before a delete, and found by an import.
import { api, boolean, choice, date, identity, noun, reference, resource, text } from '@nomen/core'
import { type OpenService, open, service } from '@nomen/server'
import { inject } from '@nomen/testing/inject'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ReferenceLabels } from '../src/bulk/import/reference-labels.ts'
import { HttpClient } from '../src/http/http-client.ts'
import { dependentsOf } from '../src/model/record/dependents.ts'
import { type Collection, type Service, serviceOf } from '../src/model/service/service.ts'
import { countOf } from '../src/record/delete/use-dependents.ts'

const team = noun('team', { id: identity(), name: text() })
const member = noun('member', {
  id: identity(),
  name: text(),
  team: reference(() => team),
  level: choice('LOW', 'HIGH').nullable(),
  active: boolean().nullable(),
})
const contract = noun('contract', {
  id: identity(),
  name: text(),
  team: reference(() => team),
  ended: date().nullable(),
})
const duty = noun('duty', {
  id: identity(),
  member: reference(() => member),
  contract: reference(() => contract),
})
const club = api('club', {
  versioning: 'per-noun',
  writes: 'flat',
  resources: [
    resource(team),
    resource(member, { defaultFilter: { level: 'HIGH', active: true } }),
    resource(contract, { defaultFilter: { ended: null } }),
    resource(duty),
  ],
})

const session = {} as { app: OpenService; described: Service }
beforeAll(async () => {
  const app = await open(service({ name: 'club', apis: [club] }), { database: 'sqlite::memory:' })
  const base = await app.listen({ port: 0 })
  const document = (await inject(app, { url: '/openapi.json' })).json()
  Object.assign(session, { app, described: serviceOf(undefined, [{ document, base }]) })
  const create = async (url: string, payload: object) =>
    expect((await inject(app, { method: 'POST', url, payload })).statusCode).toBe(201)
  await create('/team', { name: 'Red' })
  await create('/team', { name: 'Blue' })
  await create('/member', { name: 'Ada', team: 1, level: 'HIGH', active: true })
  await create('/member', { name: 'Bob', team: 1, level: null, active: false })
  await create('/member', { name: 'Cy', team: 1, level: 'LOW', active: null })
  await create('/contract', { name: 'Open', team: 1, ended: null })
  await create('/contract', { name: 'Old', team: 1, ended: '2026-01-01' })
  await create('/contract', { name: 'Older', team: 2, ended: '2025-01-01' })
})
afterAll(() => session.app?.close())

function collectionAt(path: string): Collection {
  return session.described.collections.find((collection) => collection.path === path) as Collection
}

async function counts(teamId: number) {
  const dependents = dependentsOf(session.described, collectionAt('/team'))
  return Object.fromEntries(
    await Promise.all(
      dependents.map(async (entry) => [entry.noun, await countOf(new HttpClient(), entry, [[teamId]])] as const),
    ),
  )
}

it('counts the records without a value, and says if a filter still hides some', async () => {
  // The dates of ended contracts cannot all be named.
  expect(await counts(1)).toEqual({ member: { count: 3, isMinimum: false }, contract: { count: 1, isMinimum: true } })
  expect(await counts(2)).toEqual({ member: { count: 0, isMinimum: false }, contract: null })
})

it('finds hidden records by their labels, or says that the list does not show all', async () => {
  const labels = new ReferenceLabels(new HttpClient(), session.described, collectionAt('/duty'))
  expect((await labels.resolve({ member: 'Bob', contract: 'Open' })).body).toEqual({ member: 2, contract: 1 })
  expect((await labels.resolve({ member: 'Cy', contract: 'Old' })).reason).toBe(
    'Contract: could not find a contract called “Old”, but the list does not show all of them. Use the ID.',
  )
  expect((await labels.resolve({ member: 'Dan' })).reason).toBe('Member: no member is called “Dan”.')
})
