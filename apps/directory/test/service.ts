/** Opens the directory in process and asks it; every answer is held to what all answers have in common. */

import { type Problem, problems } from '@nomen/core'
import { open, type Service as Served, type Settings } from '@nomen/server'
import { inject } from '@nomen/testing/inject'
import { testDatabase } from '@nomen/testing/test-database'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { directoryService } from '../src/index.ts'
import { askByClient, sent } from './client-door.ts'
import { expectPromised } from './contract.ts'

/** Whether requests go through the typed client where it can make them. */
const isByClient = process.env.NOMEN_TEST_DOOR === 'client'

type Headers = Record<string, string>
type Method = 'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'TRACE' | 'PROPFIND'
export type App = Awaited<ReturnType<typeof open>>

export interface Answer<Body> {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Body
  readonly text: string
}

export interface Envelope<Item> {
  readonly pageInfo: { pageSize: number; pageNumber: number; numberOfPages: number; numberOfRecords: number }
  readonly results: Item[]
}

export interface Service {
  readonly app: App
  get<Body = unknown>(url: string, headers?: Headers): Promise<Answer<Body>>
  head(url: string, headers?: Headers): Promise<Answer<unknown>>
  post<Body = unknown>(url: string, body: unknown, headers?: Headers): Promise<Answer<Body>>
  put<Body = unknown>(url: string, body?: unknown, headers?: Headers): Promise<Answer<Body>>
  patch<Body = unknown>(url: string, body: unknown, headers?: Headers): Promise<Answer<Body>>
  del<Body = unknown>(url: string, headers?: Headers): Promise<Answer<Body>>
  /** Sends the payload as it stands, with no header but those given. */
  send<Body = unknown>(method: Method, url: string, payload?: string | Buffer, headers?: Headers): Promise<Answer<Body>>
  /** Every record of a paginated list. */
  all<Item>(url: string): Promise<Item[]>
}

/** One service for all tests of a file: for files that only read, or that make what they change. */
export function openedOnce(users = 20): Service {
  const held: { app?: App } = {}
  beforeAll(async () => {
    held.app = await openDirectory(users)
  })
  afterAll(() => held.app?.close())
  expectClient()
  return asking(() => held.app as App)
}

/** A new service for each test. */
export function openedEach(users = 20): Service {
  const held: { app?: App } = {}
  beforeEach(async () => {
    held.app = await openDirectory(users)
  })
  afterEach(() => held.app?.close())
  expectClient()
  return asking(() => held.app as App)
}

/** What answers as the documents of the directory promise, to anyone or to those with a token. */
const directories = new WeakMap<App, 'open' | 'secured'>()

/** Where requests are to go through the client, some have. */
function expectClient(): void {
  if (isByClient) afterAll(() => expect(sent.number).toBeGreaterThan(0))
}

/** Nobody is refused because the machine is busy with other tests. */
const unhurried: Partial<Settings> = { waitLimit: 0 }

/** The directory with that many users, on a database of its own. */
export async function openDirectory(users: number, settings: Partial<Settings> = {}): Promise<App> {
  const service = directoryService({ users })
  const { address, remove } = await testDatabase({
    name: `directory_${users}`,
    fill: async (url) => (await open(service, { database: url })).close(),
  })
  const app = removing(await open(service, { database: address, ...unhurried, ...settings }), remove)
  directories.set(app, settings.auth ? 'secured' : 'open')
  return app
}

/** Any service, on an empty database of its own. */
export async function openFresh(service: Served, settings: Partial<Settings> = {}): Promise<App> {
  const { address, remove } = await testDatabase()
  return removing(await open(service, { database: address, ...unhurried, ...settings }), remove)
}

function removing(app: App, remove: () => Promise<void>): App {
  const close = async () => {
    await app.close()
    await remove()
  }
  return { ...app, close }
}

