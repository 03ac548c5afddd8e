// Several instances share the webhooks: each change is delivered by one of them, and another one continues when it ends.

import { expect, it } from 'vitest'
import { persistentDatabase } from './persistent-database.ts'
import { startReceiver } from './receiver.ts'
import { openService } from './test-service.ts'
import { linesIn, newNote, notes, settings, subscribe } from './webhook-service.ts'

it('delivers each change once, and continues when an instance is closed', async () => {
  const database = await persistentDatabase()
  const open = () => openService(notes, { ...settings, database })
  const [first, second] = [await open(), await open()]
  const receiver = await startReceiver()
  const { id } = await subscribe(first, receiver)
  const lines = Array.from({ length: 40 }, (_, index) => `line ${index}`)
  for (const [index, line] of lines.slice(0, 20).entries()) await newNote(index % 2 ? first : second, line)
  await expect.poll(() => receiver.received.length).toBe(20)
  await first.app.close()
  for (const line of lines.slice(20)) await newNote(second, line)
  await expect.poll(() => [...linesIn(receiver)].sort()).toEqual([...lines].sort())
  const deliveries = async () => (await second.get(`/webhook/${id}/delivery?pageSize=1`)).body.pageInfo.numberOfRecords
  await expect.poll(deliveries).toBe(lines.length)
})

it('a change of a webhook reaches the instance that delivers', async () => {
  const database = await persistentDatabase()
  const open = () => openService(notes, { ...settings, database })
  const [first, second] = [await open(), await open()]
  const [before, after] = [await startReceiver(), await startReceiver()]
  const { id } = await subscribe(first, before)
  await newNote(first, 'a')
  await expect.poll(() => linesIn(before)).toEqual(['a'])
  await second.send('PATCH', `/webhook/${id}`, { url: after.url })
  let number = 0
  await expect
    .poll(async () => {
      await newNote(first, `b${number++}`)
      return after.received.length
    })
    .toBeGreaterThan(0)
})
