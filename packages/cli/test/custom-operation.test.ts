// Custom operations in the tools: lint accepts them, check does not call them, and diff compares them.

import { join } from 'node:path'
import { checkService, diff, lintApis, lintDocument, type OpenApiDocument } from '@nomen/conventions'
import { api, choice, identity, integer, noun, operation, reference, resource, text } from '@nomen/core'
import { openapi, readOpenApi } from '@nomen/core/openapi'
import { handle, open, service } from '@nomen/server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { collectionsOf } from '../src/new/from/document/collection.ts'
import type { Note } from '../src/new/from/note.ts'
import { serviceFolder } from './folder.ts'

const ticket = noun('ticket', { id: identity(), title: text(), status: choice('OPEN', 'CLOSED').default('OPEN') })
const step = noun('step', { id: identity(), ticket: reference(() => ticket), title: text().unique() })

const reopening = operation({
  method: 'POST',
  on: 'record',
  body: { reason: text(), step: reference(() => step).nullable() },
  response: { status: choice('OPEN'), step: reference(() => step).nullable() },
  problems: ['rule-broken'],
  summary: 'Reopen a ticket',
})
const digest = operation({
  method: 'GET',
  on: 'collection',
  query: { status: choice('OPEN', 'CLOSED').nullable(), size: integer({ min: 1 }) },
  response: { count: integer(), results: integer() },
})
const tally = operation({
  method: 'GET',
  on: 'collection',
  response: [{ status: choice('OPEN', 'CLOSED'), step: reference(() => step).nullable(), count: integer() }],
})
const lock = operation({ method: 'PUT', on: 'record', body: { reason: text().default('') } })
const unlock = operation({ method: 'DELETE', on: 'record' })
const renewal = operation({ method: 'POST', on: 'collection', body: { size: integer() } })
const operations = { reopening, digest, tally, lock: [lock, unlock], renewal } as const
const nested = { draft: operation({ method: 'DELETE', on: 'collection' }) }

const desk = api('desk', {
  versioning: 'per-noun',
  writes: 'nested',
  resources: [resource(ticket, { operations, children: [resource(step, { operations: nested })] })],
})
const flat = api('flat', {
  version: 1,
  versioning: 'whole',
  writes: 'flat',
  resources: [resource(ticket, { operations, children: [resource(step)] }), resource(step, { operations: nested })],
})
const before = api('desk', {
  versioning: 'per-noun',
  writes: 'nested',
  resources: [resource(ticket, { children: [resource(step)] })],
})

const linted = (document: unknown) =>
  lintDocument(join(serviceFolder({ 'openapi.json': JSON.stringify(document) }), 'openapi.json'))

const asDocument = (value: unknown) => JSON.parse(JSON.stringify(value)) as OpenApiDocument
const document = asDocument(openapi(desk, { isSecured: true }))
// biome-ignore lint/suspicious/noExplicitAny: a test knows the shape of the document
const loose = document as any

describe('the document', () => {
  const { post } = loose.paths['/ticket/{ticketId}/reopening']

  it('has the body, the responses and the problems of an operation', () => {
    expect([post.operationId, post.summary, post['x-nomen-kind'], post.security]).toEqual([
      'ticket.reopening.post',
      'Reopen a ticket',
      'custom',
      [{ bearer: ['ticket:write'] }],
    ])
    expect(Object.keys(post.responses)).toEqual(['200', '400', '401', '403', '404', '413', '415', '422', '500', '503'])
    const { TicketReopeningBody: body, TicketReopeningResponse: response } = loose.components.schemas
    expect(post.requestBody.content['application/json'].schema.$ref).toMatch(/TicketReopeningBody$/)
    expect([body.required, body.additionalProperties, body.properties.step]).toEqual([
      ['reason'],
      false,
      expect.objectContaining({ type: ['integer', 'null'], default: null, 'x-nomen-reference': 'step' }),
    ])
    expect([response.required, response.properties.step.default]).toEqual([['status', 'step'], undefined])
  })

  it('has the query parameters of an operation, and a response without a body', () => {
    const { get } = loose.paths['/ticket/digest']
    const parameters = get.parameters.filter((parameter: { in?: string }) => parameter.in === 'query')
    expect(parameters.map(({ name, required }: { name: string; required?: true }) => [name, required])).toEqual([
      ['status', undefined],
      ['size', true],
    ])
    const { put, delete: remove } = loose.paths['/ticket/{ticketId}/lock']
    expect([Object.keys(put.responses)[0], put.responses[204].content, Object.keys(remove.responses)[0]]).toEqual([
      '204',
      undefined,
      '204',
    ])
  })

  it('has a response with an array, and the properties of its objects', () => {
    const { schema, example } = loose.paths['/ticket/tally'].get.responses[200].content['application/json']
    expect(schema).toEqual({ type: 'array', items: { $ref: '#/components/schemas/TicketTallyResponse' } })
    const { required, properties } = loose.components.schemas.TicketTallyResponse
    expect([required, properties.step]).toEqual([
      ['status', 'step', 'count'],
      expect.objectContaining({ type: ['integer', 'null'], 'x-nomen-reference': 'step' }),
    ])
    expect(example).toEqual([{ status: 'OPEN', step: expect.anything(), count: expect.any(Number) }])
  })
})

