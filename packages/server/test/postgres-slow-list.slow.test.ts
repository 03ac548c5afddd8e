// Slow lists on PostgreSQL use a limited share of the connections: other requests continue, however many lists wait.
import { identity, noun, resource, text } from '@nomen/core'
import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { openService, plainApi, serviceOf } from './test-service.ts'

const note = noun('note', { id: identity(), title: text() })
const task = noun('task', { id: identity(), name: text() })
const desk = serviceOf([plainApi(resource(note, { search: ['title'] }), resource(task, { search: ['name'] }))])

/** The number of requested lists that run until their time limit. */
const numberOfSlow = 40

it('leaves connections to other lists, single reads and writes', async () => {
  const { url, remove } = await temporaryPostgres()
  onTestFinished(remove)
  // So many notes that a list which looks at all of them may take long.
  const first = await openService(desk, { database: url })
  const filling = await connected(url)
  await filling.query(
    `insert into note (title, title_folded) select text, text from (select 'note ' || n from generate_series(1, 300000) as n) as one (text)`,
  )
  await first.app.close()
  const app = await openService(desk, {
    database: `${url}&statement_timeout=8000&lock_timeout=60000`,
    onFault: () => undefined,
    waitLimitMs: 2000,
  })
  expect((await app.send('POST', '/task', { name: 'quick' })).status).toBe(201)
  expect((await app.get('/task?search=quick')).status).toBe(200)
  const [client, watching] = [await connected(url), await connected(url)]
  // A read of notes now waits until the server stops it.
  await client.query('begin; lock table note in access exclusive mode')
  const slow = Array.from({ length: numberOfSlow }, (_, at) => app.get(`/note?search=text${at}`))
  await expect.poll(() => numberWaiting(watching)).toBe(4)
  // Longer than anybody waits for a connection, and than others wait before requests are rejected.
  for (const until = performance.now() + 6000; performance.now() < until; ) {
    const responses = await Promise.all([
      app.get('/task'),
      app.get('/task?search=quick'),
      app.get('/task?name=quick&sort=-name'),
      app.get('/task/1'),
      app.send('PATCH', '/task/1', { name: 'quick' }),
    ])
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  }
  const codes = (await Promise.all(slow)).map(({ status, body, headers }) => [
    status,
    body.code,
    headers['retry-after'],
  ])
  expect(codes.filter(([, code]) => code === 'too-expensive')).toEqual(Array(4).fill([503, 'too-expensive', undefined]))
  expect(codes.filter(([, code]) => code === 'overloaded')).toEqual(
    Array(numberOfSlow - 4).fill([503, 'overloaded', '1']),
  )
  await client.query('rollback')
  expect((await app.get('/note?search=text')).status).toBe(200)
})

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client(url)
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

async function numberWaiting(client: pg.Client): Promise<number> {
  const { rows } = await client.query(
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  )
  return rows.length
}
