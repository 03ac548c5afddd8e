// Two instances of a service on one PostgreSQL database, writing at the same moment: one order of events explains all.
import { choice, email, identity, integer, link, noun, reference, resource, text } from '@nomen/core'
import { rule } from '@nomen/server'
import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import pg from 'pg'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { type Answer, type Opened, opened, plainApi, serviceOf } from './opened.ts'

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

let apps: [Opened, Opened]
let url: string

beforeEach(async () => {
  const database = await temporaryPostgres()
  url = database.url
  onTestFinished(database.remove)
  apps = [await opened(service, { database: url }), await opened(service, { database: url })]
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
function race(times: number, request: (app: Opened, turn: number) => Promise<Answer<Body>>): Promise<Answer<Body>[]> {
  return Promise.all(Array.from({ length: times }, (_, turn) => request(apps[turn % 2] as Opened, turn)))
}
// biome-ignore lint/suspicious/noExplicitAny: a test knows what it asks for
type Body = any

const ask = async (method: Method, url: string, body?: unknown, headers?: Record<string, string>) => {
  const answer = await apps[0].ask(method, url, body, headers)
  expect(answer.status, `${method} ${url} ${answer.text}`).toBeLessThan(300)
  return answer.body
}
const statuses = (answers: readonly Answer<Body>[]) => answers.map(({ status }) => status).sort()
const newProject = async () => (await ask('POST', '/project', { name: 'p' })).id as number
let made = 0
const newTask = async (at: number) =>
  (await ask('POST', '/task', { project: at, owner: `${++made}@example.com` })).id as number

describe('at the same moment', () => {
  it('one of many creates gets a unique value', async () => {
    const at = await newProject()
    for (let round = 0; round < 5; round++) {
      const answers = await race(12, (app, turn) => {
        const owner = turn % 3 === 0 ? `SAME.${round}@example.com` : `same.${round}@EXAMPLE.com`
        return app.ask('POST', '/task', { project: at, owner })
      })
      expect(statuses(answers)).toEqual([201, ...Array(11).fill(409)])
    }
    expect(await apps[0].column('id', '/task')).toHaveLength(5)
  })

  it('one of many changes of the same version wins', async () => {
    const id = await newTask(await newProject())
    for (let round = 0; round < 5; round++) {
      const { headers } = await apps[0].get(`/task/${id}`)
      const answers = await race(10, (app, turn) =>
        app.ask('PATCH', `/task/${id}`, { words: `${round} ${turn}` }, { 'if-match': `${headers.etag}` }),
      )
      expect(statuses(answers)).toEqual([200, ...Array(9).fill(412)])
    }
  })

  it('one of many requests with the same Idempotency-Key makes the record, and all get it', async () => {
    const at = await newProject()
    for (let round = 0; round < 5; round++) {
      const key = { 'idempotency-key': `key ${round}`.replace(' ', '-') }
      const body = { project: at, owner: `once.${round}@example.com` }
      const answers = await race(10, (app) => app.ask('POST', '/task', body, key))
      expect(statuses(answers)).toEqual(Array(10).fill(201))
      expect(new Set(answers.map((answer) => answer.text)).size).toBe(1)
      expect(answers.filter(({ headers }) => headers['idempotency-replayed'] === undefined)).toHaveLength(1)
      const others = await race(4, (app) => app.ask('POST', '/task', { ...body, words: 'other' }, key))
      expect(statuses(others)).toEqual(Array(4).fill(422))
    }
    expect(await apps[0].column('id', '/task')).toHaveLength(5)
  })

  it('a record is deleted, or another points at it, never both', async () => {
    const seen = new Set<string>()
    for (let round = 0; round < 25; round++) {
      const at = await newProject()
      const [gone, pointing] = await Promise.all([
        apps[0].ask('DELETE', `/project/${at}`),
        apps[1].ask('POST', '/task', { project: at, owner: `race.${round}@example.com` }),
      ])
      seen.add(`${gone.status} ${pointing.status}`)
    }
    expect(['200 422', '409 201']).toEqual(expect.arrayContaining([...seen]))
  })

  it('what a record owns goes with it, also what comes while it goes', async () => {
    for (let round = 0; round < 15; round++) {
      const id = await newTask(await newProject())
      const first = (await ask('POST', `/task/${id}/note`, { words: 'first' })).id
      const [gone, ...others] = await Promise.all([
        apps[0].ask('DELETE', `/task/${id}`),
        ...[1, 2, 3, 4].flatMap((turn) => [
          (apps[turn % 2] as Opened).ask('POST', `/task/${id}/note`, { words: `${turn}` }),
          (apps[turn % 2] as Opened).ask('POST', `/task/${id}/note/${first}/mark`, {}),
        ]),
      ])
      expect(gone.status).toBe(200)
      for (const { status } of others) expect([201, 404, 422]).toContain(status)
      expect((await apps[1].get(`/task/${id}/note`)).status).toBe(404)
    }
  })

  it('records are linked or moved apart, never both', async () => {
    const [here, there] = [await newProject(), await newProject()]
    for (let round = 0; round < 25; round++) {
      const id = await newTask(here)
      const tag = (await ask('POST', '/label', { project: here })).id
      const [linked, moved] = await Promise.all([
        apps[0].ask('PUT', `/task/${id}/label/${tag}`),
        round % 2 === 0
          ? apps[1].ask('PATCH', `/label/${tag}`, { project: there })
          : apps[1].ask('PATCH', `/task/${id}`, { project: there }),
      ])
      expect([
        [200, 422],
        [422, 200],
      ]).toContainEqual([linked.status, moved.status])
      expect(await apps[1].column('id', `/task/${id}/label`)).toEqual(linked.status === 200 ? [tag] : [])
    }
  })

  it('a record that has been linked while it was to be moved stays where it is', async () => {
    const [here, there] = [await newProject(), await newProject()]
    const id = await newTask(here)
    const tag = (await ask('POST', '/label', { project: here })).id
    // Somebody who only keeps the record from being changed lets it be linked.
    const [other, watching] = [await connected(), await connected()]
    await other.query(`begin; select from label where id = ${tag} for share`)
    const moved = apps[1].ask('PATCH', `/label/${tag}`, { project: there })
    await expect.poll(() => numberOfWaiting(watching), { timeout: 10_000 }).toBe(1)
    expect((await apps[0].ask('PUT', `/task/${id}/label/${tag}`)).status).toBe(200)
    await other.query('commit')
    expect((await moved).status).toBe(422)
    expect((await apps[0].get(`/label/${tag}`)).body.project).toBe(here)
  })

  it('one of two ways out of a state is taken', async () => {
    const at = await newProject()
    for (let round = 0; round < 15; round++) {
      const id = await newTask(at)
      const answers = await Promise.all([
        apps[0].ask('PATCH', `/task/${id}`, { state: 'DONE' }),
        apps[1].ask('PATCH', `/task/${id}`, { state: 'DROPPED' }),
      ])
      expect(statuses(answers)).toEqual([200, 422])
    }
  })

  it('a rule on two properties is kept, whoever changes which', async () => {
    const at = await newProject()
    for (let round = 0; round < 15; round++) {
      const id = await newTask(at)
      const answers = await Promise.all([
        apps[0].ask('PATCH', `/task/${id}`, { hours: 1 }),
        apps[1].ask('PATCH', `/task/${id}`, { minutes: 1 }),
      ])
      expect(statuses(answers)).toEqual([200, 422])
    }
  })

  it('no update is lost, of one property or of several', async () => {
    const id = await newTask(await newProject())
    const add = async (app: Opened): Promise<void> => {
      const { body, headers } = await app.get(`/task/${id}`)
      const { status } = await app.ask(
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
        for (let turn = 0; turn < 10; turn++) await add(apps[writer % 2] as Opened)
      }),
    )
    expect((await apps[0].get(`/task/${id}`)).body.hours).toBe(120)
    await Promise.all([
      ...['a', 'b'].map((words, turn) => (apps[turn] as Opened).ask('PATCH', `/task/${id}`, { words })),
      ...[1, 2].map((turn) =>
        (apps[turn - 1] as Opened).ask('PATCH', `/task/${id}`, { owner: `new${turn}@example.com` }),
      ),
    ])
    const { body } = await apps[0].get(`/task/${id}`)
    expect(body.words).toMatch(/^[ab]$/)
    expect(body.owner).toMatch(/^new/)
  })

  it('deletes that stand in each other’s way are done, one after the other', async () => {
    const at = await newProject()
    for (let round = 0; round < 5; round++) {
      const ids = [await newTask(at), await newTask(at), await newTask(at)]
      for (const [index, id] of ids.entries()) await ask('PATCH', `/task/${id}`, { next: ids[(index + 1) % 3] })
      const answers = await race(3, (app, turn) => app.ask('DELETE', `/task/${ids[turn]}`))
      expect(statuses(answers)).toEqual([200, 200, 200])
    }
    expect(await apps[0].column('id', '/task')).toEqual([])
  })

  it('the same record is deleted once', async () => {
    const at = await newProject()
    const answers = await race(8, (app) => app.ask('DELETE', `/project/${at}`))
    expect(statuses(answers)).toEqual([200, ...Array(7).fill(404)])
  })
})

describe('instances that start at once', () => {
  it('make the tables and load the sample once', async () => {
    const { url, remove } = await temporaryPostgres()
    onTestFinished(remove)
    const rows = Array.from({ length: 5000 }, (_, index) => ({ id: index + 1, name: `p${index}` }))
    const sampled = { ...service, sample: () => [{ noun: 'project', rows }] }
    const all = await Promise.all(Array.from({ length: 5 }, () => opened(sampled, { database: url })))
    for (const app of all) expect((await app.get('/project')).body.pageInfo.numberOfRecords).toBe(5000)
    expect((await all[0]?.ask('POST', '/project', { name: 'next' }))?.body.id).toBe(5001)
  })
})
