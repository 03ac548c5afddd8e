// A noun that has only an identity.
import { identity, noun, resource } from '@nomen/core'
import { expect, it } from 'vitest'
import { openService, plainApi, serviceOf } from './test-service.ts'

it.each([
  ['an integer', identity()],
  ['a guid', identity('guid')],
])('a noun with only an identity, %s, can be created and read', async (_, id) => {
  const app = await openService(serviceOf([plainApi(resource(noun('mark', { id })))]))
  const created = await app.send('POST', '/mark', {})
  expect(created.status).toBe(201)
  expect((await app.get(`/mark/${created.body.id}`)).body).toEqual(created.body)
  expect((await app.send('PATCH', `/mark/${created.body.id}`, {})).status).toBe(200)
  expect((await app.get('/mark')).body.pageInfo.numberOfRecords).toBe(1)
})
