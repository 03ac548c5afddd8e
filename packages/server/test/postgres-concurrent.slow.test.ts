// Two instances on one PostgreSQL database write concurrently: a serial order explains all results.
import { choice, email, identity, integer, link, noun, reference, resource, text } from '@nomen/core'
import { rule } from '@nomen/server'
import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import pg from 'pg'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { openService, plainApi, serviceOf, type TestResponse, type TestService } from './test-service.ts'

const project = noun('project', { id: identity(), name: text() })
const task = noun('task', {
  id: identity(),
  project: reference(() => project),
  owner: email().unique(),
  state: choice({ OPEN: ['DONE', 'DROPPED'], DONE: [], DROPPED: [] }).default('OPEN'),
  hours: integer().default(0),
  minutes: integer().default(0),
  words: text().default(''),
  next: reference(() => task)
    .nullable()
    .clearedOnDelete(),
})
const note = noun('note', { id: identity(), task: reference(() => task), words: text() })
const mark = noun('mark', { id: identity(), note: reference(() => note) })
const label = noun('label', { id: identity(), project: reference(() => project) })
const taskLabel = link(task, label, { sharing: 'project' })

const work = plainApi(
  resource(project),
  resource(task, {
    children: [resource(note, { children: [resource(mark)] }), resource(label, { via: taskLabel })],
  }),
  resource(label),
)
const notTooLong = rule(task, ({ hours, minutes }) =>
  hours > 0 && minutes > 0 ? { field: 'minutes', detail: 'Give hours or minutes.' } : undefined,
)
const service = serviceOf([work], [notTooLong])

let apps: [TestService, TestService]
let url: string

beforeEach(async () => {
  const database = await temporaryPostgres()
  // PostgreSQL resolves each deadlock after a second: on a busy machine, several take longer than the lock timeout.
  const patient = new URL(database.url)
  patient.searchParams.set('lock_timeout', '60000')
  url = patient.href
  onTestFinished(database.remove)
  apps = [await openService(service, { database: url }), await openService(service, { database: url })]
})