/** Asks any opened service. */
export function asking(app: () => App): Service {
  const send = async <Body>(method: Method, url: string, payload?: string | Buffer, headers: Headers = {}) => {
    const asked = { method, url, headers, ...(payload !== undefined && { payload }) }
    const given = (isByClient && (await askByClient(app(), asked))) || (await inject(app(), asked))
    const isJson = /json/.test(`${given.headers['content-type']}`) && given.body !== ''
    const answer = {
      status: given.statusCode,
      headers: given.headers as Headers,
      body: (isJson ? given.json() : undefined) as Body,
      text: given.body,
    }
    expectLikeAllOthers(method, url, answer)
    const promised = directories.get(app())
    if (promised) expectPromised(method, url, answer, promised)
    return answer
  }
  const sendJson = <Body>(method: Method, url: string, body: unknown, headers: Headers = {}) =>
    body === undefined
      ? send<Body>(method, url, undefined, headers)
      : send<Body>(method, url, JSON.stringify(body), { 'content-type': 'application/json', ...headers })
  return {
    get app() {
      return app()
    },
    send,
    get: (url, headers) => send('GET', url, undefined, headers),
    head: (url, headers) => send('HEAD', url, undefined, headers),
    del: (url, headers) => send('DELETE', url, undefined, headers),
    post: (url, body, headers) => sendJson('POST', url, body, headers),
    put: (url, body, headers) => sendJson('PUT', url, body, headers),
    patch: (url, body, headers) => sendJson('PATCH', url, body, headers),
    all: async <Item>(url: string) => {
      const answer = await send<Envelope<Item>>('GET', `${url}${url.includes('?') ? '&' : '?'}pageSize=1000`)
      expect(answer.status, url).toBe(200)
      expect(answer.body.pageInfo.numberOfRecords, url).toBe(answer.body.results.length)
      return answer.body.results
    },
  }
}

/** Whatever was asked: a request id, JSON or a whole problem document, and never a failure of the service. */
function expectLikeAllOthers(method: string, url: string, { status, headers, body, text }: Answer<unknown>): void {
  const what = `${method} ${url.slice(0, 200)} gives ${status} ${text.slice(0, 500)}`
  expect([500, 503], what).not.toContain(status)
  expect(headers['x-request-id'], what).toMatch(/./)
  if (method === 'HEAD') expect(text, what).toBe('')
  else if (status >= 400) expectProblemDocument(body as Problem, status, headers['content-type'], what)
  else if (text !== '') expect(headers['content-type'], what).toMatch(/^application\/json(; ?charset=utf-8)?$/)
}

/** All members of a problem document, its status, title and type as the table of codes has them. */
export function expectProblemDocument(given: Problem, status: number, type: string | undefined, what = ''): void {
  expect(type, what).toMatch(/^application\/problem\+json(; ?charset=utf-8)?$/)
  expect(Object.keys(problems), what).toContain(given.code)
  const [declaredStatus, title] = problems[given.code]
  expect(given, what).toMatchObject({ type: `urn:nomen:problem:${given.code}`, title, status: declaredStatus })
  expect(status, what).toBe(declaredStatus)
  expect(given.detail, what).toEqual(expect.stringMatching(/[.?!]$/))
  const {
    type: _type,
    title: _title,
    status: _status,
    detail: _detail,
    code: _code,
    hint = 'x',
    errors,
    ...more
  } = given
  expect(hint, what).toEqual(expect.stringMatching(/\S/))
  expect(more, what).toEqual({})
  if (errors === undefined) return
  expect(errors.length, what).toBeGreaterThan(0)
  for (const { detail, pointer, parameter, ...rest } of errors) {
    expect(detail, what).toEqual(expect.stringMatching(/\S/))
    expect(typeof pointer === 'string' || typeof parameter === 'string', what).toBe(true)
    expect(rest, what).toEqual({})
  }
}

/** The answer is this problem, and its detail names each of the given words. */
export function expectProblem(answer: Answer<unknown>, code: Problem['code'], ...words: string[]): Problem {
  const problem = answer.body as Problem
  expect(problem, `${answer.status} ${answer.text.slice(0, 300)}`).toMatchObject({ code, status: answer.status })
  for (const word of words) expect(problem.detail).toContain(word)
  return problem
}

/** The methods that an answer allows, in alphabetical order. */
export function allowed({ headers }: Answer<unknown>): string[] {
  return (headers.allow ?? '').split(', ').sort()
}

/** The problem asks whether that name was meant. */
export function expectSuggestion({ detail, hint }: Problem, name: string): void {
  expect(`${detail} ${hint}`).toMatch(new RegExp(`did you mean "?${name}"?\\?`, 'i'))
  expect(detail).not.toMatch(/\?\.$/)
}
