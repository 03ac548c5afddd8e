// Every field type over HTTP: accepted values, the form of responses, and rejected values.
import {
  api,
  boolean,
  choice,
  date,
  decimal,
  email,
  guid,
  identity,
  integer,
  noun,
  number,
  reference,
  resource,
  text,
  timestamp,
  url,
} from '@nomen/core'
import { service } from '@nomen/server'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, expectProblem, openFresh, requestsTo } from './service.ts'

const owner = noun('owner', { id: identity('guid'), name: text() }, { label: 'name' })
const thing = noun('thing', {
  id: identity(),
  count: integer({ min: -5, max: 1000 }),
  ratio: number({ min: 0, max: 1 }),
  price: decimal({ precision: 8, scale: 2, min: '0.00' }),
  label: text({ minLength: 2, maxLength: 5 }),
  contact: email(),
  page: url(),
  key: guid(),
  active: boolean(),
  state: choice({ DRAFT: ['SENT'], SENT: ['PAID'], PAID: [] }),
  day: date({ min: '2000-01-01' }),
  moment: timestamp(),
  owner: reference(() => owner).nullable(),
})
const measure = noun('measure', {
  id: identity(),
  weight: number(),
  amount: decimal({ precision: 18, scale: 4 }),
  count: integer(),
  moment: timestamp(),
})
const things = api('things', {
  versioning: 'per-noun',
  writes: 'nested',
  resources: [resource(thing), resource(owner), resource(measure)],
})

let app: App
const { get, post, patch, listAll } = requestsTo(() => app)
let sofia = ''

const fitting = {
  count: 7,
  ratio: 0.25,
  price: '12.50',
  label: 'abc',
  contact: 'a@example.com',
  page: 'https://example.com/a?b=c',
  key: '0b2f8c1e-5d1c-4c0e-9b57-2f6f3f1f9a10',
  active: true,
  state: 'DRAFT',
  day: '2026-11-15',
  moment: '2026-11-15T03:29:00.000Z',
}

beforeAll(async () => {
  app = await openFresh(service({ name: 'things', apis: [things] }))
  sofia = (await post<{ id: string }>('/owner', { name: 'Sofia' })).body.id
  expect((await post('/thing', fitting)).body).toEqual({ id: 1, ...fitting, owner: null })
})
afterAll(() => app.close())

/** Property, input and output. */
const forms: [string, unknown, unknown][] = [
  ['count', -0, 0],
  ['count', -5, -5],
  ['count', 1000, 1000],
  ['count', 1e2, 100],
  ['ratio', 0, 0],
  ['ratio', 1, 1],
  ['ratio', 1e-300, 1e-300],
  ['price', '0', '0.00'],
  ['price', '007.5', '7.50'],
  ['price', '999999.99', '999999.99'],
  ['price', '-0.00', '0.00'],
  ['label', '日本', '日本'],
  ['label', '👩👩👩👩👩', '👩👩👩👩👩'],
  ['contact', "o'brien+x@example.org", "o'brien+x@example.org"],
  ['page', 'http://localhost:3000', 'http://localhost:3000'],
  ['key', '0B2F8C1E-5D1C-4C0E-9B57-2F6F3F1F9A10', '0b2f8c1e-5d1c-4c0e-9b57-2f6f3f1f9a10'],
  ['active', false, false],
  ['day', '2024-02-29', '2024-02-29'],
  ['moment', '2026-11-15T03:29:00Z', '2026-11-15T03:29:00.000Z'],
  ['moment', '2026-11-15T05:29:00.5+02:00', '2026-11-15T03:29:00.500Z'],
  ['moment', '2026-11-15T03:29:00.123999Z', '2026-11-15T03:29:00.123Z'],
  ['owner', null, null],
]

