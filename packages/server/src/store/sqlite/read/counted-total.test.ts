// How often the records of a filtered list are counted.
import { api, identity, integer, noun, type Operation, operations, resource, text } from '@nomen/core'
import { expect, it, onTestFinished, vi } from 'vitest'
import { temporaryPath } from '../../../../test/temporary-database.ts'
import { modelOf } from '../../model.ts'
import type { ListPlan } from '../../plan.ts'
import { SqliteStore } from '../store.ts'
import { ReaderThreads } from './reader-threads.ts'

const page = noun('page', { id: identity(), title: text(), size: integer() })
const table = operations(api('library', { versioning: 'per-noun', writes: 'flat', resources: [resource(page)] }))
const operationOf = (id: string) => table.find((operation) => operation.id === id) as Operation

const list: ListPlan = {
  kind: 'list',
  operation: operationOf('page.list'),
  ancestors: [],
  conditions: [{ kind: 'equal', fields: ['size'], values: [1] }],
  include: [],
  order: [],
  page: { pageNumber: 1, pageSize: 10 },
}

const readOnThread = ReaderThreads.prototype.read

/** A store whose lists are counted by threads, and the number of counts. */
async function countedStore() {
  const read = vi.spyOn(ReaderThreads.prototype, 'read').mockImplementation(async function (
    this: ReaderThreads,
    ...args
  ) {
    // A list that a thread has read fast would be counted on the main thread the next time.
    return { ...(await readOnThread.apply(this, args)), tookMs: 100 }
  })
  const store = new SqliteStore(`${temporaryPath()}/library.db`, modelOf(table))
  onTestFinished(async () => {
    read.mockRestore()
    await store.close()
  })
  const rows = Array.from({ length: 30_000 }, (_, at) => ({ id: at + 1, title: 'A title', size: at % 3 }))
  await store.loadIfEmpty(() => [{ noun: 'page', rows }])
  return { store, counts: () => read.mock.calls.filter(([statement]) => statement.includes('count(*)')).length }
}

it('is once for equal lists at the same time', async () => {
  const { store, counts } = await countedStore()
  const outcomes = await Promise.all(Array.from({ length: 10 }, () => store.run(list)))
  expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size).toBe(1)
  expect(outcomes[0]).toMatchObject({ numberOfRecords: 10_000 })
  expect(counts()).toBe(1)
})

it('is once while only usage is saved, and again after a write', async () => {
  const { store, counts } = await countedStore()
  await store.run(list)
  const time = '2026-11-15T03:29:00Z'
  await store.usage.add({ instance: 'a', number: 1, day: '2026-11-15', first: time, last: time, rows: [] })
  await store.run(list)
  expect(counts()).toBe(1)
  await store.run({
    kind: 'delete',
    operation: operationOf('page.delete'),
    ancestors: [],
    key: 2,
    now: '2026-11-15T03:29:00.000Z',
    meetsPreconditions: undefined,
  })
  expect(await store.run(list)).toMatchObject({ numberOfRecords: 9_999 })
  expect(counts()).toBe(2)
})
