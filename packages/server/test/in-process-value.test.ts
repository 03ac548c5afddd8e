// Calls of a service's own operations from within take every value in a path, also those that a URL cannot hold.
import { api, identity, noun, operation, resource, text } from '@nomen/core'
import { handle, service } from '@nomen/server'
import { expect, it } from 'vitest'
import { opened } from './opened.ts'

const ticket = noun('ticket', { id: identity(), name: text().unique() })
const find = operation({ method: 'GET', on: 'collection', query: { name: text() }, answer: { id: text() } })
const rename = operation({
  method: 'POST',
  on: 'collection',
  body: { name: text(), to: text() },
  answer: { id: text() },
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
  const { ask, get } = await opened(desks)
  const found = await get(`/ticket/find?name=${encodeURIComponent(name)}`)
  expect([found.status, found.body.code], found.text).toEqual([404, 'record-not-found'])
  const changed = await ask('POST', '/ticket/rename', { name, to: 'x' })
  expect([changed.status, changed.body.code], changed.text).toEqual([404, 'record-not-found'])
})

it.each(['.', '..', '%2e', '/', 'a?b#c', 'ü'])('%j that a record has is found', async (name) => {
  const { ask, get } = await opened(desks)
  await ask('POST', '/ticket', { name })
  expect((await get(`/ticket/find?name=${encodeURIComponent(name)}`)).body).toEqual({ id: '1' })
})
