// What a service can do beside the work on its records, from our documents and from a foreign one.
import { api, choice, identity, integer, noun, operation, reference, resource, text } from '@nomen/core'
import { openapi } from '@nomen/core/openapi'
import { describe, expect, it } from 'vitest'
import { libraryDocument } from '../../../test/library-document.ts'
import { type Action, actionForm, actionRequest, askKey, askValues } from './action.ts'
import type { Json } from './openapi.ts'
import { recordActions, serviceOf } from './service.ts'

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
    answer: { count: integer() },
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
const own = serviceOf('flat', [{ document, base: '' }])
const library = serviceOf('library', [{ document: libraryDocument, base: '' }])

const titles = (actions: readonly Action[] = []) => actions.map(({ title }) => title)
const find = (actions: readonly Action[], title: string): Action => {
  const found = actions.find((one) => one.title === title)
  if (!found) throw new Error(`There is no ${title}.`)
  return found
}
const at = (service: typeof own, path: string) => {
  const found = service.collections.find((one) => one.path === path)
  if (!found) throw new Error(`There is no ${path}.`)
  return found
}

describe('the actions of a service', () => {
  it('are called as its document calls them, and told apart by their methods', () => {
    const { record, collection } = at(own, '/v1/ticket').actions
    expect(titles(record)).toEqual(['Reopen a ticket', 'Lock (PUT)', 'Lock (DELETE)'])
    expect(titles(collection)).toEqual(['Digest'])
  })

  it('are there wherever the record is shown', () => {
    const nested = at(own, '/v1/ticket/{ticketId}/step')
    expect(recordActions(nested).map(({ owner, action }) => [owner.path, action.title])).toEqual([['/v1/step', 'Move']])
  })

  it('of a foreign one are whatever is no work on records', () => {
    expect(titles(at(library, '/book').actions.record)).toEqual(['Lend it', 'Cover'])
    expect(titles(library.apis[0]?.actions)).toEqual(['Report'])
    expect(library.collections.some(({ path }) => path.endsWith('/loan'))).toBe(false)
  })
})

describe('a request', () => {
  const request = (action: Action, given: { [key: string]: unknown }, ids: readonly unknown[] = []) => {
    const form = actionForm(action.operation, ids.length)
    return actionRequest(action.operation, form, ids, { ...askValues(form), ...given })
  }
  const reopen = find(at(own, '/v1/ticket').actions.record, 'Reopen a ticket')
  const digest = find(at(own, '/v1/ticket').actions.collection, 'Digest')

  it('asks for what the body takes, by the kinds of its fields', () => {
    const { asks } = actionForm(reopen.operation, 1)
    expect(asks.map((ask) => [askKey(ask), ask.field.kind])).toEqual([
      ['body reason', 'text'],
      ['body person', 'reference'],
      ['body level', 'choice'],
    ])
  })

  it('leaves what nobody touched to the service', () => {
    expect(request(reopen, { 'body reason': 'Again' }, [7])).toMatchObject({ ids: [7], body: { reason: 'Again' } })
    const all = { 'body reason': 'Again', 'body person': 3, 'body level': 'HIGH' }
    expect(request(reopen, all, [7]).body).toEqual({ reason: 'Again', person: 3, level: 'HIGH' })
  })

  it('says its parameters in the query, those without a value not at all', () => {
    expect(`${request(digest, { 'query size': '5' }).query}`).toBe('size=5')
    expect(`${request(digest, { 'query size': '5', 'query level': 'LOW' }).query}`).toBe('size=5&level=LOW')
  })

  it('asks for parameters of the path that no record above gives', () => {
    const { asks } = actionForm(reopen.operation, 0)
    expect(asks[0]).toMatchObject({ place: 'path', field: { name: 'ticketId', kind: 'integer' } })
    expect(request(reopen, { 'path ticketId': '7', 'body reason': '' }).ids).toEqual([7])
  })

  it('that is one value is asked for as one', () => {
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
