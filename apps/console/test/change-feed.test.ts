// The changes that a list follows, against a real service: none is missed.
import { api, change, identity, noun, resource, text } from '@nomen/core'
import { type OpenService, open, service } from '@nomen/server'
import { inject } from '@nomen/testing/inject'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ChangeFeed, ChangeFeeds } from '../src/http/change-feed.ts'
import { HttpClient, type Request } from '../src/http/http-client.ts'
import { ProblemError, problemFrom } from '../src/model/service/problem.ts'
import { type Collection, rootsOf, type Service, serviceOf } from '../src/model/service/service.ts'

const book = noun('book', { id: identity(), title: text() }, { history: true })
const author = noun('author', { id: identity(), name: text() }, { history: true })
const library = api('library', {
  versioning: 'per-noun',
  writes: 'flat',
  resources: [resource(book), resource(author), resource(change)],
})

/** Fails the next request with a status, or lets all pass. */
class UnreliableClient extends HttpClient {
  failure: number | undefined
  readonly queries: string[] = []

  override async send(request: Request) {
    this.queries.push(`${request.query}`)
    const status = this.failure
    this.failure = undefined
    if (status !== undefined) throw new ProblemError(problemFrom(status, '', null, {}))
    return super.send(request)
  }
}

const session = {} as { app: OpenService; described: Service; books: Collection }
beforeAll(async () => {
  const app = await open(service({ name: 'library', apis: [library] }), { database: 'sqlite::memory:' })
  const base = await app.listen({ port: 0 })
  const document = (await inject(app, { url: '/openapi.json' })).json()
  const described = serviceOf(undefined, [{ document, base }])
  const books = described.apis.flatMap(rootsOf).find((collection) => collection.noun === 'book') as Collection
  Object.assign(session, { app, described, books })
})
afterAll(() => session.app?.close())

function newFeed(): { http: UnreliableClient; feed: ChangeFeed } {
  const http = new UnreliableClient()
  return { http, feed: new ChangeFeeds(http).of(session.described, session.books) as ChangeFeed }
}

async function createBooks(count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    const { statusCode } = await inject(session.app, { method: 'POST', url: '/book', payload: { title: 'Emma' } })
    expect(statusCode).toBe(201)
  }
}

const { signal } = new AbortController()

it('reports each change after the list was ready, and none of other nouns', async () => {
  const { feed, http } = newFeed()
  await createBooks(1)
  await feed.ready()
  await inject(session.app, { method: 'POST', url: '/author', payload: { name: 'Jane Austen' } })
  await createBooks(1)
  expect(await feed.next(signal)).toBe(true)
  // Another list of the noun starts from the same position, without a request.
  const requests = http.queries.length
  await feed.ready()
  expect(http.queries).toHaveLength(requests)
  await createBooks(1)
  expect(await feed.next(signal)).toBe(true)
})

it('skips to the current position after many changes, so that the list is loaded once', async () => {
  const { feed, http } = newFeed()
  await feed.ready()
  await createBooks(25)
  expect(await feed.next(signal)).toBe(true)
  expect(http.queries.map((query) => /wait=\d+/.exec(query)?.[0])).toEqual(['wait=0', 'wait=30', 'wait=0'])
  await createBooks(1)
  expect(await feed.next(signal)).toBe(true)
})

it('continues at its position after an error', async () => {
  const { feed, http } = newFeed()
  await feed.ready()
  http.failure = 503
  const error = await feed.next(signal).catch((caught: unknown) => caught)
  expect(feed.canRetry(error)).toBe(true)
  await createBooks(1)
  expect(await feed.next(signal)).toBe(true)
})

it.each([
  { title: 'before the list was requested', status: 500, isRetried: true },
  { title: 'because of missing rights', status: 403, isRetried: false },
])('asks for a reload of the list if the position failed $title', async ({ status, isRetried }) => {
  const { feed, http } = newFeed()
  http.failure = status
  await feed.ready()
  // The next list does not wait for another failure.
  await feed.ready()
  expect(http.queries).toHaveLength(1)
  expect(feed.canRetry(new ProblemError(problemFrom(status, '', null, {})))).toBe(isRetried)
  expect(await feed.next(signal)).toBe(true)
})

it('asks for a reload of the list if its position is gone', async () => {
  const { feed, http } = newFeed()
  await feed.ready()
  http.failure = 400
  const error = await feed.next(signal).catch((caught: unknown) => caught)
  expect(feed.canRetry(error)).toBe(true)
  expect(await feed.next(signal)).toBe(true)
})