/** Property and a value that it rejects. */
const faults: [string, unknown][] = [
  ...['count', 'ratio'].flatMap((name) =>
    ['7', 'x', '', true, null, [], [7], {}].map((value): [string, unknown] => [name, value]),
  ),
  ...['price', 'label', 'contact', 'page', 'key', 'state', 'day', 'moment'].flatMap((name) =>
    [7, 0, 1.5, true, null, [], ['x'], {}].map((value): [string, unknown] => [name, value]),
  ),
  ...['true', 'false', '', 0, 1, null, [], {}].map((value): [string, unknown] => ['active', value]),
  ...[1.5, -6, 1001, 2 ** 53, 1e300].map((value): [string, unknown] => ['count', value]),
  ...[-0.1, 1.1, 1e300].map((value): [string, unknown] => ['ratio', value]),
  ...['', '1,5', '1.555', '1e2', '.5', '5.', '+1', ' 1', '-1', '1000000', '1000000.00', 'NaN', '0x1'].map(
    (value): [string, unknown] => ['price', value],
  ),
  ...['', 'a', 'abcdef', '👩👩👩👩👩👩', 'a\u0000b', '\ud83dab'].map((value): [string, unknown] => ['label', value]),
  ...['', 'nowhere', 'a@', '@b', 'a b@c', `${'a'.repeat(260)}@example.com`].map((value): [string, unknown] => [
    'contact',
    value,
  ]),
  ...[
    '',
    'example.com',
    '/path',
    'ftp://example.com',
    'javascript:alert(1)',
    'http://',
    'https://a b',
    ' https://a',
  ].map((value): [string, unknown] => ['page', value]),
  ...['', 'x', '0b2f8c1e5d1c4c0e9b572f6f3f1f9a10'].map((value): [string, unknown] => ['key', value]),
  ...['', 'draft', 'LOST'].map((value): [string, unknown] => ['state', value]),
  ...['', '2026-02-29', '2026-13-01', '2026-1-1', '15/11/2026', '1999-12-31', '2026-11-15T00:00:00Z'].map(
    (value): [string, unknown] => ['day', value],
  ),
  ...[
    '',
    '2026-11-15',
    '2026-11-15T03:29:00',
    '2026-11-15 03:29:00Z',
    '2026-11-15T24:00:00Z',
    '2026-02-30T00:00:00Z',
    'now',
  ].map((value): [string, unknown] => ['moment', value]),
  ...[7, '7', '', 'x', true, [], {}].map((value): [string, unknown] => ['owner', value]),
]

