/** Indexes and tallies of an empty table are built after a load, also if it was interrupted or if a service was started. */
import { choice, identity, integer, noun, resource, text } from '@nomen/core'
import { type LoadOptions, loadRecords, recountDatabase } from '@nomen/server/admin'
import { describe, expect, it } from 'vitest'
import { sourceOf } from '../bulk-bench.ts'
import { openService, plainApi, serviceOf } from '../test-service.ts'

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

export interface IndexedDatabases {
  /** The URL of a database that does not exist yet or is empty. No other client is connected to it. */
  make(): Promise<string>
  /** The tables, indexes, triggers and functions of a database. */
  objects(address: string): Promise<readonly string[]>
  /** Checks a database with this number of records. */
  check(address: string, records: number): Promise<void>
}

export function indexLoadSuite(title: string, { make, objects, check }: IndexedDatabases): void {
  const load = (database: string, options: Partial<LoadOptions> = {}) =>
    loadRecords(service, { database, noun: 'note', source: sourceOf(file), ...options })

  /** Those of a database that a service has created. */
  const expectedObjects = async () => {
    const database = await make()
    const { app } = await openService(service, { database })
    await app.close()
    return objects(database)
  }

  const expectComplete = async (database: string, records: number) => {
    expect(await objects(database)).toEqual(await expectedObjects())
    await check(database, records)
    const [count] = await recountDatabase(database, service, 'check')
    expect(count).toEqual({ noun: 'note', numberOfRecords: records, miscounts: [], missing: [] })
  }

  /** The database after a load that was stopped. */
  const stoppedLoad = async () => {
    const database = await make()
    const controller = new AbortController()
    const { loaded, isStopped } = await load(database, {
      signal: controller.signal,
      onProgress: () => controller.abort(),
    })
    expect([isStopped, loaded > 0, loaded < length]).toEqual([true, true, true])
    expect((await objects(database)).length).toBeLessThan((await expectedObjects()).length)
    return { database, loaded }
  }

  describe(`the indexes and tallies of an empty table ${title}`, () => {
    it('are complete after a load, which rejects taken unique values with their line', async () => {
      const database = await make()
      const rejects: unknown[] = []
      const source = sourceOf(`${file}${line(7).replace('Note 7', 'Copy')}`)
      const onReject = ({ line, reason }: { line: number; reason: string }) => rejects.push([line, reason])
      expect(await load(database, { source, onReject })).toMatchObject({ loaded: length, unchanged: 1, different: 1 })
      const withIdentity = sourceOf(`id,title,code,state,size\n9000,${line(7)}`)
      await load(database, { source: withIdentity, onReject })
      expect(rejects).toEqual([[2, 'Another note has code "7".']])
      await expectComplete(database, length)
    })

    it('are built by the next load after an interrupted one', async () => {
      const { database, loaded } = await stoppedLoad()
      expect(await load(database)).toMatchObject({ loaded: length - loaded, unchanged: loaded })
      await expectComplete(database, length)
    })

    it('are built by a service that starts after an interrupted load', async () => {
      const { database, loaded } = await stoppedLoad()
      const app = await openService(service, { database })
      expect((await app.get('/note?state=OPEN')).body.pageInfo.numberOfRecords).toBe(loaded - Math.ceil(loaded / 3))
      await app.app.close()
      await expectComplete(database, loaded)
    })

    it('are built by a service that starts during a load, which continues', async () => {
      const database = await make()
      let opening: ReturnType<typeof openService> | undefined
      const onProgress = () => {
        opening ??= openService(service, { database })
      }
      expect(await load(database, { onProgress })).toMatchObject({ loaded: length })
      const app = await opening
      expect((await app?.get('/note?state=DONE'))?.body.pageInfo.numberOfRecords).toBe(length / 3)
      await app?.app.close()
      await expectComplete(database, length)
    })

    it('are complete after a load that fails at its header', async () => {
      const database = await make()
      await expect(load(database, { source: sourceOf('titel,code,state,size\nA,1,OPEN,1\n') })).rejects.toThrow('titel')
      await expectComplete(database, 0)
    })

    it('are complete after a large sample', async () => {
      const database = await make()
      const rows = Array.from({ length }, (_, index) => ({
        title: `Note ${index}`,
        code: `${index}`,
        state: 'OPEN',
        size: 1,
      }))
      const { app } = await openService({ ...service, sample: () => [{ noun: 'note', rows }] }, { database })
      await app.close()
      await expectComplete(database, length)
    })

    it('stay during a load while a service has the database open', async () => {
      const database = await make()
      const app = await openService(service, { database })
      const controller = new AbortController()
      await load(database, { signal: controller.signal, onProgress: () => controller.abort() })
      expect(await objects(database)).toEqual(await expectedObjects())
      await app.app.close()
    })
  })
}
