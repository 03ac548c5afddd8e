/** Opens the directory in this process and sends requests. Checks the common properties of every response. */

import { type Problem, problems } from '@nomen/core'
import { open, type Service as Served, type Settings } from '@nomen/server'
import { inject } from '@nomen/testing/inject'
import { throughPooler } from '@nomen/testing/pooler'
import { testDatabase } from '@nomen/testing/test-database'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { directoryService } from '../src/index.ts'
import { expectDocumented } from './contract.ts'
import { clientRequests, sendByClient } from './send-by-client.ts'

/** Whether requests go through the typed client, if it supports them. */
const isByClient = process.env.NOMEN_TEST_TRANSPORT === 'client'

type Headers = Record<string, string>
type Method = 'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'TRACE' | 'PROPFIND'
export type App = Awaited<ReturnType<typeof open>>

export interface TestResponse<Body> {
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
  get<Body = unknown>(url: string, headers?: Headers): Promise<TestResponse<Body>>
  head(url: string, headers?: Headers): Promise<TestResponse<unknown>>
  post<Body = unknown>(url: string, body: unknown, headers?: Headers): Promise<TestResponse<Body>>
  put<Body = unknown>(url: string, body?: unknown, headers?: Headers): Promise<TestResponse<Body>>
  patch<Body = unknown>(url: string, body: unknown, headers?: Headers): Promise<TestResponse<Body>>
  del<Body = unknown>(url: string, headers?: Headers): Promise<TestResponse<Body>>
  /** Sends the payload unchanged, with only these headers. */
  send<Body = unknown>(
    method: Method,
    url: string,
    payload?: string | Buffer,
    headers?: Headers,
  ): Promise<TestResponse<Body>>
  /** Every record of a paginated list. */
  listAll<Item>(url: string): Promise<Item[]>
}

/** One service for all tests of a file. These tests only read, or change only records that they have created. */
export function openOnce(users = 20): Service {
  const state: { app?: App } = {}
  beforeAll(async () => {
    state.app = await openDirectory(users)
  })
  afterAll(() => state.app?.close())
  expectClient()
  return requestsTo(() => state.app as App)
}

/** A new service for each test. */
export function openEach(users = 20): Service {
  const state: { app?: App } = {}
  beforeEach(async () => {
    state.app = await openDirectory(users)
  })
  afterEach(() => state.app?.close())
  expectClient()
  return requestsTo(() => state.app as App)
}

/** Services whose responses are checked against the OpenAPI documents, without or with authentication. */
const directories = new WeakMap<App, 'open' | 'secured'>()

/** Checks that some requests went through the client. */
function expectClient(): void {
  if (!isByClient) return
  let before = 0
  beforeAll(() => {
    before = clientRequests.count
  })
  afterAll(() => expect(clientRequests.count).toBeGreaterThan(before))
}

/** Disables load shedding, so that a slow machine does not cause 503. */
const withoutLoadShedding: Partial<Settings> = { waitLimitMs: 0 }

/** Opens the directory with this many users on a new database. */
export async function openDirectory(users: number, settings: Partial<Settings> = {}): Promise<App> {
  const service = directoryService({ users })
  const { address, remove } = await testDatabase({
    name: `directory_${users}`,
    fill: async (url) => (await open(service, { database: url })).close(),
  })
  const app = withDatabaseRemoval(
    await open(service, throughPooler({ database: address, ...withoutLoadShedding, ...settings })),
    remove,
  )
  directories.set(app, settings.auth ? 'secured' : 'open')
  return app
}

/** Opens any service on a new, empty database. */
export async function openFresh(service: Served, settings: Partial<Settings> = {}): Promise<App> {
  const { address, remove } = await testDatabase()
  const all = throughPooler({ database: address, ...withoutLoadShedding, ...settings })
  return withDatabaseRemoval(await open(service, all), remove)
}

function withDatabaseRemoval(app: App, remove: () => Promise<void>): App {
  const close = async () => {
    await app.close()
    await remove()
  }
  return { ...app, close }
}

