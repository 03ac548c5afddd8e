// SQLite and PostgreSQL give the same responses to the same random requests and loads.
import {
  boolean,
  choice,
  date,
  decimal,
  email,
  guid,
  identity,
  integer,
  link,
  noun,
  number,
  range,
  reference,
  resource,
  text,
  timestamp,
  url,
} from '@nomen/core'
import { loadRecords, type Reject } from '@nomen/server/admin'
import { numberOfRuns } from '@nomen/testing/prove'
import { randomFrom } from '@nomen/testing/random'
import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { type RandomRequest, randomFile, randomRequest } from './agreement-requests.ts'
import { temporaryDatabase, temporaryPath } from './temporary-database.ts'
import { openService, plainApi, serviceOf, type TestService } from './test-service.ts'

const shelf = noun('shelf', { id: identity(), name: text() }, { label: 'name' })
const box = noun(
  'box',
  {
    id: identity(),
    shelf: reference(() => shelf),
    title: text(),
    owner: email().unique(),
    state: choice('NEW', 'DONE', 'ÜBER', "it's").default('NEW'),
    isOpen: boolean().nullable(),
    effort: integer().nullable(),
    cost: decimal({ scale: 2 }).default('0.00'),
    share: decimal({ precision: 18, scale: 17 }).nullable(),
    ratio: number().nullable(),
    due: date().nullable(),
    at: timestamp().nullable(),
    key: guid().nullable().unique(),
    home: url().nullable(),
    parent: reference(() => box)
      .nullable()
      .clearedOnDelete(),
  },
  { label: 'title', unique: [['shelf', 'title']] },
)
const note = noun('note', { id: identity(), box: reference(() => box), words: text({ maxLength: 5000 }) })
const tag = noun('tag', { id: identity(), shelf: reference(() => shelf), name: text() })
const boxTag = link(box, tag, { sharing: 'shelf' })
const declared = serviceOf([
  plainApi(
    resource(shelf),
    resource(box, {
      search: ['title', 'owner'],
      by: ['owner'],
      detail: true,
      filters: {
        worked: range('effort'),
        priced: range('cost'),
        rated: range('ratio'),
        day: range('due'),
        moment: range('at'),
      },
      children: [resource(note), resource(tag, { via: boxTag })],
    }),
    resource(tag),
  ),
])

interface Side {
  readonly database: string
  readonly app: TestService
  /** The lowest possible identity of the next record of a noun. */
  next(noun: string): Promise<number>
  giveFrom(noun: string, identity: number): Promise<void>
}

async function onSqlite(): Promise<Side> {
  const path = temporaryPath()
  const side = { database: `sqlite:${path}`, app: await openService(declared, { database: `sqlite:${path}` }) }
  const raw = temporaryDatabase(path)
  const known = raw.prepare('select seq from sqlite_sequence where name = ?')
  const forget = raw.prepare('delete from sqlite_sequence where name = ?')
  const remember = raw.prepare('insert into sqlite_sequence (name, seq) values (?, ?)')
  return {
    ...side,
    next: async (noun) => Number(known.get(noun)?.seq ?? 0) + 1,
    giveFrom: async (noun, identity) => {
      forget.run(noun)
      remember.run(noun, identity - 1)
    },
  }
}

async function onPostgres(): Promise<Side> {
  const { url, remove } = await temporaryPostgres()
  onTestFinished(remove)
  const client = new pg.Client(url)
  await client.connect()
  onTestFinished(() => client.end())
  const app = await openService(declared, { database: url })
  return {
    database: url,
    app,
    next: async (noun) => {
      const { rows } = await client.query(`select last_value + is_called::integer as next from ${noun}_id_seq`)
      return Number(rows[0].next)
    },
    giveFrom: async (noun, identity) =>
      void (await client.query('select setval($1, $2, false)', [`${noun}_id_seq`, identity])),
  }
}

/** A rejected request may have used up an identity: databases only promise that they do not assign it again. */
async function alignIdentities(sides: readonly Side[]): Promise<void> {
  for (const noun of ['box', 'note', 'tag']) {
    const next = Math.max(...(await Promise.all(sides.map((side) => side.next(noun)))))
    for (const side of sides) await side.giveFrom(noun, next)
  }
}

async function bothSides(): Promise<readonly [Side, Side]> {
  const both = [await onSqlite(), await onPostgres()] as const
  for (const { app } of both) for (const name of ['One', 'Two']) await app.send('POST', '/shelf', { name })
  return both
}

/** The parts of a response that must be equal on both databases. */
async function comparableResponse({ app }: Side, { method, url, body, headers }: RandomRequest) {
  const { status, body: responseBody, headers: responseHeaders } = await app.send(method, url, body, { ...headers })
  const { etag, location, allow } = responseHeaders
  return { status, etag, location, allow, body: responseBody }
}

async function loaded({ database }: Side, file: string, isUpdating: boolean) {
  const rejects: Reject[] = []
  const source = {
    name: 'boxes.ndjson',
    isRepeatable: true,
    async *bytes() {
      yield Buffer.from(file)
    },
  }
  const report = await loadRecords(declared, {
    database,
    noun: 'box',
    source,
    isUpdating,
    onReject: (reject) => rejects.push(reject),
  })
  return { report, rejects }
}

const seeds = Array.from({ length: numberOfRuns(1, 10) }, (_, at) => at + 1)

it.each(seeds)(
  'gives the same response to the same request, whatever it contains (seed %i)',
  { timeout: 180_000 },
  async (seed) => {
    const random = randomFrom(seed)
    const both = await bothSides()
    const statuses = new Set<number>()
    for (let turn = 1; turn <= 250; turn++) {
      if (turn % 50 === 0) {
        const [file, isUpdating] = [randomFile(random), random.below(2) === 0]
        const [first, second] = [await loaded(both[0], file, isUpdating), await loaded(both[1], file, isUpdating)]
        expect(second, file).toEqual(first)
        await alignIdentities(both)
        continue
      }
      const request = randomRequest(random)
      const [first, second] = await Promise.all([
        comparableResponse(both[0], request),
        comparableResponse(both[1], request),
      ])
      expect({ request, ...second }).toEqual({ request, ...first })
      expect({ request, ...first }).not.toMatchObject({ status: 500 })
      statuses.add(first.status)
      if (request.method === 'POST') await alignIdentities(both)
    }
    expect([...statuses]).toEqual(expect.arrayContaining([200, 201, 400, 404, 409, 422]))
  },
)
