/** The check accepts documents and services that are unusual, but follow the conventions. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CheckOptions, type CheckReport, checkService } from '@nomen/conventions'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { libraryFetch } from './library.ts'
import type { Behavior } from './library-behavior.ts'
import { libraryDocument } from './library-document.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

function check(behavior: Partial<Behavior>, options: Partial<CheckOptions> = {}): Promise<CheckReport> {
  vi.stubGlobal('fetch', libraryFetch(behavior))
  return checkService({ base: 'http://library', seed: 'a', ...options })
}

const outcomesOf = ({ results }: CheckReport, code: string, subject: string) =>
  results.filter((result) => result.code === code && result.subject === subject).map(({ outcome }) => outcome)

const failures = ({ results }: CheckReport) => results.filter(({ outcome }) => outcome === 'failed')

function folder(files: Readonly<Record<string, string>>): string {
  const path = mkdtempSync(join(tmpdir(), 'nomen-'))
  onTestFinished(() => rmSync(path, { recursive: true }))
  for (const [name, content] of Object.entries(files)) writeFileSync(join(path, name), content)
  return path
}

/** The library below `/v1`. Another path does not exist. */
const versioned: Partial<Behavior> = {
  onRequest: (request) => {
    const [first = '', ...others] = request.parts
    if (first === 'openapi.json') return request
    return { ...request, parts: first === 'v1' ? others : ['nowhere'] }
  },
}

describe('the URL of the service', () => {
  it('is found if the first path of the document has no GET', async () => {
    const login = { post: { responses: { 200: { description: 'd' } } } }
    const report = await check({
      ...versioned,
      document: ({ paths, ...document }) => ({
        ...document,
        servers: [{ url: '/v1' }],
        paths: { '/login': login, ...paths },
      }),
    })
    expect(failures(report)).toEqual([])
  })

  it('may have variables', async () => {
    const url = 'https://{region}.example.com/{version}'
    const variables = { region: { default: 'eu' }, version: { default: 'v1' } }
    const report = await check({
      ...versioned,
      document: (document) => ({ ...document, servers: [{ url, variables }] }),
    })
    expect(failures(report)).toEqual([])
  })
})

it('the token is sent only to the host of the service', async () => {
  const documentFetch = libraryFetch({})
  const tokensByHost = new Map<string, Set<string | null>>()
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    const { host } = new URL(url)
    const tokens = tokensByHost.get(host) ?? new Set()
    tokensByHost.set(host, tokens.add(new Headers(init.headers).get('authorization')))
    return documentFetch(url, init)
  })
  await checkService({ base: 'http://library', document: 'http://documents/openapi.json', token: 'secret', seed: 'a' })
  expect([...tokensByHost]).toEqual([
    ['documents', new Set([null])],
    ['library', new Set(['Bearer secret'])],
  ])
})

describe('responses are compared with', () => {
  it('schemas in other files', async () => {
    const document = libraryDocument()
    const { properties, ...schema } = document.components.schemas.book
    const book = { ...schema, properties: { ...properties, title: { $ref: '#/$defs/title' } } }
    const path = folder({
      'openapi.json': JSON.stringify({
        ...document,
        components: { schemas: { ...document.components.schemas, book: { $ref: 'book.json' } } },
      }),
      'book.json': JSON.stringify({ ...book, $defs: { title: { type: 'integer' } } }),
    })
    const report = await check({}, { document: join(path, 'openapi.json') })
    expect(outcomesOf(report, 'document-agrees', 'GET /book/{id}')).toEqual(['failed'])
  })

  it('schemas of OpenAPI 3.0 that are nullable, but have no type of their own', async () => {
    const report = await check({
      document: (document) => {
        document.openapi = '3.0.3'
        document.components.schemas.book.properties.note = { nullable: true, allOf: [{ type: 'string' }] }
        return document
      },
    })
    expect(outcomesOf(report, 'document-agrees', 'GET /book/{id}')).toEqual(['passed'])
  })
})

it('a lookup is not requested for a record without the property', async () => {
  const report = await check({
    onResponse: (response, { parts }) => {
      const { isbn, ...book } = response.body as Record<string, unknown>
      return parts[0] === 'book' && Number(parts[1]) % 2 === 1 ? { ...response, body: book } : response
    },
  })
  expect(outcomesOf(report, 'lookup', '/book')).toEqual(['passed'])
})

it('every lookup is checked, even if no record has a value for another one', async () => {
  const report = await check({
    document: (document) => {
      const { '/book/by-isbn/{isbn}': byIsbn, ...paths } = document.paths
      return { ...document, paths: { '/book/by-note/{note}': byIsbn, ...paths, '/book/by-isbn/{isbn}': byIsbn } }
    },
    onResponse: (response, { parts }) => {
      if (parts[1] === 'by-isbn') return { ...response, status: 500 }
      const isBook = parts[0] === 'book' && parts.length === 2
      return isBook && response.status === 200
        ? { ...response, body: { ...(response.body as object), note: null } }
        : response
    },
  })
  expect(outcomesOf(report, 'lookup', '/book')).toEqual(['failed'])
})

it('a method in the document is not called to check unknown methods', async () => {
  const patches: string[] = []
  const report = await check(
    {
      document: (document) => {
        document.paths['/book'].patch = { responses: { 200: { description: 'Changes several books.' } } }
        return document
      },
      onResponse: (response, { method, parts, target }) => {
        if (method !== 'PATCH' || parts.length !== 1) return response
        patches.push(target)
        return { ...response, status: 200 }
      },
    },
    { isWriting: true },
  )
  expect(patches).not.toContain('/book')
  expect(outcomesOf(report, 'unknown-method', '/book')).toEqual(['passed'])
})

it('a PATCH may have read-only properties that only responses require', async () => {
  const report = await check({
    document: (document) => {
      const { schemas } = document.components
      schemas['book-change'].properties.id = schemas.book.properties.id
      schemas['book-change'].required = ['id']
      return document
    },
  })
  expect(outcomesOf(report, 'update-shape', 'the document')).toEqual(['passed'])
})