/** Functions that send requests to an open service. */
export function requestsTo(app: () => App): Service {
  const send = async <Body>(method: Method, url: string, payload?: string | Buffer, headers: Headers = {}) => {
    const request = { method, url, headers, ...(payload !== undefined && { payload }) }
    const injected = (isByClient && (await sendByClient(app(), request))) || (await inject(app(), request))
    const isJson = /json/.test(`${injected.headers['content-type']}`) && injected.body !== ''
    const response = {
      status: injected.statusCode,
      headers: injected.headers as Headers,
      body: (isJson ? injected.json() : undefined) as Body,
      text: injected.body,
    }
    expectCommonProperties(method, url, response)
    const documentKind = directories.get(app())
    if (documentKind) expectDocumented(method, url, response, documentKind)
    return response
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
    listAll: async <Item>(url: string) => {
      const response = await send<Envelope<Item>>('GET', `${url}${url.includes('?') ? '&' : '?'}pageSize=1000`)
      expect(response.status, url).toBe(200)
      expect(response.body.pageInfo.numberOfRecords, url).toBe(response.body.results.length)
      return response.body.results
    },
  }
}

/** Every response has a request ID, and JSON or a complete problem document, and never status 500. */
function expectCommonProperties(
  method: string,
  url: string,
  { status, headers, body, text }: TestResponse<unknown>,
): void {
  const description = `${method} ${url.slice(0, 200)} gives ${status} ${text.slice(0, 500)}`
  expect([500, 503], description).not.toContain(status)
  expect(headers['x-request-id'], description).toMatch(/./)
  if (method === 'HEAD') expect(text, description).toBe('')
  else if (status >= 400) expectProblemDocument(body as Problem, status, headers['content-type'], description)
  else if (text !== '') expect(headers['content-type'], description).toMatch(/^application\/json(; ?charset=utf-8)?$/)
}

/** Checks the members of a problem document. The status, title and type must match the table of codes. */
export function expectProblemDocument(
  problem: Problem,
  status: number,
  type: string | undefined,
  description = '',
): void {
  expect(type, description).toMatch(/^application\/problem\+json(; ?charset=utf-8)?$/)
  expect(Object.keys(problems), description).toContain(problem.code)
  const [declaredStatus, title] = problems[problem.code]
  expect(problem, description).toMatchObject({
    type: `urn:nomen:problem:${problem.code}`,
    title,
    status: declaredStatus,
  })
  expect(status, description).toBe(declaredStatus)
  expect(problem.detail, description).toEqual(expect.stringMatching(/[.?!]$/))
  const {
    type: _type,
    title: _title,
    status: _status,
    detail: _detail,
    code: _code,
    hint = 'x',
    errors,
    ...otherMembers
  } = problem
  expect(hint, description).toEqual(expect.stringMatching(/\S/))
  expect(otherMembers, description).toEqual({})
  if (errors === undefined) return
  expect(errors.length, description).toBeGreaterThan(0)
  for (const { detail, pointer, parameter, ...otherMembers } of errors) {
    expect(detail, description).toEqual(expect.stringMatching(/\S/))
    expect(typeof pointer === 'string' || typeof parameter === 'string', description).toBe(true)
    expect(otherMembers, description).toEqual({})
  }
}

/** Checks that the response is this problem, and that its detail contains each of the words. */
export function expectProblem(response: TestResponse<unknown>, code: Problem['code'], ...words: string[]): Problem {
  const problem = response.body as Problem
  expect(problem, `${response.status} ${response.text.slice(0, 300)}`).toMatchObject({ code, status: response.status })
  for (const word of words) expect(problem.detail).toContain(word)
  return problem
}

/** The methods in Allow, in alphabetical order. */
export function allowedMethods({ headers }: TestResponse<unknown>): string[] {
  return (headers.allow ?? '').split(', ').sort()
}

/** Checks that the problem suggests this name. */
export function expectSuggestion({ detail, hint }: Problem, name: string): void {
  expect(`${detail} ${hint}`).toMatch(new RegExp(`did you mean "?${name}"?\\?`, 'i'))
  expect(detail).not.toMatch(/\?\.$/)
}
