// The compaction of tallies: in publications, with a large backlog, with old snapshots, and when it fails.
import { identity, noun, resource, text } from '@nomen/core'
import { isFull } from '@nomen/testing/prove'
import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openService, plainApi, serviceOf, type TestService } from './test-service.ts'

const note = noun('note', { id: identity(), title: text() })
const topic = noun('topic', { id: identity(), title: text() })
const notes = serviceOf([plainApi(resource(note), resource(topic))])

interface Fixture {
  readonly app: TestService
  readonly client: pg.Client
  readonly url: string
  readonly messages: string[]
}

async function openNotes(parameters = ''): Promise<Fixture> {
  const { url, remove } = await temporaryPostgres()
  onTestFinished(remove)
  const messages: string[] = []
  const app = await openService(notes, {
    database: `${url}${parameters}`,
    onFault: (message) => messages.push(message),
  })
  return { app, client: await connected(url), url, messages }
}

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client(url)
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

async function create(app: TestService, path: string, count: number): Promise<void> {
  const responses = await Promise.all(Array.from({ length: count }, () => app.send('POST', path, { title: 'a' })))
  expect(responses.map(({ status }) => status)).toEqual(Array(count).fill(201))
}

async function deltas(client: pg.Client, of: string): Promise<number> {
  return (await client.query(`select count(*)::int as number from _tally_${of}_delta`)).rows[0].number
}

async function total(app: TestService, path: string): Promise<number> {
  return (await app.get(path)).body.pageInfo.numberOfRecords
}

async function metric(app: TestService, pattern: RegExp): Promise<number> {
  return Number(pattern.exec((await app.get('/metrics')).text)?.[1])
}

async function tallyHealth(app: TestService): Promise<unknown[]> {
  const { status, body } = await app.get('/health/ready')
  return [status, body.status, body.parts.database.detail]
}

describe('the compaction of tallies', () => {
  it('works in a publication for all tables: every table has a replica identity', async () => {
    const { app, client, messages } = await openNotes()
    await client.query('create publication everything for all tables')
    await create(app, '/note', 20)
    await expect.poll(() => deltas(client, 'note')).toBe(0)
    expect([await total(app, '/note'), messages]).toEqual([20, []])
    const { rows } = await client.query(
      `select relname from pg_class
       where relnamespace = 'public'::regnamespace and relkind = 'r' and relreplident <> 'f'
         and not exists (select from pg_index where indrelid = pg_class.oid and indisprimary)`,
    )
    expect(rows).toEqual([])
  })

  it('compacts a backlog in batches that are shorter than the statement timeout', async () => {
    const { app, client, messages } = await openNotes(isFull ? '' : '&statement_timeout=250')
    await create(app, '/note', 3)
    const backlog = isFull ? 10_000_000 : 150_000
    await client.query(
      `insert into _tally_note_delta
       select '', number % 1000, case when number % 2 = 0 then 1 else -1 end from generate_series(1, ${backlog}) as number`,
    )
    await create(app, '/note', 1)
    await expect
      .poll(() => deltas(client, 'note'), isFull ? { timeout: 900_000, interval: 5000 } : { timeout: 60_000 })
      .toBe(0)
    expect([await total(app, '/note'), messages]).toEqual([4, []])
    expect(await metric(app, /^nomen_tally_compacted_deltas_total (\d+)$/m)).toBeGreaterThanOrEqual(backlog)
    await expect.poll(() => tallyHealth(app)).toEqual([200, 'ok', undefined])
  }, 1_000_000)

  it('continues while an old snapshot is held, whose dead rows are a metric', async () => {
    const { app, client, url } = await openNotes()
    const reader = await connected(url)
    await reader.query('begin isolation level repeatable read; select from note')
    await create(app, '/note', 200)
    await expect.poll(() => deltas(client, 'note')).toBe(0)
    expect(await total(app, '/note')).toBe(200)
    const dead = /^nomen_tally_deltas\{noun="note",state="dead"\} (\d+)$/m
    await expect.poll(() => metric(app, dead)).toBeGreaterThanOrEqual(200)
  })

  it('that fails for one noun is reported once, counted, and visible in health, until it works again', async () => {
    const { app, client, messages } = await openNotes()
    await client.query('alter table _tally_note_delta replica identity nothing; create publication p for all tables')
    await create(app, '/note', 5)
    await create(app, '/topic', 5)
    const detail = 'The stored totals of "note" cannot be updated in the background. Lists are slower.'
    await expect.poll(() => tallyHealth(app)).toEqual([200, 'degraded', detail])
    await expect.poll(() => deltas(client, 'topic')).toBe(0)
    const failures = /^nomen_tally_compaction_failures_total (\d+)$/m
    await create(app, '/note', 1)
    await expect.poll(() => metric(app, failures)).toBeGreaterThanOrEqual(2)
    expect([await total(app, '/note'), await deltas(client, 'note')]).toEqual([6, expect.any(Number)])
    expect(messages).toEqual([
      'The stored totals of "note" cannot be updated in the background. Lists are correct, but become slower with every write.',
    ])
    await client.query('alter table _tally_note_delta replica identity full')
    await create(app, '/note', 1)
    await expect.poll(() => deltas(client, 'note')).toBe(0)
    await expect.poll(() => tallyHealth(app)).toEqual([200, 'ok', undefined])
    expect(messages.slice(1)).toEqual(['Stored totals are updated in the background again.'])
  })
})
