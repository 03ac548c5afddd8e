// Visibility conditions on many records: both databases use the indexes of the fields.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { api, date, identity, link, noun, type Operation, operations, reference, resource, text } from '@nomen/core'
import { between, linked, referencedBy, type Visibility, visible } from '@nomen/server'
import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { unrestrictedCaller } from '../src/define/caller/caller.ts'
import { visibleConditions } from '../src/pipeline/visible/row-filter.ts'
import { readPostgresUrl } from '../src/store/connection/postgres-url.ts'
import { modelOf, type StoredNoun } from '../src/store/model.ts'
import { openStore } from '../src/store/open/store.ts'
import type { ListPlan } from '../src/store/plan.ts'
import { PostgresHosts } from '../src/store/postgres/connect/hosts.ts'
import { PooledConnection } from '../src/store/postgres/connect/pooled-connection.ts'
import { listForm } from '../src/store/postgres/read/list-statement.ts'
import { listQuery } from '../src/store/sql/list/query.ts'
import { sqliteDialect } from '../src/store/sqlite/dialect.ts'
import { openDatabase } from '../src/store/sqlite/open-database.ts'
import { compile } from '../src/store/sqlite/statement.ts'
import type { LoadPart } from '../src/store/store.ts'

const user = noun('user', { id: identity(), name: text() })
const team = noun('team', { id: identity(), lead: reference(() => user) })
const project = noun('project', { id: identity(), team: reference(() => team) })
const membership = noun('membership', { id: identity(), team: reference(() => team), user: reference(() => user) })
const task = noun('task', {
  id: identity(),
  title: text(),
  due: date().indexed(),
  owner: reference(() => user),
  project: reference(() => project),
})
const teamUser = link(team, user)
const desk = api('desk', {
  versioning: 'per-noun',
  writes: 'nested',
  resources: [
    resource(user),
    resource(team, { children: [resource(user, { via: teamUser })] }),
    resource(project),
    resource(membership),
    resource(task),
  ],
})
const table = operations(desk)
const model = modelOf(table)

const tasks = 40_000
const rows = <Row>(count: number, row: (id: number) => Row): readonly Row[] =>
  Array.from({ length: count }, (_, at) => row(at + 1))
const parts: readonly LoadPart[] = [
  { noun: 'user', rows: rows(2000, (id) => ({ id, name: `U${id}` })) },
  { noun: 'team', rows: rows(1000, (id) => ({ id, lead: 1 + ((id * 7) % 2000) })) },
  { noun: 'project', rows: rows(4000, (id) => ({ id, team: 1 + ((id * 13) % 1000) })) },
  { noun: 'membership', rows: rows(8000, (id) => ({ id, team: 1 + (id % 1000), user: 1 + ((id * 11) % 2000) })) },
  {
    noun: 'task',
    rows: rows(tasks, (id) => ({
      id,
      title: `T${id}`,
      due: new Date(1.6e12 + (id % 3000) * 86_400_000).toISOString().slice(0, 10),
      owner: 1 + ((id * 17) % 2000),
      project: 1 + ((id * 19) % 4000),
    })),
  },
  { link: ['team', 'user'], rows: rows(4000, (id) => [1 + (id % 1000), 1 + ((id * 3) % 2000)] as const) },
]

/** Visibility of tasks, and the indexes that the query must use. */
const conditions: [string, Visibility, string[]][] = [
  ['a reference of a reference', visible(task, () => ({ project: { team: { lead: 8 } } })), ['project']],
  [
    'links behind a reference',
    visible(task, () => ({ project: { team: linked(teamUser, user, { id: 7 }) } })),
    ['project'],
  ],
  [
    'references to the target of a reference',
    visible(task, () => ({ project: { team: referencedBy(membership, 'team', { user: 7 }) } })),
    ['project'],
  ],
  ['alternatives', visible(task, () => [{ owner: 7 }, { project: { team: { lead: 8 } } }]), ['owner', 'project']],
  ['bounds', visible(task, () => ({ due: between('2020-10-01', '2020-10-03') })), ['due']],
]

function planOf(visibility: Visibility): ListPlan {
  const own = visibleConditions([visibility], model, unrestrictedCaller)(task)
  return {
    kind: 'list',
    operation: table.find(({ id }) => id === 'task.list') as Operation,
    ancestors: [],
    conditions: own,
    rowFilter: { task: own },
    include: [],
    order: [],
    page: { pageNumber: 1, pageSize: 10 },
  }
}

describe('SQLite', () => {
  const folder = mkdtempSync(join(tmpdir(), 'nomen-'))
  const path = join(folder, 'test.db')
  afterAll(() => rmSync(folder, { recursive: true }))
  beforeAll(async () => {
    const store = await openStore(`sqlite:${path}`, model)
    await store.loadIfEmpty(() => parts)
    await store.close()
  })

  it.each(conditions)('uses the indexes for a list with visibility by %s', (_, visibility, fields) => {
    const { text: statement } = compile(listQuery(sqliteDialect, planOf(visibility)))
    const database = openDatabase(path)
    const steps = database.prepare(`explain query plan ${statement}`).all()
    database.close()
    const details = steps.map(({ detail }) => `${detail}`).join('\n')
    for (const field of fields) expect(details).toMatch(new RegExp(`SEARCH t USING (COVERING )?INDEX task_${field}`))
    expect(details).not.toMatch(/SCAN (t|tv|tvv|tp|tvp)\b/)
  })
})

describe('PostgreSQL', () => {
  let connection: PooledConnection
  let remove: () => Promise<void>
  beforeAll(async () => {
    const { url, remove: removeDatabase } = await temporaryPostgres()
    const store = await openStore(url, model)
    await store.loadIfEmpty(() => parts)
    await store.close()
    connection = new PooledConnection(await new PostgresHosts(readPostgresUrl(url)).open(), () => {})
    await connection.execute('analyze')
    remove = async () => {
      await connection.close()
      await removeDatabase()
    }
  })
  afterAll(() => remove())

  it.each(conditions)('uses the indexes for a list with visibility by %s', async (_, visibility, fields) => {
    const { text: statement } = listForm(model.nouns.get('task') as StoredNoun, planOf(visibility), 1e7).build()
    const plan = (await connection.execute(`explain (generic_plan, costs off) ${statement}`))
      .map(([line]) => line)
      .join('\n')
    for (const field of fields) expect(plan).toMatch(new RegExp(`(on|using) task_${field}`))
    expect(plan).not.toMatch(/Seq Scan on (task|project|team|membership)\b/)
  })
})
