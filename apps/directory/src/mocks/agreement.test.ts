// For random sequences of valid requests, mocks and service return the same records.
//
// The test leaves out the intended differences:
// - A create returns 200. A delete, and a 404, return null.
// - Mocks use the default of the field type, not the declared default. So every POST here has a complete body.
// - Mocks do not validate or convert values (`12.5` stays `12.5`). A reference does not prevent a delete.
// - Mocks ignore the query, conditional headers and parents. Lists are on one page, with complete records and IDs as
//   references. So only the mocks get random queries and conditional headers, and the service gets a sufficient page size.
// - Writes below a parent change nothing. There are no handlers for PUT, lookups and custom operations.
// - After the last record is deleted, the next create uses its ID again.

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
import { type DataOf, mocksOf } from '@nomen/core/mocks'
import { open, service } from '@nomen/server'
import { inject } from '@nomen/testing/inject'
import fc from 'fast-check'
import { getResponse } from 'msw'
import { expect, it } from 'vitest'

const team = noun('team', { id: identity(), name: text() })
const player = noun('player', {
  id: identity(),
  name: text(),
  nickname: text().nullable(),
  size: integer(),
  pace: number().nullable(),
  wage: decimal({ scale: 2 }),
  mail: email(),
  page: url().nullable(),
  key: guid(),
  isHurt: boolean(),
  side: choice('LEFT', 'RIGHT').nullable(),
  born: date().nullable(),
  joined: timestamp(),
  team: reference(() => team),
})
const league = api('league', {
  version: 1,
  versioning: 'whole',
  writes: 'flat',
  resources: [resource(team), resource(player, { list: ['id', 'name', 'team'], summary: ['id'], detail: true })],
})

type Player = DataOf<typeof league>['player'][number]

const orNull = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null })
const moment = fc.date({ min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
const body: fc.Arbitrary<Omit<Player, 'id'>> = fc.record({
  name: fc.string(),
  nickname: orNull(fc.string({ unit: 'grapheme' })),
  size: fc.integer(),
  pace: orNull(fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0)),
  wage: fc.integer({ min: -999_999, max: 999_999 }).map((cents) => (cents / 100).toFixed(2)),
  mail: fc.nat().map((at) => `${at}@example.com`),
  page: orNull(fc.constant('https://example.com/')),
  key: fc.uuid(),
  isHurt: fc.boolean(),
  side: orNull(fc.constantFrom('LEFT', 'RIGHT')),
  born: orNull(moment.map((day) => day.toISOString().slice(0, 10))),
  joined: moment.map((at) => at.toISOString()),
  team: fc.constantFrom(1, 2),
})

const path = fc.integer({ min: 0, max: 16 }).map((id) => `/v1/player/${id}`)
const part = fc
  .tuple(body, fc.subarray(['name', 'nickname', 'size', 'pace', 'wage', 'isHurt', 'side', 'born', 'team'] as const))
  .map(([whole, names]) => Object.fromEntries(names.map((name) => [name, whole[name]])))
const lists = fc.constantFrom('/v1/player', '/v1/player-summary', '/v1/player-detail', '/v1/team')
/** Query parameters that mocks ignore. */
const query = fc
  .record(
    { pageSize: fc.integer(), pageNumber: fc.integer(), name: fc.string(), sort: fc.string() },
    { requiredKeys: [] },
  )
  .map((names) => `?${new URLSearchParams(Object.entries(names).map(([name, value]) => [name, `${value}`]))}`)
const tag = fc.constantFrom('*', '"1-1-a"', 'W/"x"')
const headers = fc.record({ 'if-match': tag, 'if-none-match': tag }, { requiredKeys: [] })
const step = fc.oneof(
  fc.record({ method: fc.constant('GET'), path: fc.oneof(path, lists), query, headers }),
  fc.record({ method: fc.constant('POST'), path: fc.constant('/v1/player'), body, headers }),
  fc.record({ method: fc.constant('PATCH'), path, body: part, headers }),
  fc.record({ method: fc.constant('DELETE'), path, headers }),
)
interface Step {
  readonly method: string
  readonly path: string
  readonly body?: object
  readonly query?: string
  readonly headers?: Record<string, string>
}

interface SimpleResponse {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: the type depends on the request
  readonly body: any
}

it('mocks of an api return the same records as its service', async () => {
  const run = async (bodies: Omit<Player, 'id'>[], steps: Step[]) => {
    const names = ['a', 'b'].map((name, at) => ({ id: at + 1, name }))
    const data = { team: names, player: bodies.map((body, at) => ({ id: at + 1, ...body })) }
    const mock = mocksOf(league, data)
    const sample = () => [
      { noun: 'team', rows: data.team },
      { noun: 'player', rows: data.player },
    ]
    const app = await open(service({ name: 'league', apis: [league], sample }), {
      database: 'sqlite::memory:',
      waitLimitMs: 0,
    })
    const ofService = async ({ method, path, body }: Step): Promise<SimpleResponse> => {
      const payload = body && { payload: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
      // The page size of the mock: 10, or the number of records if it is larger.
      const { items } = mock.collections[path === '/v1/team' ? 'team' : 'player']
      const isList = method === 'GET' && !/\d$/.test(path)
      const url = isList ? `${path}?pageSize=${Math.max(10, items.length)}` : path
      const response = await inject(app, { method: method as 'GET', url, ...payload })
      return { status: response.statusCode, body: response.json() }
    }
    const ofMock = async ({ method, path, body, query = '', headers = {} }: Step): Promise<SimpleResponse> => {
      const options = { method, headers, ...(body && { body: JSON.stringify(body) }) }
      const request = new Request(`http://league.test${path}${query}`, options)
      const response = (await getResponse(mock.handlers, request)) as Response
      return { status: response.status, body: await response.json() }
    }
    try {
      for (const step of [...steps, { method: 'GET', path: '/v1/player-detail' }]) {
        const last = mock.collections.player.items.at(-1)?.id
        if (step.method === 'DELETE' && step.path === `/v1/player/${last}`) continue
        expectAgreement(step, await ofMock(step), await ofService(step))
      }
    } finally {
      await app.close()
    }
  }
  const start = fc.array(body, { maxLength: 13, size: 'max' })
  await fc.assert(fc.asyncProperty(start, fc.array(step, { maxLength: 7 }), run), { numRuns: 50 })
})

function expectAgreement({ method, path }: Step, mocked: SimpleResponse, served: SimpleResponse): void {
  expect(mocked.status, path).toBe(method === 'POST' && served.status === 201 ? 200 : served.status)
  if (served.status === 404 || method === 'DELETE') expect(mocked.body).toBeNull()
  // In lists of the service, records have fewer properties.
  else expect(mocked.body, path).toMatchObject(served.body)
  if (mocked.body?.results) expect(mocked.body.results).toHaveLength(served.body.results.length)
  else if (mocked.body) expect(mocked.body).toEqual(served.body)
}