async function connected(): Promise<pg.Client> {
  const client = new pg.Client(url)
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

/** How many sessions wait for a lock that another one holds. */
async function numberOfWaiting(client: pg.Client): Promise<number> {
  const { rows } = await client.query(
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  )
  return rows.length
}

type Method = 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Sends a request by either instance in turn, as often as said, all at once. */
function race(
  times: number,
  request: (app: TestService, turn: number) => Promise<TestResponse<Body>>,
): Promise<TestResponse<Body>[]> {
  return Promise.all(Array.from({ length: times }, (_, turn) => request(apps[turn % 2] as TestService, turn)))
}
// biome-ignore lint/suspicious/noExplicitAny: the test knows the type of the body
type Body = any

const send = async (method: Method, url: string, body?: unknown, headers?: Record<string, string>) => {
  const response = await apps[0].send(method, url, body, headers)
  expect(response.status, `${method} ${url} ${response.text}`).toBeLessThan(300)
  return response.body
}
const statuses = (responses: readonly TestResponse<Body>[]) => responses.map(({ status }) => status).sort()
const newProject = async () => (await send('POST', '/project', { name: 'p' })).id as number
let createdCount = 0
const newTask = async (at: number) =>
  (await send('POST', '/task', { project: at, owner: `${++createdCount}@example.com` })).id as number

describe('concurrently', () => {
  it('one of many creates gets a unique value', async () => {
    const at = await newProject()
    for (let round = 0; round < 5; round++) {
      const responses = await race(12, (app, turn) => {
        const owner = turn % 3 === 0 ? `SAME.${round}@example.com` : `same.${round}@EXAMPLE.com`
        return app.send('POST', '/task', { project: at, owner })
      })
      expect(statuses(responses)).toEqual([201, ...Array(11).fill(409)])
    }
    expect(await apps[0].column('id', '/task')).toHaveLength(5)
  })

  it('one of many changes of the same version wins', async () => {
    const id = await newTask(await newProject())
    for (let round = 0; round < 5; round++) {
      const { headers } = await apps[0].get(`/task/${id}`)
      const responses = await race(10, (app, turn) =>
        app.send('PATCH', `/task/${id}`, { words: `${round} ${turn}` }, { 'if-match': `${headers.etag}` }),
      )
      expect(statuses(responses)).toEqual([200, ...Array(9).fill(412)])
    }
  })

  it('one of many requests with the same Idempotency-Key creates the record, and all get it', async () => {
    const at = await newProject()
    for (let round = 0; round < 5; round++) {
      const key = { 'idempotency-key': `key ${round}`.replace(' ', '-') }
      const body = { project: at, owner: `once.${round}@example.com` }
      const responses = await race(10, (app) => app.send('POST', '/task', body, key))
      expect(statuses(responses)).toEqual(Array(10).fill(201))
      expect(new Set(responses.map((response) => response.text)).size).toBe(1)
      expect(responses.filter(({ headers }) => headers['idempotency-replayed'] === undefined)).toHaveLength(1)
      const others = await race(4, (app) => app.send('POST', '/task', { ...body, words: 'other' }, key))
      expect(statuses(others)).toEqual(Array(4).fill(422))
    }
    expect(await apps[0].column('id', '/task')).toHaveLength(5)
  })

  it('a record is deleted, or another references it, never both', async () => {
    const outcomes = new Set<string>()
    for (let round = 0; round < 25; round++) {
      const at = await newProject()
      const [gone, pointing] = await Promise.all([
        apps[0].send('DELETE', `/project/${at}`),
        apps[1].send('POST', '/task', { project: at, owner: `race.${round}@example.com` }),
      ])
      outcomes.add(`${gone.status} ${pointing.status}`)
    }
    expect(['200 422', '409 201']).toEqual(expect.arrayContaining([...outcomes]))
  })

  it('owned records are deleted with their owner, also those that are created during the delete', async () => {
    for (let round = 0; round < 15; round++) {
      const id = await newTask(await newProject())
      const first = (await send('POST', `/task/${id}/note`, { words: 'first' })).id
      const [gone, ...others] = await Promise.all([
        apps[0].send('DELETE', `/task/${id}`),
        ...[1, 2, 3, 4].flatMap((turn) => [
          (apps[turn % 2] as TestService).send('POST', `/task/${id}/note`, { words: `${turn}` }),
          (apps[turn % 2] as TestService).send('POST', `/task/${id}/note/${first}/mark`, {}),
        ]),
      ])
      expect(gone.status).toBe(200)
      for (const { status } of others) expect([201, 404, 422]).toContain(status)
      expect((await apps[1].get(`/task/${id}/note`)).status).toBe(404)
    }
  })

  it('records are linked or get different parents, never both', async () => {
    const [here, there] = [await newProject(), await newProject()]
    for (let round = 0; round < 25; round++) {
      const id = await newTask(here)
      const tag = (await send('POST', '/label', { project: here })).id
      const [linked, moved] = await Promise.all([
        apps[0].send('PUT', `/task/${id}/label/${tag}`),
        round % 2 === 0
          ? apps[1].send('PATCH', `/label/${tag}`, { project: there })
          : apps[1].send('PATCH', `/task/${id}`, { project: there }),
      ])
      expect([
        [200, 422],
        [422, 200],
      ]).toContainEqual([linked.status, moved.status])
      expect(await apps[1].column('id', `/task/${id}/label`)).toEqual(linked.status === 200 ? [tag] : [])
    }
  })

  it('a record that is linked during a move stays where it is', async () => {
    const [here, there] = [await newProject(), await newProject()]
    const id = await newTask(here)
    const tag = (await send('POST', '/label', { project: here })).id
    // A lock that only prevents changes of the record still permits links to it.
    const [other, watching] = [await connected(), await connected()]
    await other.query(`begin; select from label where id = ${tag} for share`)
    const moved = apps[1].send('PATCH', `/label/${tag}`, { project: there })
    await expect.poll(() => numberOfWaiting(watching)).toBe(1)
    expect((await apps[0].send('PUT', `/task/${id}/label/${tag}`)).status).toBe(200)
    await other.query('commit')
    expect((await moved).status).toBe(422)
    expect((await apps[0].get(`/label/${tag}`)).body.project).toBe(here)
  })

  it('one of two transitions from a state succeeds', async () => {
    const at = await newProject()
    for (let round = 0; round < 15; round++) {
      const id = await newTask(at)
      const responses = await Promise.all([
        apps[0].send('PATCH', `/task/${id}`, { state: 'DONE' }),
        apps[1].send('PATCH', `/task/${id}`, { state: 'DROPPED' }),
      ])
      expect(statuses(responses)).toEqual([200, 422])
    }
  })

  it('a rule on two properties holds, whichever request changes which', async () => {
    const at = await newProject()
    for (let round = 0; round < 15; round++) {
      const id = await newTask(at)
      const responses = await Promise.all([
        apps[0].send('PATCH', `/task/${id}`, { hours: 1 }),
        apps[1].send('PATCH', `/task/${id}`, { minutes: 1 }),
      ])
      expect(statuses(responses)).toEqual([200, 422])
    }
  })

  it('no update is lost, of one property or of several', async () => {
    const id = await newTask(await newProject())
    const add = async (app: TestService): Promise<void> => {
      const { body, headers } = await app.get(`/task/${id}`)
      const { status } = await app.send(
        'PATCH',
        `/task/${id}`,
        { hours: body.hours + 1 },
        { 'if-match': `${headers.etag}` },
      )
      if (status === 412) await add(app)
      else expect(status).toBe(200)
    }
    await Promise.all(
      Array.from({ length: 12 }, async (_, writer) => {
        for (let turn = 0; turn < 10; turn++) await add(apps[writer % 2] as TestService)
      }),
    )
    expect((await apps[0].get(`/task/${id}`)).body.hours).toBe(120)
    await Promise.all([
      ...['a', 'b'].map((words, turn) => (apps[turn] as TestService).send('PATCH', `/task/${id}`, { words })),
      ...[1, 2].map((turn) =>
        (apps[turn - 1] as TestService).send('PATCH', `/task/${id}`, { owner: `new${turn}@example.com` }),
      ),
    ])
    const { body } = await apps[0].get(`/task/${id}`)
    expect(body.words).toMatch(/^[ab]$/)
    expect(body.owner).toMatch(/^new/)
  })

  it('deletes that block each other complete one after the other', async () => {
    const at = await newProject()
    for (let round = 0; round < 5; round++) {
      const ids = [await newTask(at), await newTask(at), await newTask(at)]
      for (const [index, id] of ids.entries()) await send('PATCH', `/task/${id}`, { next: ids[(index + 1) % 3] })
      const responses = await race(3, (app, turn) => app.send('DELETE', `/task/${ids[turn]}`))
      expect(statuses(responses)).toEqual([200, 200, 200])
    }
    expect(await apps[0].column('id', '/task')).toEqual([])
  })

  it('the same record is deleted once', async () => {
    const at = await newProject()
    const responses = await race(8, (app) => app.send('DELETE', `/project/${at}`))
    expect(statuses(responses)).toEqual([200, ...Array(7).fill(404)])
  })
})

describe('instances that start concurrently', () => {
  it('create the tables and load the sample once', async () => {
    const { url, remove } = await temporaryPostgres()
    onTestFinished(remove)
    const rows = Array.from({ length: 5000 }, (_, index) => ({ id: index + 1, name: `p${index}` }))
    const sampled = { ...service, sample: () => [{ noun: 'project', rows }] }
    const all = await Promise.all(Array.from({ length: 5 }, () => openService(sampled, { database: url })))
    for (const app of all) expect((await app.get('/project')).body.pageInfo.numberOfRecords).toBe(5000)
    expect((await all[0]?.send('POST', '/project', { name: 'next' }))?.body.id).toBe(5001)
  })
})
