// Calls of handlers accept every value in a path, also values that a URL cannot contain.
import { api, identity, noun, operation, resource, text } from '@nomen/core'
import { handle, service } from '@nomen/server'
import { expect, it } from 'vitest'
import { openService } from './test-service.ts'

const ticket = noun('ticket', { id: identity(), name: text().unique() })
const find = operation({ method: 'GET', on: 'collection', query: { name: text() }, response: { id: text() } })
const rename = operation({
  method: 'POST',
  on: 'collection',
  body: { name: text(), to: text() },
  response: { id: text() },
})
const desk = api('desk', {
  versioning: 'per-noun',
  writes: 'nested',
  resources: [resource(ticket, { by: ['name'], operations: { find, rename } })],
})
const desks = service({
  name: 'desk',
  apis: [desk],
  handlers: [
    handle(ticket, find, async ({ query, call }) => ({ id: `${(await call(desk).ticket.by.name(query.name)).id}` })),
    handle(ticket, rename, async ({ body, call }) => {
      // An id as a caller without types would give it.
      const { id } = await call(desk).ticket.update(body.name as unknown as number, { name: body.to })
      return { id: `${id}` }
    }),
  ],
})

it.each(['', '.', '..', '%2e%2e', '/', '../ticket', 'none'])('%j that no record has is not found', async (name) => {
  const { send, get } = await openService(desks)
  const response = await get(`/ticket/find?name=${encodeURIComponent(name)}`)
  expect([response.status, response.body.code], response.text).toEqual([404, 'record-not-found'])
  const changed = await send('POST', '/ticket/rename', { name, to: 'x' })
  expect([changed.status, changed.body.code], changed.text).toEqual([404, 'record-not-found'])
})

it.each(['.', '..', '%2e', '/', 'a?b#c', 'ü'])('%j that a record has is found', async (name) => {
  const { send, get } = await openService(desks)
  await send('POST', '/ticket', { name })
  expect((await get(`/ticket/find?name=${encodeURIComponent(name)}`)).body).toEqual({ id: '1' })
})
