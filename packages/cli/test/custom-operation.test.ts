// What the tools make of operations of a service's own: a document of them is clean, a check leaves them alone, a diff sees them.

import { join } from 'node:path'
import { checkService, diff, lintApis, lintDocument, type OpenApiDocument } from '@nomen/conventions'
import { api, choice, identity, integer, noun, operation, reference, resource, text } from '@nomen/core'
import { openapi, readOpenApi } from '@nomen/core/openapi'
import { handle, open, service } from '@nomen/server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { collectionsOf } from '../src/new/from/document-collection.ts'
import type { Note } from '../src/new/from/note.ts'
import { serviceFolder } from './folder.ts'

const ticket = noun('ticket', { id: identity(), title: text(), status: choice('OPEN', 'CLOSED').default('OPEN') })
const step = noun('step', { id: identity(), ticket: reference(() => ticket), title: text().unique() })

const reopening = operation({
  method: 'POST',
  on: 'record',
  body: { reason: text(), step: reference(() => step).nullable() },
  answer: { status: choice('OPEN'), step: reference(() => step).nullable() },
  problems: ['rule-broken'],
  summary: 'Reopen a ticket',
})
const digest = operation({
  method: 'GET',
  on: 'collection',
  query: { status: choice('OPEN', 'CLOSED').nullable(), size: integer({ min: 1 }) },
  answer: { count: integer(), results: integer() },
})
const tally = operation({
  method: 'GET',
  on: 'collection',
  answer: [{ status: choice('OPEN', 'CLOSED'), step: reference(() => step).nullable(), count: integer() }],
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
// biome-ignore lint/suspicious/noExplicitAny: a test knows what it looks for
const loose = document as any

describe('the document', () => {
  const { post } = loose.paths['/ticket/{ticketId}/reopening']

  it('says what the operation takes, answers and may be refused with', () => {
    expect([post.operationId, post.summary, post['x-nomen-kind'], post.security]).toEqual([
      'ticket.reopening.post',
      'Reopen a ticket',
      'custom',
      [{ bearer: ['ticket:write'] }],
    ])
    expect(Object.keys(post.responses)).toEqual(['200', '400', '401', '403', '404', '413', '415', '422', '500', '503'])
    const { TicketReopeningBody: body, TicketReopeningAnswer: answer } = loose.components.schemas
    expect(post.requestBody.content['application/json'].schema.$ref).toMatch(/TicketReopeningBody$/)
    expect([body.required, body.additionalProperties, body.properties.step]).toEqual([
      ['reason'],
      false,
      expect.objectContaining({ type: ['integer', 'null'], default: null, 'x-nomen-reference': 'step' }),
    ])
    expect([answer.required, answer.properties.step.default]).toEqual([['status', 'step'], undefined])
  })

  it('says its query parameters, and that nothing is answered', () => {
    const { get } = loose.paths['/ticket/digest']
    const parameters = get.parameters.filter((one: { in?: string }) => one.in === 'query')
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

  it('says that a list is answered, and what each of its objects has', () => {
    const { schema, example } = loose.paths['/ticket/tally'].get.responses[200].content['application/json']
    expect(schema).toEqual({ type: 'array', items: { $ref: '#/components/schemas/TicketTallyAnswer' } })
    const { required, properties } = loose.components.schemas.TicketTallyAnswer
    expect([required, properties.step]).toEqual([
      ['status', 'step', 'count'],
      expect.objectContaining({ type: ['integer', 'null'], 'x-nomen-reference': 'step' }),
    ])
    expect(example).toEqual([{ status: 'OPEN', step: expect.anything(), count: expect.any(Number) }])
  })
})

describe('the lint', () => {
  it('has nothing to say of them, from a document and from a declaration', async () => {
    // Named as what is written at the root.
    const alike = api('flat', {
      version: 1,
      versioning: 'whole',
      writes: 'flat',
      resources: [resource(ticket, { operations: { step: reopening } }), resource(step)],
    })
    for (const one of [desk, flat, alike]) {
      expect((await linted(openapi(one))).findings).toEqual([])
      expect(lintApis([one], 'service.ts').findings).toEqual([])
    }
  })

  it('knows a verb where it sees one', async () => {
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

it('the check neither calls them nor trips over them', async () => {
  const called: string[] = []
  const note = (name: string, given?: unknown) => (): never => {
    called.push(name)
    return given as never
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
  expect(called).toEqual([])
}, 60_000)

it('the diff sees them come, and go', () => {
  const old = asDocument(openapi(before))
  const next = asDocument(openapi(desk))
  const codes = (from: OpenApiDocument, to: OpenApiDocument) => diff(from, to).changes.map(({ code }) => code)
  expect(codes(old, next)).toEqual(Array(7).fill('operation-added'))
  expect(codes(next, old)).toEqual(Array(7).fill('operation-removed'))
})

it('the diff sees an answer become a list, and what the objects of a list lose', () => {
  const answering = (answer: Parameters<typeof operation>[0]['answer']) =>
    asDocument(
      openapi(
        api('desk', {
          versioning: 'per-noun',
          writes: 'nested',
          resources: [
            resource(ticket, {
              operations: { tally: operation({ method: 'GET', on: 'collection', answer } as never) },
            }),
          ],
        }),
      ),
    )
  const [one, list, less] = [
    answering({ count: integer(), status: text() }),
    answering([{ count: integer(), status: text() }]),
    answering([{ count: integer() }]),
  ]
  const breaks = (from: OpenApiDocument, to: OpenApiDocument) =>
    diff(from, to).changes.map(({ code, isBreaking, message }) => [code, isBreaking, message])
  expect(breaks(one, list)).toEqual([['response-field-retyped', true, 'answer 200 was object, is array.']])
  expect(breaks(list, less)).toEqual([['response-field-removed', true, expect.stringContaining('status')]])
  expect(breaks(less, list)).toEqual([['response-field-added', false, expect.stringContaining('status')]])
})

it('a project that is made from the document leaves them out, and says so', () => {
  const notes: Note[] = []
  const found = collectionsOf(readOpenApi(document), (note) => notes.push(note))
  expect(found.map(({ noun: name }) => name)).toEqual(['ticket', 'step'])
  expect(notes.filter(({ text: said }) => said.includes('operation()')).map(({ place }) => place)).toContain(
    'POST /ticket/{ticketId}/reopening',
  )
})
