// The recipe of docs/client.md for TanStack Query, with the real service.

import { readFileSync } from 'node:fs'
import { type Client, client, etagOf, invalidateOnChange, type ShapesOf } from '@nomen/core/client'
import { QueryClient, QueryObserver } from '@tanstack/query-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { directory } from '../src/index.ts'
import { type App, openDirectory } from './service.ts'

let app: App
let baseUrl = ''
beforeAll(async () => {
  app = await openDirectory(20)
  baseUrl = await app.listen({ port: 0 })
})
afterAll(() => app?.close())

// recipe: queries
type Api = Client<typeof directory>
type UserQuery = ShapesOf<typeof directory>['user']['query']

/** Keys begin with the noun and the operation, so that all queries of a noun can be invalidated at once. */
const userQueries = (api: Api) => ({
  all: ['user'] as const,
  list: (query: UserQuery = {}) => ({
    queryKey: ['user', 'list', query] as const,
    queryFn: ({ signal }: { signal: AbortSignal }) => api.user.list(query, { signal }),
  }),
  read: (id: number) => ({
    queryKey: ['user', 'read', id] as const,
    queryFn: ({ signal }: { signal: AbortSignal }) => api.user.read(id, { signal }),
    // The client stores the ETag with the returned object. Structural sharing would return a copy without it.
    structuralSharing: false,
  }),
})
// recipe: end

it('reloads queries when other programs change records', async () => {
  const api = client<typeof directory>({ baseUrl })
  const queryClient = new QueryClient()
  const names: string[] = []
  const observer = new QueryObserver(queryClient, userQueries(api).read(3))
  const stop = observer.subscribe(({ data }) => data && data.firstName !== names.at(-1) && names.push(data.firstName))
  const { firstName } = await queryClient.fetchQuery(userQueries(api).read(3))

  // recipe: live
  const controller = new AbortController()
  const follower = api.change.follow({ noun: ['user', 'department'] }, { signal: controller.signal })
  const live = invalidateOnChange(queryClient, follower)
  // recipe: end

  // The stream may not be open yet, so the change is repeated with other values.
  await expect
    .poll(async () => {
      await client<typeof directory>({ baseUrl }).user.update(3, { firstName: `Ada${Date.now()}` })
      return names.length
    })
    .toBeGreaterThan(1)
  expect(names[0]).toBe(firstName)
  controller.abort(new Error('The page was left.'))
  await expect(live).rejects.toThrow('The page was left.')
  stop()
})

it('caches responses, and reloads them after a change', async () => {
  const api = client<typeof directory>({ baseUrl })
  const queryClient = new QueryClient()
  const users = userQueries(api)
  const phones: string[] = []
  const observer = new QueryObserver(queryClient, users.read(2))
  const stop = observer.subscribe(({ data }) => {
    if (data && data.phone !== phones.at(-1)) phones.push(data.phone)
  })
  const before = await queryClient.fetchQuery(users.read(2))
  expect((await queryClient.fetchQuery(users.list({ status: 'ACTIVE', pageSize: 3 }))).results).toHaveLength(3)

  // recipe: change
  await api.user.update(2, { phone: '555' })
  await queryClient.invalidateQueries({ queryKey: userQueries(api).all })
  // recipe: end

  expect(phones).toEqual([before.phone, '555'])
  const cachedUser = queryClient.getQueryData<typeof before>(users.read(2).queryKey)
  await api.user.update(2, { phone: '556' }, { etag: etagOf(cachedUser ?? {}) ?? 'none' })
  expect(queryClient.getQueryState(users.list({ status: 'ACTIVE', pageSize: 3 }).queryKey)?.isInvalidated).toBe(true)
  stop()
})

it('aborts the request of a view that is closed', async () => {
  const api = client<typeof directory>({ baseUrl })
  const queries = new QueryClient()
  const { queryKey, queryFn } = userQueries(api).list()
  const pending = queries.fetchQuery({ queryKey, queryFn, retry: false })
  await queries.cancelQueries({ queryKey })
  await expect(pending).rejects.toThrow('CancelledError')
})

it('is the recipe of the docs', () => {
  const source = readFileSync(new URL(import.meta.url), 'utf8')
  const docs = readFileSync(new URL('../../../docs/client.md', import.meta.url), 'utf8')
  const recipes = [...source.matchAll(/^ *\/\/ recipe: \w+\n([\s\S]*?)\n *\/\/ recipe: end$/gm)].map(
    ([, text = '']) => text,
  )
  expect(recipes).toHaveLength(3)
  for (const recipe of recipes)
    expect(docs).toContain(recipe.startsWith('  ') ? recipe.replaceAll(/^ {2}/gm, '') : recipe)
})