describe('the lint', () => {
  it('has no findings for them, in a document and in a declaration', async () => {
    // Paths with the names of root resources.
    const alike = api('flat', {
      version: 1,
      versioning: 'whole',
      writes: 'flat',
      resources: [resource(ticket, { operations: { step: reopening } }), resource(step)],
    })
    for (const declared of [desk, flat, alike]) {
      expect((await linted(openapi(declared))).findings).toEqual([])
      expect(lintApis([declared], 'service.ts').findings).toEqual([])
    }
  })

  it('reports a path segment that is a verb', async () => {
    const verbal = api('desk', {
      versioning: 'per-noun',
      writes: 'nested',
      resources: [resource(ticket, { operations: { reopen: reopening } })],
    })
    const codes = ['verb-path-segment']
    expect((await linted(openapi(verbal))).findings.map(({ code }) => code)).toEqual(codes)
    expect(lintApis([verbal], 'service.ts').findings.map(({ code }) => code)).toEqual(codes)
  })
})

it('the check does not call them, and passes', async () => {
  const calls: string[] = []
  const note = (name: string, result?: unknown) => (): never => {
    calls.push(name)
    return result as never
  }
  const handlers = [
    handle(ticket, reopening, note('reopening', { status: 'OPEN' })),
    handle(ticket, digest, note('digest', { count: 1, results: 1 })),
    handle(ticket, tally, note('tally', [])),
    handle(ticket, lock, note('lock')),
    handle(ticket, unlock, note('unlock')),
    handle(ticket, renewal, note('renewal')),
    handle(step, nested.draft, note('draft')),
  ]
  const sample = () => [
    { noun: 'ticket', rows: [1, 2, 3].map((id) => ({ id, title: `t${id}`, status: 'OPEN' })) },
    { noun: 'step', rows: [1, 2, 3].map((id) => ({ id, ticket: id, title: `s${id}` })) },
  ]
  const app = await open(service({ name: 'desk', apis: [desk], handlers, sample }), { database: 'sqlite::memory:' })
  onTestFinished(() => app.close())
  const base = await app.listen({ port: 0 })
  const { results } = await checkService({ base, isWriting: true, isStrict: true, fuzz: 300, seed: 'own' })
  expect(results.filter(({ outcome }) => outcome === 'failed')).toEqual([])
  expect(results.filter(({ outcome }) => outcome === 'passed').length).toBeGreaterThan(20)
  expect(calls).toEqual([])
})

it('the diff reports added and removed operations', () => {
  const old = asDocument(openapi(before))
  const next = asDocument(openapi(desk))
  const codes = (from: OpenApiDocument, to: OpenApiDocument) => diff(from, to).changes.map(({ code }) => code)
  expect(codes(old, next)).toEqual(Array(7).fill('operation-added'))
  expect(codes(next, old)).toEqual(Array(7).fill('operation-removed'))
})

it('the diff reports a response that becomes an array, and removed properties of its objects', () => {
  const documentWith = (response: Parameters<typeof operation>[0]['response']) =>
    asDocument(
      openapi(
        api('desk', {
          versioning: 'per-noun',
          writes: 'nested',
          resources: [
            resource(ticket, {
              operations: { tally: operation({ method: 'GET', on: 'collection', response } as never) },
            }),
          ],
        }),
      ),
    )
  const [single, list, less] = [
    documentWith({ count: integer(), status: text() }),
    documentWith([{ count: integer(), status: text() }]),
    documentWith([{ count: integer() }]),
  ]
  const breaks = (from: OpenApiDocument, to: OpenApiDocument) =>
    diff(from, to).changes.map(({ code, isBreaking, message }) => [code, isBreaking, message])
  expect(breaks(single, list)).toEqual([['response-field-retyped', true, 'response 200 changed from object to array.']])
  expect(breaks(list, less)).toEqual([['response-field-removed', true, expect.stringContaining('status')]])
  expect(breaks(less, list)).toEqual([['response-field-added', false, expect.stringContaining('status')]])
})

it('a project from the document omits them, and notes this', () => {
  const notes: Note[] = []
  const collections = collectionsOf(readOpenApi(document), (note) => notes.push(note))
  expect(collections.map(({ noun: name }) => name)).toEqual(['ticket', 'step'])
  expect(notes.filter(({ text: message }) => message.includes('operation()')).map(({ source }) => source)).toContain(
    'POST /ticket/{ticketId}/reopening',
  )
})
