// Custom operations, from our documents and from another one.
import { api, choice, identity, integer, noun, operation, reference, resource, text } from '@nomen/core'
import { openapi } from '@nomen/core/openapi'
import { describe, expect, it } from 'vitest'
import { libraryDocument } from '../../../test/library-document.ts'
import { type Action, actionForm, actionRequest, initialInputs, inputKey } from './action.ts'
import type { Json } from './openapi.ts'
import { recordActions } from './relation.ts'
import { serviceOf } from './service.ts'

const person = noun('person', { id: identity(), name: text() })
const ticket = noun('ticket', { id: identity(), title: text() })
const step = noun('step', { id: identity(), ticket: reference(() => ticket), title: text() })
const operations = {
  reopening: operation({
    method: 'POST',
    on: 'record',
    body: { reason: text(), person: reference(() => person).nullable(), level: choice('LOW', 'HIGH').default('LOW') },
    summary: 'Reopen a ticket',
  }),
  lock: [operation({ method: 'PUT', on: 'record' }), operation({ method: 'DELETE', on: 'record' })],
  digest: operation({
    method: 'GET',
    on: 'collection',
    query: { size: integer(), level: choice('LOW', 'HIGH').nullable() },
    response: { count: integer() },
  }),
} as const
const flat = api('flat', {
  version: 1,
  versioning: 'whole',
  writes: 'flat',
  resources: [
    resource(person),
    resource(ticket, { operations, children: [resource(step)] }),
    resource(step, { operations: { move: operation({ method: 'POST', on: 'record' }) } }),
  ],
})

const document = JSON.parse(JSON.stringify(openapi(flat))) as Json
const flatService = serviceOf('flat', [{ document, base: '' }])
const library = serviceOf('library', [{ document: libraryDocument, base: '' }])

const titles = (actions: readonly Action[] = []) => actions.map(({ title }) => title)
const find = (actions: readonly Action[], title: string): Action => {
  const found = actions.find((action) => action.title === title)
  if (!found) throw new Error(`There is no ${title}.`)
  return found
}
const at = (service: typeof flatService, path: string) => {
  const found = service.collections.find((collection) => collection.path === path)
  if (!found) throw new Error(`There is no ${path}.`)
  return found
}

describe('the actions of a service', () => {
  it('have the titles of the document, and the method if titles are equal', () => {
    const { record, collection } = at(flatService, '/v1/ticket').actions
    expect(titles(record)).toEqual(['Reopen a ticket', 'Lock (PUT)', 'Lock (DELETE)'])
    expect(titles(collection)).toEqual(['Digest'])
  })

  it('are offered wherever the record is shown', () => {
    const nested = at(flatService, '/v1/ticket/{ticketId}/step')
    expect(recordActions(nested).map(({ owner, action }) => [owner.path, action.title])).toEqual([['/v1/step', 'Move']])
  })

  it('of another document are all operations that are not reads or writes of records', () => {
    expect(titles(at(library, '/book').actions.record)).toEqual(['Lend it', 'Cover'])
    expect(titles(library.apis[0]?.actions)).toEqual(['Report'])
    expect(library.collections.some(({ path }) => path.endsWith('/loan'))).toBe(false)
  })
})

describe('a request', () => {
  const request = (action: Action, values: { [key: string]: unknown }, ids: readonly unknown[] = []) => {
    const form = actionForm(action.operation, ids.length)
    return actionRequest(action.operation, form, ids, { ...initialInputs(form), ...values })
  }
  const reopen = find(at(flatService, '/v1/ticket').actions.record, 'Reopen a ticket')
  const digest = find(at(flatService, '/v1/ticket').actions.collection, 'Digest')

  it('asks for the fields of the body, by their kinds', () => {
    const { inputs } = actionForm(reopen.operation, 1)
    expect(inputs.map((input) => [inputKey(input), input.field.kind])).toEqual([
      ['body reason', 'text'],
      ['body person', 'reference'],
      ['body level', 'choice'],
    ])
  })

  it('does not send unchanged fields', () => {
    expect(request(reopen, { 'body reason': 'Again' }, [7])).toMatchObject({
      pathValues: [7],
      body: { reason: 'Again' },
    })
    const all = { 'body reason': 'Again', 'body person': 3, 'body level': 'HIGH' }
    expect(request(reopen, all, [7]).body).toEqual({ reason: 'Again', person: 3, level: 'HIGH' })
  })

  it('sends parameters in the query, and omits those without a value', () => {
    expect(`${request(digest, { 'query size': '5' }).query}`).toBe('size=5')
    expect(`${request(digest, { 'query size': '5', 'query level': 'LOW' }).query}`).toBe('size=5&level=LOW')
  })

  it('omits an optional boolean of the query until the user chooses', () => {
    const schema = { type: 'boolean' }
    const parameters = [
      { name: 'archived', in: 'query', schema },
      { name: 'exact', in: 'query', required: true, schema },
    ]
    const paths = { '/book': libraryDocument.paths['/book'], '/book/count': { get: { parameters, responses: {} } } }
    const [count] = serviceOf('x', [{ document: { paths }, base: '' }]).collections[0]?.actions.collection ?? []
    if (!count) throw new Error('There is a count.')
    expect(`${request(count, {}).query}`).toBe('exact=false')
    expect(`${request(count, { 'query archived': false }).query}`).toBe('archived=false&exact=false')
  })

  it('asks for path parameters that no parent record provides', () => {
    const { inputs } = actionForm(reopen.operation, 0)
    expect(inputs[0]).toMatchObject({ location: 'path', field: { name: 'ticketId', kind: 'integer' } })
    expect(request(reopen, { 'path ticketId': '7', 'body reason': '' }).pathValues).toEqual([7])
  })

  it('that is a single value has a single input', () => {
    const body = { content: { 'application/json': { schema: { type: 'array', items: { type: 'integer' } } } } }
    const paths = {
      '/book': libraryDocument.paths['/book'],
      '/book/order': { post: { requestBody: body, responses: {} } },
    }
    const [order] = serviceOf('x', [{ document: { paths }, base: '' }]).collections[0]?.actions.collection ?? []
    if (!order) throw new Error('There is an order.')
    expect(request(order, { 'body body': '[3, 1]' }).body).toEqual([3, 1])
  })

  it('that takes no JSON says what it takes', () => {
    const cover = find(at(library, '/book').actions.record, 'Cover')
    expect([cover.operation.body, cover.operation.foreignBody]).toEqual([undefined, 'image/png'])
  })
})
