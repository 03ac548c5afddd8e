// A page deep in a list is found by the tallies, on the main thread and on reader threads.
import { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { identity, noun, resource, text } from '@nomen/core'
import { expect, it, onTestFinished, vi } from 'vitest'
import { temporaryPath } from './temporary-database.ts'
import { openService, plainApi, serviceOf } from './test-service.ts'

const note = noun('note', { id: identity(), title: text(), body: text({ maxLength: 20_000 }) })
const notes = serviceOf([plainApi(resource(note, { list: ['id', 'title', 'body'] }))])

it('begins where the tallies say, also if it is read by a thread because it takes long', async () => {
  // Lists of databases up to 16 MiB are never measured, and a list that a thread writes in 3 ms returns to the main thread.
  const body = 'x'.repeat(12_000)
  const rows = Array.from({ length: 2500 }, (_, index) => ({ title: `Note ${index}`, body }))
  const sample = () => [{ noun: 'note', rows }]
  const path = temporaryPath()
  const { column } = await openService({ ...notes, sample }, { database: `sqlite:${path}` })
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
  const isReadByThread = async (isBusy: boolean, firstId: number) => {
    sent.mockClear()
    stepMs = isBusy ? 50 : 0
    const ids = await column('id', '/note?pageNumber=3')
    expect(ids).toEqual(Array.from({ length: 2501 - firstId }, (_, index) => firstId + index))
    return sent.mock.calls.length > 0
  }
  expect(await isReadByThread(false, 2001)).toBe(false)
  // Wrong tallies move the start of the page, which shows who reads them.
  const database = new DatabaseSync(path)
  database.exec('update "_tally_note" set "records" = "records" + 100 where "block" = 0')
  database.close()
  expect(await isReadByThread(false, 1901)).toBe(false)
  expect(await isReadByThread(true, 1901)).toBe(true)
  expect(await isReadByThread(true, 1901)).toBe(true)
  expect(await isReadByThread(false, 1901)).toBe(true)
})
