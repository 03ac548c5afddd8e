// A pattern is checked wherever a value enters: POST, PUT, PATCH, body, query and result of a handler, loads; not in filters.

import { api, date, identity, noun, operation, resource, text } from '@nomen/core'
import { handle, service } from '@nomen/server'
import { loadRecords } from '@nomen/server/admin'
import { describe, expect, it } from 'vitest'
import { sourceOf } from './bulk-bench.ts'
import { persistentDatabase } from './persistent-database.ts'
import { openService } from './test-service.ts'

const plate = text({ maxLength: 12, pattern: /^[A-Z]{1,2}-\p{L}?\d{1,4}$/u })
const car = noun('car', {
  id: identity(),
  plate: plate.unique(),
  town: text({ pattern: /^\p{Lu}/u }).default('Wien'),
  built: date({ min: '1990-01-01', max: '2099-12-31' }),
})
const transfer = operation({ method: 'POST', on: 'record', body: { plate }, response: { plate } })
const search = operation({ method: 'GET', on: 'collection', query: { plate }, response: { plate } })
const cars = service({
  name: 'cars',
  apis: [
    api('cars', {
      versioning: 'per-noun',
      writes: 'nested',
      resources: [resource(car, { operations: { transfer, search } })],
    }),
  ],
  handlers: [
    handle(car, transfer, ({ body }) => ({ plate: body.plate === 'W-1' ? 'none' : body.plate })),
    handle(car, search, ({ query }) => ({ plate: query.plate })),
  ],
})
const rejected = {
  status: 400,
  body: { errors: [{ pointer: '/plate', detail: expect.stringContaining('must match the pattern ^[A-Z]') }] },
}

describe('a pattern', () => {
  it('is checked by POST, PUT and PATCH', async () => {
    const { send } = await openService(cars)
    const body = { plate: 'W-1234', built: '2020-01-01' }
    expect(await send('POST', '/car', body)).toMatchObject({ status: 201, body: { id: 1, plate: 'W-1234' } })
    expect(await send('POST', '/car', { ...body, plate: 'W 1234' })).toMatchObject(rejected)
    expect(await send('PUT', '/car/1', { ...body, town: 'Graz', plate: 'w-1' })).toMatchObject(rejected)
    expect(await send('PATCH', '/car/1', { plate: 'W-12345' })).toMatchObject(rejected)
    expect(await send('PATCH', '/car/1', { plate: 'W-é7' })).toMatchObject({ status: 200, body: { plate: 'W-é7' } })
  })

  it('is checked in requests and results of handlers', async () => {
    const { send, get } = await openService(cars)
    await send('POST', '/car', { plate: 'W-1234', built: '2020-01-01' })
    expect(await send('POST', '/car/1/transfer', { plate: 'W-2' })).toMatchObject({
      status: 200,
      body: { plate: 'W-2' },
    })
    expect(await send('POST', '/car/1/transfer', { plate: 'w-2' })).toMatchObject(rejected)
    expect((await send('POST', '/car/1/transfer', { plate: 'W-1' })).status).toBe(500)
    expect((await get('/car/search?plate=w-2')).status).toBe(400)
    expect((await get('/car/search?plate=W-2')).status).toBe(200)
  })

  it('is not checked in filters: no record has such a value', async () => {
    const { get } = await openService(cars)
    expect(await get('/car?plate=w')).toMatchObject({ status: 200, body: { results: [] } })
  })

  it('is checked by loads', async () => {
    const database = await persistentDatabase()
    const reasons: string[] = []
    const { loaded } = await loadRecords(cars, {
      database,
      noun: 'car',
      source: sourceOf('plate,built\nW-1,2020-01-01\nw-2,2020-01-01\n'),
      onReject: ({ reason }) => void reasons.push(reason),
    })
    expect([loaded, reasons]).toEqual([1, [expect.stringContaining('must match the pattern')]])
  })
})
