// What an operation of a service's own has answered, by its document and as it came.
import { api, choice, identity, integer, noun, operation, reference, resource } from '@nomen/core'
import { openapi, readOpenApi } from '@nomen/core/openapi'
import { describe, expect, it } from 'vitest'
import { answeredFields, answeredRecords } from './answer.ts'
import { operationFrom } from './service/operation.ts'

const ticket = noun('ticket', { id: identity() })
const tally = operation({
  method: 'GET',
  on: 'collection',
  answer: [{ status: choice('OPEN', 'CLOSED'), oldest: reference(() => ticket), count: integer() }],
})
const desk = api('desk', {
  versioning: 'per-noun',
  writes: 'nested',
  resources: [resource(ticket, { operations: { tally } })],
})

describe('an answer that is a list', () => {
  const document = JSON.parse(JSON.stringify(openapi(desk)))
  const found = readOpenApi(document)
    .operations.map(operationFrom)
    .find(({ path }) => path === '/ticket/tally')

  it('is shown by the fields of its objects', () => {
    if (!found) throw new Error('There is a tally.')
    const fields = answeredFields(found.answer, [{ status: 'OPEN', oldest: 3, count: 7 }])
    expect([found.kind, ...fields.map(({ name, kind }) => [name, kind])]).toEqual([
      'custom',
      ['status', 'choice'],
      ['oldest', 'reference'],
      ['count', 'integer'],
    ])
  })

  it('has its objects as rows, and none where it is empty', () => {
    expect(answeredRecords([{ count: 7 }])).toEqual([{ count: 7 }])
    expect(answeredRecords([])).toEqual([])
    expect(answeredRecords({ count: 7 })).toBeUndefined()
    expect(answeredRecords([1, 2])).toBeUndefined()
  })
})
