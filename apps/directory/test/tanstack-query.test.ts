// The recipe of docs/client.md for TanStack Query, at work on the service.

import { readFileSync } from 'node:fs'
import { type Client, client, etagOf, type ShapesOf } from '@nomen/core/client'
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

/** Keys begin with the noun, then say the operation: all of a noun can be made stale at once. */
const userQueries = (api: Api) => ({
  all: ['user'] as const,
  list: (query: UserQuery = {}) => ({
    queryKey: ['user', 'list', query] as const,
    queryFn: ({ signal }: { signal: AbortSignal }) => api.user.list(query, { signal }),
  }),
  read: (id: number) => ({
    queryKey: ['user', 'read', id] as const,
    queryFn: ({ signal }: { signal: AbortSignal }) => api.user.read(id, { signal }),
    // A record knows its ETag; a copy that shares parts with the one before would not.
    structuralSharing: false,
  }),
})
// recipe: end

it('keeps what was read, and reads again what a change has made stale', async () => {
  const api = client<typeof directory>({ baseUrl })
  const queries = new QueryClient()
  const users = userQueries(api)
  const seen: string[] = []
  const observer = new QueryObserver(queries, users.read(2))
  const stop = observer.subscribe(({ data }) => {
    if (data && data.phone !== seen.at(-1)) seen.push(data.phone)
  })
  const before = await queries.fetchQuery(users.read(2))
  expect((await queries.fetchQuery(users.list({ status: 'ACTIVE', pageSize: 3 }))).results).toHaveLength(3)

  // recipe: change
  await api.user.update(2, { phone: '555' })
  await queries.invalidateQueries({ queryKey: users.all })
  // recipe: end

  expect(seen).toEqual([before.phone, '555'])
  const read = queries.getQueryData<typeof before>(users.read(2).queryKey)
  await api.user.update(2, { phone: '556' }, { etag: etagOf(read ?? {}) ?? 'none' })
  expect(queries.getQueryState(users.list({ status: 'ACTIVE', pageSize: 3 }).queryKey)?.isInvalidated).toBe(true)
  stop()
})

it('asks for nothing more when nobody looks any more', async () => {
  const api = client<typeof directory>({ baseUrl })
  const queries = new QueryClient()
  const { queryKey, queryFn } = userQueries(api).list()
  const asked = queries.fetchQuery({ queryKey, queryFn, retry: false })
  await queries.cancelQueries({ queryKey })
  await expect(asked).rejects.toThrow('CancelledError')
})

it('is the recipe of the docs', () => {
  const own = readFileSync(new URL(import.meta.url), 'utf8')
  const docs = readFileSync(new URL('../../../docs/client.md', import.meta.url), 'utf8')
  const recipes = [...own.matchAll(/^ *\/\/ recipe: \w+\n([\s\S]*?)\n *\/\/ recipe: end$/gm)].map(
    ([, text = '']) => text,
  )
  expect(recipes).toHaveLength(2)
  for (const recipe of recipes) expect(docs).toContain(recipe.replaceAll(/^ {2}(?=await)/gm, ''))
})
