// Mocks of declared apis whose resources differ in version, form and shape.
import { api, date, identity, integer, noun, operation, reference, resource, text } from '@nomen/core'
import { mocksOf } from '@nomen/core/mocks'
import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { expect, expectTypeOf, it } from 'vitest'
import { nodeMocks } from './node-mocks.ts'

const server = setupServer()
const { send } = nodeMocks({
  listen: () => server.listen({ onUnhandledFrame: 'bypass' }),
  resetHandlers: (...handlers) => server.resetHandlers(...handlers),
  close: () => server.close(),
})

const team = noun('team', { id: identity(), name: text(), size: integer() })
const player = noun('player', { id: identity(), name: text(), team: reference(() => team) })
const data = { team: [{ id: 1, name: 'a', size: 3 }], player: [{ id: 1, name: 'x', team: 1 }] }

it('mock every operation under its own version', async () => {
  const versioned = api('versioned', {
    version: 1,
    versioning: 'per-noun',
    writes: 'flat',
    resources: [resource(team, { version: { create: 7, update: 8, delete: 9 } }), resource(player)],
  })
  server.resetHandlers(...mocksOf(versioned, data).handlers)
  expect(await send('POST', '/v7/team', { name: 'b' })).toEqual({ status: 200, body: { id: 2, name: 'b', size: 0 } })
  expect(await send('PATCH', '/v8/team/2', { size: 1 })).toMatchObject({ status: 200, body: { name: 'b', size: 1 } })
  expect(await send('GET', '/v1/team/2')).toMatchObject({ status: 200, body: { name: 'b', size: 1 } })
  expect(await send('DELETE', '/v9/team/2')).toEqual({ status: 200, body: null })
  expect(await send('GET', '/v1/team/2')).toEqual({ status: 404, body: null })
})

it('return pages at the root and arrays below, in any order of declaration', async () => {
  const mixed = api('mixed', {
    version: 1,
    versioning: 'per-noun',
    writes: 'flat',
    resources: [
      resource(team, { children: [resource(player, { paginated: false, version: 2 })] }),
      resource(player, { version: 2 }),
    ],
  })
  server.resetHandlers(...mocksOf(mixed, data).handlers)
  expect((await send('GET', '/v2/team/1/player')).body).toEqual(data.player)
  expect((await send('GET', '/v2/player')).body).toMatchObject({ results: data.player })
})

it('return null for nullable properties that the data lacks', async () => {
  const task = noun('task', { id: identity(), name: text(), due: date().nullable() })
  const tasks = api('tasks', { versioning: 'per-noun', writes: 'flat', resources: [resource(task)] })
  const rows = [
    { id: 1, name: 'a' },
    { id: 2, name: 'b', due: '2027-01-31' },
  ] as const
  const { handlers, collections } = mocksOf(tasks, { task: rows })
  server.resetHandlers(...handlers)
  expect((await send('GET', '/task/1')).body).toEqual({ id: 1, name: 'a', due: null })
  expect((await send('GET', '/task/2')).body).toEqual(rows[1])
  expectTypeOf(collections.task.items[0]?.due).toEqualTypeOf<string | null | undefined>()
  // @ts-expect-error: only nullable properties are optional
  mocksOf(tasks, { task: [{ id: 1 }] })
})

it('do not mock custom operations', async () => {
  const cheer = operation({ method: 'POST', on: 'record' })
  const customApi = api('own', {
    versioning: 'per-noun',
    writes: 'flat',
    resources: [resource(team, { operations: { cheer } })],
  })
  server.resetHandlers(...mocksOf(customApi, { team: data.team }).handlers)
  // Every path that is deeper than one record responds like this.
  expect(await send('POST', '/team/1/cheer')).toEqual({ status: 200, body: null })
  expect((await send('GET', '/team/1/cheer')).status).toBe(501)
  expect((await send('GET', '/cheer')).status).toBe(501)
  expect((await send('GET', '/team/1')).status).toBe(200)
})

it('have one record for all shapes of a noun', async () => {
  const shaped = api('shaped', {
    versioning: 'per-noun',
    writes: 'flat',
    resources: [
      resource(team, { children: [resource(player, { complete: ['id', 'name'] })] }),
      resource(player, { offers: ['list', 'read', 'create'] }),
    ],
  })
  server.resetHandlers(...mocksOf(shaped, data).handlers)
  expect((await send('POST', '/player', { name: 'y' })).body).toEqual({ id: 2, name: 'y', team: 0 })
  // @ts-expect-error the team is at the root
  mocksOf(shaped, { ...data, player: [{ id: 1, name: 'x' }] })
})

it('provide their collections to custom handlers', async () => {
  const twoNouns = api('whole', {
    versioning: 'per-noun',
    writes: 'flat',
    resources: [resource(team), resource(player)],
  })
  const mock = mocksOf(twoNouns, data)
  const replace = http.put('*/team/:id', async ({ params, request }) => {
    const replaced = mock.collections.team.update(Number(params.id), (await request.json()) as object)
    return HttpResponse.json(replaced ?? null, { status: replaced ? 200 : 404 })
  })
  server.resetHandlers(replace, ...mock.handlers)
  const replaced = { id: 1, name: 'b', size: 4 }
  expect(await send('PUT', '/team/1', { name: 'b', size: 4 })).toEqual({ status: 200, body: replaced })
  expect((await send('GET', '/team/1')).body).toEqual(replaced)
  expectTypeOf(mock.collections.team.find(1)).toEqualTypeOf<{ id: number; name: string; size: number } | undefined>()
  mock.reset()
  expect(mock.collections.team.items).toEqual(data.team)
  // @ts-expect-error: this noun does not exist
  mock.collections.nothing
})

it('leave nouns with guids to custom handlers, because mocks need numeric refs', async () => {
  const badge = noun('badge', { guid: identity('guid'), player: reference(() => player) })
  const guidApi = api('guarded', {
    versioning: 'per-noun',
    writes: 'flat',
    resources: [resource(team), resource(player, { children: [resource(badge, { via: 'player' })] }), resource(badge)],
  })
  server.resetHandlers(...mocksOf(guidApi, data).handlers)
  expect((await send('GET', '/player/1')).body).toEqual(data.player[0])
  expect([(await send('GET', '/badge')).status, (await send('GET', '/player/1/badge')).status]).toEqual([501, 501])
  // @ts-expect-error no fixtures for them
  mocksOf(guidApi, { ...data, badge: [] })
})
