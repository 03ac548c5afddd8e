/** The open store of a test, with functions that create and list its records. */
import type { Value } from '@nomen/core'
import { afterEach, beforeEach } from 'vitest'
import type { Model } from '../../src/store/model.ts'
import type { Outcome } from '../../src/store/outcome.ts'
import type { ListPlan, Plan, Values } from '../../src/store/plan.ts'
import type { Store } from '../../src/store/store.ts'
import { createPlan, listPlan, model, newTask, recordOf } from './work-plan.ts'

/** The database of one test. */
export interface StoreUnderTest {
  /** Opens the database; a second call opens the same database again. */
  open(model: Model): Promise<Store>
  remove(): Promise<void>
}

export interface StoreTest {
  store(): Store
  /** Opens the database a second time. */
  openAgain(): Promise<Store>
  /** Closes the store and opens it again. */
  reopen(): Promise<void>
  run(plan: Plan): Promise<Outcome>
  created(id: string, values: Values, ancestors?: readonly Value[]): Promise<Record<string, unknown>>
  someTask(title: string, more?: Values): Promise<Record<string, unknown>>
  titles(plan: Partial<ListPlan>): Promise<{ readonly titles: readonly string[]; readonly total: number }>
}

/** Opens a store before each test of the current suite, and removes its database afterwards. */
export function storeTest(prepare: () => Promise<StoreUnderTest>): StoreTest {
  let database: StoreUnderTest
  let store: Store
  beforeEach(async () => {
    database = await prepare()
    store = await database.open(model)
  })
  afterEach(async () => {
    await store.close()
    await database.remove()
  })
  const run = async (plan: Plan): Promise<Outcome> => store.run(plan)
  const created = async (id: string, values: Values, ancestors: readonly Value[] = []) =>
    recordOf(await run(createPlan(id, values, ancestors)))
  return {
    store: () => store,
    openAgain: () => database.open(model),
    reopen: async () => {
      await store.close()
      store = await database.open(model)
    },
    run,
    created,
    someTask: (title, more = {}) => created('task.create', newTask(title, more)),
    titles: async (plan) => {
      const outcome = await run(listPlan('task.list', plan))
      if (outcome.kind !== 'list') throw new Error(outcome.kind)
      return {
        titles: (JSON.parse(outcome.json) as { title: string }[]).map(({ title }) => title),
        total: outcome.numberOfRecords,
      }
    },
  }
}
