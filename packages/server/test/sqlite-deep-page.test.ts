// A page deep in a list is read by tallies on the main thread, also after the machine was busy for a moment.
import { Worker } from 'node:worker_threads'
import { identity, noun, resource, text } from '@nomen/core'
import { expect, it, onTestFinished, vi } from 'vitest'
import { temporaryPath } from './temporary-database.ts'
import { openService, plainApi, serviceOf } from './test-service.ts'

const note = noun('note', { id: identity(), title: text(), body: text({ maxLength: 20_000 }) })
const notes = serviceOf([plainApi(resource(note, { list: ['id', 'title', 'body'] }))])

it('is not read by threads for longer than a second, because threads skip the records before it', async () => {
  // Lists of databases up to 16 MiB are never measured, and a list that a thread writes in 3 ms returns to the main thread.
  const body = 'x'.repeat(14_000)
  const rows = Array.from({ length: 2500 }, (_, index) => ({ title: `Note ${index}`, body }))
  const sample = () => [{ noun: 'note', rows }]
  const { column } = await openService({ ...notes, sample }, { database: `sqlite:${temporaryPath()}` })
  // Each look at the clock takes 50 ms while the machine is busy, until the list goes to a thread. Other code may look too.
  let [now, stepMs] = [performance.now(), 0]
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
    now += stepMs
    return now
  })
  const { postMessage } = Worker.prototype
  const sent = vi.spyOn(Worker.prototype, 'postMessage').mockImplementation(function (this: Worker, ...message) {
    stepMs = 0
    postMessage.apply(this, message)
  })
  onTestFinished(() => {
    clock.mockRestore()
    sent.mockRestore()
  })
  const numberOfThreadReads = async (isBusy: boolean) => {
    sent.mockClear()
    stepMs = isBusy ? 50 : 0
    expect(await column('id', '/note?pageNumber=3')).toEqual(Array.from({ length: 500 }, (_, index) => 2001 + index))
    return sent.mock.calls.length
  }
  expect(await numberOfThreadReads(true)).toBe(1)
  expect(await numberOfThreadReads(true)).toBe(1)
  expect(await numberOfThreadReads(false)).toBe(1)
  now += 1000
  expect(await numberOfThreadReads(false)).toBe(0)
})
