// The order of deliveries while some of them fail, are sent again or take long.

import { expect, it, onTestFinished, vi } from 'vitest'
import { persistentDatabase } from './persistent-database.ts'
import { startReceiver } from './receiver.ts'
import { openService } from './test-service.ts'
import { linesIn, newNote, notes, settings, subscribe, typesIn } from './webhook-service.ts'

async function subscribed() {
  const [app, receiver] = [await openService(notes, settings), await startReceiver()]
  const { id } = await subscribe(app, receiver)
  const path = `/webhook/${id}`
  return { app, receiver, path, log: async () => (await app.get(`${path}/delivery`)).body.results }
}

it('a change that fails does not delay those of other records', async () => {
  const { app, receiver, log } = await subscribed()
  receiver.respond = ({ event }) => (event.data.record === 'note/1' ? 500 : 204)
  await newNote(app, 'fails')
  await expect.poll(log).toHaveLength(1)
  const lines = Array.from({ length: 90 }, (_, index) => `line ${index}`)
  for (const line of lines) await newNote(app, line)
  await expect.poll(() => linesIn(receiver).filter((line) => line !== 'fails')).toHaveLength(lines.length)
  expect(linesIn(receiver)).toEqual(expect.arrayContaining(lines))
})

it.each(['before its response', 'within its response'])(
  'a receiver that hangs %s does not delay other records',
  async (place) => {
    // Deliveries time out after 4 instead of 10 seconds.
    const timeout = AbortSignal.timeout.bind(AbortSignal)
    const clock = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout(4000))
    onTestFinished(() => clock.mockRestore())
    const { app, receiver, log } = await subscribed()
    receiver.respond = ({ event }) => {
      if (event.data.record !== 'note/1') return 204
      return place === 'before its response' ? undefined : 'unfinished'
    }
    await newNote(app, 'hangs')
    await expect.poll(() => linesIn(receiver)).toEqual(['hangs'])
    await newNote(app, 'other')
    await expect.poll(log).toHaveLength(2)
    const [hanging, other] = await log()
    expect([linesIn(receiver), other.outcome]).toEqual([['hangs', 'other'], 'DELIVERED'])
    expect(hanging).toMatchObject(
      place === 'before its response'
        ? { outcome: 'FAILED', error: expect.stringMatching(/^There was no response within/) }
        : { outcome: 'DELIVERED', httpStatus: 200, response: 'beginning' },
    )
  },
)

it('a webhook that waits for its next attempt is tried again after a test', async () => {
  const database = await persistentDatabase()
  const receiver = await startReceiver()
  receiver.respond = () => 500
  // The next attempt is an hour ahead.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60 * 60 * 1000 })
  onTestFinished(() => void vi.useRealTimers())
  const first = await openService(notes, { ...settings, database })
  const { id } = await subscribe(first, receiver)
  await newNote(first, 'a')
  await expect.poll(async () => (await first.get(`/webhook/${id}/delivery`)).body.results).toHaveLength(1)
  await first.app.close()
  vi.useRealTimers()
  const second = await openService(notes, { ...settings, database })
  receiver.respond = () => 204
  expect((await second.send('POST', `/webhook/${id}/test`)).body.outcome).toBe('DELIVERED')
  await expect.poll(() => typesIn(receiver)).toEqual(['note.created', 'webhook.test', 'note.created'])
})

it('a change that a user has sent is sent again after the earlier ones of its record', async () => {
  const { app, receiver, path } = await subscribed()
  receiver.respond = ({ event }) => (event.type === 'note.created' ? 500 : 204)
  const note = await newNote(app, 'a')
  await app.send('PATCH', `/note/${note}`, { line: 'b' })
  const { body } = await app.get('/change?kind=CHANGED')
  await expect.poll(() => typesIn(receiver)).toEqual(['note.created'])
  await app.send('POST', `${path}/redelivery`, { change: body.results[0].id })
  receiver.respond = () => 204
  await app.send('PATCH', path, { description: 'b' })
  // The first two are the failed delivery and the one that a user has sent. There may be further failed attempts.
  await expect.poll(() => typesIn(receiver).slice(2).slice(-2)).toEqual(['note.created', 'note.changed'])
})

it('a change in flight during a replay is sent again after the earlier ones of its record', async () => {
  const { app, receiver, path } = await subscribed()
  const held = Promise.withResolvers<number>()
  receiver.respond = ({ event }) => (event.type === 'note.changed' ? held.promise : 204)
  const note = await newNote(app, 'a')
  await app.send('PATCH', `/note/${note}`, { line: 'b' })
  await expect.poll(() => typesIn(receiver)).toEqual(['note.created', 'note.changed'])
  const { body } = await app.get('/change?kind=CREATED')
  await app.send('POST', `${path}/replay`, { since: body.results[0].time })
  held.resolve(204)
  await expect.poll(() => typesIn(receiver)).toEqual(['note.created', 'note.changed', 'note.created', 'note.changed'])
})

it('a webhook does not wait for the deliveries of another one that was changed', async () => {
  const { app, receiver, path, log } = await subscribed()
  receiver.respond = () => undefined
  await newNote(app, 'a')
  await expect.poll(() => receiver.received).toHaveLength(1)
  await app.send('PATCH', path, { status: 'PAUSED' })
  const other = await startReceiver()
  await subscribe(app, other)
  await newNote(app, 'b')
  await expect.poll(() => linesIn(other)).toEqual(['b'])
  expect(await log(), 'the delivery is still in flight').toEqual([])
})
