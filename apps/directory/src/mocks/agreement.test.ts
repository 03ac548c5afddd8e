// Where mocks and service are to agree, they do, whatever is asked in whatever order.
//
// Left out is what mocks do otherwise on purpose, or do not do at all:
// - a create responds 200, a delete with null, and a missing record with null instead of a problem;
// - what a body leaves out takes the default of its kind, not the declared one, and only the server's fields get values;
// - nothing is checked, no value takes another form (`12.5` is not made `12.50`), and no reference holds a record back;
// - queries, conditions and parents are ignored: lists are whole, on one page, and show the widest record, references by id.
//   So mocks are sent queries and conditions that the service is not, and the service is asked for a page that holds all;
// - a change below a parent changes nothing; PUT, lookups and operations of the service's own are not answered;
// - the ref of the last record is given again once that is deleted.

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

const orNull = <Held>(held: fc.Arbitrary<Held>) => fc.option(held, { nil: null })
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
/** Parameters that only a service supports. */
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

interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: the type depends on the request
  readonly body: any
}

it('mocks of an api answer as its service does', async () => {
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
      waitLimit: 0,
    })
    const ofService = async ({ method, path, body }: Step): Promise<Answer> => {
      const given = body && { payload: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
      // A page of the usual size, or of all records where there are more.
      const { items } = mock.collections[path === '/v1/team' ? 'team' : 'player']
      const isList = method === 'GET' && !/\d$/.test(path)
      const url = isList ? `${path}?pageSize=${Math.max(10, items.length)}` : path
      const answer = await inject(app, { method: method as 'GET', url, ...given })
      return { status: answer.statusCode, body: answer.json() }
    }
    const ofMock = async ({ method, path, body, query = '', headers = {} }: Step): Promise<Answer> => {
      const given = body && { body: JSON.stringify(body) }
      const request = new Request(`http://league.test${path}${query}`, { method, headers, ...given })
      const response = (await getResponse(mock.handlers, request)) as Response
      return { status: response.status, body: await response.json() }
    }
    try {
      for (const one of [...steps, { method: 'GET', path: '/v1/player-detail' }]) {
        const last = mock.collections.player.items.at(-1)?.id
        if (one.method === 'DELETE' && one.path === `/v1/player/${last}`) continue
        expectAgreement(one, await ofMock(one), await ofService(one))
      }
    } finally {
      await app.close()
    }
  }
  const start = fc.array(body, { maxLength: 13, size: 'max' })
  await fc.assert(fc.asyncProperty(start, fc.array(step, { maxLength: 7 }), run), { numRuns: 50 })
})

function expectAgreement({ method, path }: Step, mocked: Answer, served: Answer): void {
  expect(mocked.status, path).toBe(method === 'POST' && served.status === 201 ? 200 : served.status)
  if (served.status === 404 || method === 'DELETE') expect(mocked.body).toBeNull()
  // Lists of a service show less of each record.
  else expect(mocked.body, path).toMatchObject(served.body)
  if (mocked.body?.results) expect(mocked.body.results).toHaveLength(served.body.results.length)
  else if (mocked.body) expect(mocked.body).toEqual(served.body)
}