describe('every kind of field', () => {
  it.each(forms)('decision field: %s accepts %j and returns %j', async (name, input, output) => {
    const { status, body } = await patch<Record<string, unknown>>('/thing/1', { [name]: input })
    expect([status, body[name]]).toEqual([200, output])
    expect((await get<Record<string, unknown>>('/thing/1')).body[name]).toEqual(output)
  })

  it.each(faults)('decision field: %s rejects %j', async (name, input) => {
    const before = (await get('/thing/1')).body
    const { length: number } = await listAll('/thing')
    const { errors = [] } = expectProblem(await patch('/thing/1', { [name]: input }), 'invalid-body', name)
    expect(errors.map(({ pointer }) => pointer)).toEqual([`/${name}`])
    expectProblem(await post('/thing', { ...fitting, [name]: input }), 'invalid-body', name)
    expect((await get('/thing/1')).body).toEqual(before)
    expect((await listAll('/thing')).length).toBe(number)
  })

  it('decision field: every number, decimal, integer and time is returned unchanged, and can be filtered by', async () => {
    const decimals = fc.tuple(fc.boolean(), fc.bigInt({ min: 0n, max: 10n ** 18n - 1n })).map(([isNegative, units]) => {
      const digits = units.toString().padStart(5, '0')
      const text = `${digits.slice(0, -4)}.${digits.slice(-4)}`
      return isNegative && units > 0n ? `-${text}` : text
    })
    const measures = fc.record({
      weight: fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer()).map((value) => value + 0),
      amount: decimals,
      count: fc.maxSafeInteger(),
      moment: fc
        .date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true })
        .map((moment) => moment.toISOString()),
    })
    await fc.assert(
      fc.asyncProperty(measures, async (values) => {
        const created = await post<{ id: number }>('/measure', values)
        expect(created.body).toEqual({ id: created.body.id, ...values })
        for (const [name, value] of Object.entries(values)) {
          const matches = await listAll<{ id: number }>(
            `/measure?id=${created.body.id}&${name}=${encodeURIComponent(value)}`,
          )
          expect(
            matches.map(({ id }) => id),
            name,
          ).toEqual([created.body.id])
        }
      }),
      {
        numRuns: 200,
        examples: [
          [
            {
              weight: 0.1 + 0.2,
              amount: '99999999999999.9999',
              count: -(2 ** 53 - 1),
              moment: '2026-11-15T03:29:00.001Z',
            },
          ],
        ],
      },
    )
  })

  it('decision field: numbers, decimals and timestamps are sorted by their value', async () => {
    const created = [-1e300, -1.5, -1, 0, 1e-9, 0.5, 2, 10, 1e300].map((weight, index) => ({
      weight,
      amount: [
        '-10.0000',
        '-9.5000',
        '-0.0001',
        '0.0000',
        '0.0001',
        '0.5000',
        '2.0000',
        '10.0000',
        '99999999999999.9999',
      ][index],
      count: [-10, -9, -1, 0, 1, 2, 9, 10, 2 ** 53 - 1][index],
      moment: new Date(index * 86_400_000 * 400).toISOString(),
    }))
    const ids: number[] = []
    for (const index of [4, 0, 8, 2, 6, 1, 7, 3, 5])
      ids[index] = (await post<{ id: number }>('/measure', created[index])).body.id
    const query = ids.map((id) => `id=${id}`).join('&')
    for (const name of ['weight', 'amount', 'count', 'moment']) {
      expect(
        (await listAll<{ id: number }>(`/measure?${query}&sort=${name}`)).map(({ id }) => id),
        name,
      ).toEqual(ids)
      expect(
        (await listAll<{ id: number }>(`/measure?${query}&sort=-${name}`)).map(({ id }) => id),
        name,
      ).toEqual(ids.toReversed())
    }
  })

  it('decision field: an identity may be a guid', async () => {
    expect(sofia).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    expect((await patch<{ owner: string }>('/thing/1', { owner: sofia.toUpperCase() })).body.owner).toBe(sofia)
    expect((await get(`/owner/${sofia}`)).body).toEqual({ id: sofia, name: 'Sofia' })
    expect((await get('/owner/1')).status).toBe(404)
    expectProblem(await patch('/thing/1', { owner: fitting.key }), 'reference-not-found', 'owner', fitting.key)
    expect((await listAll<{ owner: string }>(`/thing?owner=${sofia}`)).map((row) => row.owner)).toEqual(['Sofia'])
    await patch('/thing/1', { owner: null })
  })

  it('decision status: an undeclared state transition is 422, and the problem lists the declared ones', async () => {
    const { body } = await post<{ id: number }>('/thing', fitting)
    const url = `/thing/${body.id}`
    const { detail, hint } = expectProblem(
      await patch(url, { state: 'PAID' }),
      'transition-not-allowed',
      'DRAFT',
      'PAID',
    )
    expect(`${detail} ${hint}`).toContain('SENT')
    expect((await patch<{ state: string }>(url, { state: 'SENT' })).body.state).toBe('SENT')
    expectProblem(await patch(url, { state: 'DRAFT' }), 'transition-not-allowed', 'SENT', 'DRAFT')
    expect((await patch(url, { state: 'SENT' })).status).toBe(200)
    expect((await patch(url, { state: 'PAID' })).status).toBe(200)
    expectProblem(await patch(url, { state: 'SENT' }), 'transition-not-allowed', 'PAID')
    expect((await get<{ state: string }>(url)).body.state).toBe('PAID')
  })
})
