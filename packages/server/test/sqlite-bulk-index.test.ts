// Indexes and tallies of an empty table are built after a load, also if it was interrupted or if a service was started.
import { DatabaseSync } from 'node:sqlite'
import { choice, identity, integer, noun, resource, text } from '@nomen/core'
import { type LoadOptions, loadRecords, recountDatabase } from '@nomen/server/admin'
import { describe, expect, it } from 'vitest'
import { sourceOf } from './bulk-bench.ts'
import { temporaryPath } from './temporary-database.ts'
import { openService, plainApi, serviceOf } from './test-service.ts'

const note = noun(
  'note',
  {
    id: identity(),
    title: text({ sort: 'en' }),
    code: text().unique(),
    state: choice('OPEN', 'DONE'),
    size: integer(),
  },
  { indexes: [['state', 'size']] },
)
const service = serviceOf([plainApi(resource(note, { search: ['title'] }))])
const length = 3000
const line = (index: number) => `Note ${index},${index},${index % 3 === 0 ? 'DONE' : 'OPEN'},${index % 7}\n`
const file = `title,code,state,size\n${Array.from({ length }, (_, index) => line(index)).join('')}`

function load(path: string, options: Partial<LoadOptions> = {}) {
  return loadRecords(service, { database: `sqlite:${path}`, noun: 'note', source: sourceOf(file), ...options })
}

function readFile<Result>(path: string, read: (database: DatabaseSync) => Result): Result {
  const database = new DatabaseSync(path)
  try {
    return read(database)
  } finally {
    database.close()
  }
}

function objects(path: string): readonly string[] {
  const query = 'select "type" || \' \' || coalesce("sql", "name") as text from "sqlite_schema" order by text'
  return readFile(path, (database) => database.prepare(query).all()).map((row) => `${row.text}`)
}

/** The tables, indexes and triggers of a database that a service has created. */
async function expectedObjects(): Promise<readonly string[]> {
  const path = temporaryPath()
  const { app } = await openService(service, { database: `sqlite:${path}` })
  await app.close()
  return objects(path)
}

async function expectComplete(path: string, records: number): Promise<void> {
  expect(objects(path)).toEqual(await expectedObjects())
  readFile(path, (database) => {
    expect(database.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
    const tallies = database.prepare('select sum("records") as n from "_tally_note" where "key" = \'\' and "level" = 2')
    expect(tallies.get()).toEqual({ n: records })
  })
  const [count] = await recountDatabase(`sqlite:${path}`, service, 'check')
  expect(count).toEqual({ noun: 'note', numberOfRecords: records, miscounts: [], missing: [] })
}

/** The database after a load that was stopped. */
async function stoppedLoad(): Promise<{ readonly path: string; readonly loaded: number }> {
  const path = temporaryPath()
  const controller = new AbortController()
  const { loaded, isStopped } = await load(path, { signal: controller.signal, onProgress: () => controller.abort() })
  expect([isStopped, loaded > 0, loaded < length]).toEqual([true, true, true])
  expect(objects(path).filter((text) => text.startsWith('index')).length).toBeLessThan(
    (await expectedObjects()).filter((text) => text.startsWith('index')).length,
  )
  return { path, loaded }
}

describe('the indexes and tallies of an empty SQLite table', () => {
  it('are complete after a load, which rejects taken unique values with their line', async () => {
    const path = temporaryPath()
    const rejects: unknown[] = []
    const source = sourceOf(`${file}${line(7).replace('Note 7', 'Copy')}`)
    const onReject = ({ line, reason }: { line: number; reason: string }) => rejects.push([line, reason])
    expect(await load(path, { source, onReject })).toMatchObject({ loaded: length, unchanged: 1, different: 1 })
    const withIdentity = sourceOf(`id,title,code,state,size\n9000,${line(7)}`)
    await load(path, { source: withIdentity, onReject })
    expect(rejects).toEqual([[2, 'Another note has code "7".']])
    await expectComplete(path, length)
  })

  it('are built by the next load after an interrupted one', async () => {
    const { path, loaded } = await stoppedLoad()
    expect(await load(path)).toMatchObject({ loaded: length - loaded, unchanged: loaded })
    await expectComplete(path, length)
  })

  it('are built by a service that starts after an interrupted load', async () => {
    const { path, loaded } = await stoppedLoad()
    const app = await openService(service, { database: `sqlite:${path}` })
    expect((await app.get('/note?state=OPEN')).body.pageInfo.numberOfRecords).toBe(loaded - Math.ceil(loaded / 3))
    await app.app.close()
    await expectComplete(path, loaded)
  })

  it('are built by a service that starts during a load, which continues', async () => {
    const path = temporaryPath()
    let opening: ReturnType<typeof openService> | undefined
    const onProgress = () => {
      opening ??= openService(service, { database: `sqlite:${path}` })
    }
    expect(await load(path, { onProgress })).toMatchObject({ loaded: length })
    const app = await opening
    expect((await app?.get('/note?state=DONE'))?.body.pageInfo.numberOfRecords).toBe(length / 3)
    await app?.app.close()
    await expectComplete(path, length)
  })

  it('are complete after a large sample', async () => {
    const path = temporaryPath()
    const rows = Array.from({ length }, (_, index) => ({
      title: `Note ${index}`,
      code: `${index}`,
      state: 'OPEN',
      size: 1,
    }))
    const { app } = await openService(
      { ...service, sample: () => [{ noun: 'note', rows }] },
      { database: `sqlite:${path}` },
    )
    await app.close()
    await expectComplete(path, length)
  })

  it('stay during a load while a service has the database open', async () => {
    const path = temporaryPath()
    const app = await openService(service, { database: `sqlite:${path}` })
    const controller = new AbortController()
    await load(path, { signal: controller.signal, onProgress: () => controller.abort() })
    expect(objects(path)).toEqual(await expectedObjects())
    await app.app.close()
  })
})
