// Hints in problems for small mistakes in the parameters of a list or in a body.
import { boolean, choice, identity, noun, resource, text } from '@nomen/core'
import { describe, expect, it } from 'vitest'
import { openService, plainApi, serviceOf } from './test-service.ts'

const status = choice('OPEN', 'WAITING', 'DONE').default('OPEN')
const ticket = noun('ticket', { id: identity(), title: text(), urgent: boolean().default(false), status })
const desk = serviceOf([plainApi(resource(ticket))])

describe('the problem of a request', () => {
  it.each([
    ['sort=foo', 'Sort by id, title, urgent or status, with "-" in front for descending order.'],
    ['sort=-urgent,title', 'Repeat the parameter for several values: sort=-urgent&sort=title'],
    ['include=1,2', 'Repeat the parameter for several values: include=1&include=2'],
    ['status=OPEN,WAITING', 'Repeat the parameter for several values: status=OPEN&status=WAITING'],
    ['urgent=true,false', 'Repeat the parameter for several values: urgent=true&urgent=false'],
    ['pageSize=1,2', undefined],
    ['status=SHUT', undefined],
  ])('%s has a hint', async (query, hint) => {
    const app = await openService(desk)
    const { status: code, body } = await app.get(`/ticket?${query}`)
    expect([code, body.code, body.hint]).toEqual([400, 'invalid-parameter', hint])
  })

  it('only says that null is not allowed', async () => {
    const app = await openService(desk)
    const { body } = await app.send('POST', '/ticket', { title: null })
    expect([body.code, body.detail, body.errors]).toEqual([
      'invalid-body',
      '"/title" must not be null.',
      [{ pointer: '/title', detail: 'must not be null' }],
    ])
  })
})
