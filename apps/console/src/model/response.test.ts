// Responses of custom operations, by their schema and by their content.
import { api, choice, identity, integer, noun, operation, reference, resource } from '@nomen/core'
import { openapi, readOpenApi } from '@nomen/core/openapi'
import { describe, expect, it } from 'vitest'
import { responseFields, responseRecords } from './response.ts'
import { operationFrom } from './service/operation.ts'

const ticket = noun('ticket', { id: identity() })
const tally = operation({
  method: 'GET',
  on: 'collection',
  response: [{ status: choice('OPEN', 'CLOSED'), oldest: reference(() => ticket), count: integer() }],
})
const desk = api('desk', {
  versioning: 'per-noun',
  writes: 'nested',
  resources: [resource(ticket, { operations: { tally } })],
})

describe('a response that is a list', () => {
  const document = JSON.parse(JSON.stringify(openapi(desk)))
  const found = readOpenApi(document)
    .operations.map(operationFrom)
    .find(({ path }) => path === '/ticket/tally')

  it('is shown by the fields of its objects', () => {
    if (!found) throw new Error('There is a tally.')
    const fields = responseFields(found.response, [{ status: 'OPEN', oldest: 3, count: 7 }])
    expect([found.kind, ...fields.map(({ name, kind }) => [name, kind])]).toEqual([
      'custom',
      ['status', 'choice'],
      ['oldest', 'reference'],
      ['count', 'integer'],
    ])
  })

  it('has its objects as rows, and none if it is empty', () => {
    expect(responseRecords([{ count: 7 }])).toEqual([{ count: 7 }])
    expect(responseRecords([])).toEqual([])
    expect(responseRecords({ count: 7 })).toBeUndefined()
    expect(responseRecords([1, 2])).toBeUndefined()
  })
})
