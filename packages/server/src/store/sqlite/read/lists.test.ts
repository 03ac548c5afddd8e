import { api, boolean, identity, noun, operations, resource, text } from '@nomen/core'
import { expect, it, onTestFinished, vi } from 'vitest'
import { temporaryPath } from '../../../../test/temporary-database.ts'
import { modelOf } from '../../model.ts'
import type { ListPlan } from '../../plan.ts'
import { SqliteStore } from '../store.ts'

const book = noun('book', { id: identity(), isOld: boolean() })
const scan = noun('scan', { id: identity(), content: text({ maxLength: 2_000_000 }) })
const library = api('library', {
  versioning: 'per-noun',
  writes: 'flat',
  resources: [resource(book), resource(scan)],
})
const table = operations(library)

/** Lists of smaller databases are never moved to a thread. */
const megabytes = 17

/** No record matches, so the statement itself never checks the clock. */
const oldBooks: ListPlan = {
  kind: 'list',
  operation: table.find(({ id }) => id === 'book.list') as ListPlan['operation'],
  ancestors: [],
  conditions: [{ kind: 'equal', fields: ['isOld'], values: [1] }],
  include: [],
  order: [],
  page: { pageNumber: 1, pageSize: 10 },
}

/** Runs work in which a second passes between any two looks at the clock, as if other processes ran meanwhile. */
function whileOthersRun<Result>(work: () => Result): Result {
  let now = performance.now()
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 1000
    return now
  })
  try {
    return work()
  } finally {
    clock.mockRestore()
  }
}

it('moves lists to a thread if two in a row take long, and not if one has waited for the processor', async () => {
  const store = new SqliteStore(temporaryPath(), modelOf(table))
  onTestFinished(() => store.close())
  const content = 'x'.repeat(1_000_000)
  await store.loadIfEmpty(() => [
    { noun: 'book', rows: [{ id: 1, isOld: false }] },
    { noun: 'scan', rows: Array.from({ length: megabytes }, (_, index) => ({ id: index + 1, content })) },
  ])
  const read = () => store.run(oldBooks)
  const expected = { kind: 'list', numberOfRecords: 0, json: '[]' }
  for (let round = 0; round < 3; round++) {
    expect(whileOthersRun(read)).toEqual(expected)
    expect(read()).toEqual(expected)
  }
  whileOthersRun(read)
  whileOthersRun(read)
  const moved = read()
  expect(moved).toBeInstanceOf(Promise)
  expect(await moved).toEqual(expected)
})
