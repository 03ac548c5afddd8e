// Totals of filtered lists are counted once and cached until this process, or another one on the file, writes.

import { choice, identity, integer, noun, resource } from '@nomen/core'
import { open, service } from '@nomen/server'
import { inject } from '@nomen/testing/inject'
import fc from 'fast-check'
import { expect, it, onTestFinished } from 'vitest'
import { temporaryPath } from './temporary-database.ts'
import { plainApi } from './test-service.ts'

const state = choice('OPEN', 'DONE')
const task = noun('task', { id: identity(), state, size: integer() })
const states = ['OPEN', 'DONE'] as const

interface Task {
  readonly id: number
  state: (typeof states)[number]
  size: number
}

const step = fc.record({
  /** The service that gets the request: one of two on one file. */
  by: fc.nat(1),
  kind: fc.constantFrom('list', 'list', 'list', 'list', 'create', 'update', 'delete'),
  state: fc.constantFrom(...states),
  size: fc.nat(1),
  pageNumber: fc.integer({ min: 1, max: 3 }),
  sort: fc.constantFrom('', '&sort=-size'),
  pick: fc.nat(),
})

// Where there are many records, a list that has to be counted is read on a thread.
it.each([
  [0, 40],
  [20_100, 10],
])('agree with a model from %i records on', async (count, numRuns) => {
  const sample: Task[] = Array.from({ length: count }, (_, at) => ({
    id: at + 1,
    state: states[at % 2] as 'OPEN',
    size: at % 3,
  }))
  const tasks = service({
    name: 'tasks',
    apis: [plainApi(resource(task))],
    sample: () => [{ noun: 'task', rows: sample.map((task) => ({ ...task })) }],
  })
  const database = `sqlite:${temporaryPath()}/tasks.db`
  const apps = [
    await open(tasks, { database, waitLimitMs: 0 }),
    await open(tasks, { database, waitLimitMs: 0 }),
  ] as const
  onTestFinished(async () => {
    for (const app of apps) await app.close()
  })
  const model = new Map(sample.map((task) => [task.id, { ...task }]))
  const property = fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
    for (const { by, kind, pageNumber, sort, pick, ...values } of steps) {
      const send = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) =>
        inject(apps[by as 0], { method, url, ...(payload && { payload }) })
      const id = [...model.keys()][pick % Math.max(1, model.size)]
      if (kind === 'create') {
        const created = (await send('POST', '/task', values)).json()
        model.set(created.id, { id: created.id, ...values })
      } else if (kind === 'update' && id !== undefined) {
        await send('PATCH', `/task/${id}`, values)
        model.set(id, { id, ...values })
      } else if (kind === 'delete' && id !== undefined) {
        await send('DELETE', `/task/${id}`)
        model.delete(id)
      } else {
        const query = `state=${values.state}&size=${values.size}&pageNumber=${pageNumber}${sort}`
        const fitting = [...model.values()].filter((task) => task.state === values.state && task.size === values.size)
        const { pageInfo, results } = (await send('GET', `/task?${query}`)).json()
        expect(pageInfo.numberOfRecords).toBe(fitting.length)
        expect(results).toHaveLength(Math.min(10, Math.max(0, fitting.length - 10 * (pageNumber - 1))))
      }
    }
  })
  await fc.assert(property, { numRuns })
})
