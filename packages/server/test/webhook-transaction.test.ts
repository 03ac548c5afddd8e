// Webhooks that a handler changes in a transaction: their deliveries follow the commit.
import { api, change, identity, integer, noun, operation, resource, text, webhooks } from '@nomen/core'
import { handle, service } from '@nomen/server'
import { expect, it } from 'vitest'
import { startReceiver } from './receiver.ts'
import { rows, temporaryDatabase, temporaryPath } from './temporary-database.ts'
import { openService } from './test-service.ts'
import { linesIn, newNote, settings, subscribe } from './webhook-service.ts'

const note = noun('note', { id: identity(), line: text() }, { history: true })
const body = { webhook: integer(), url: text().nullable(), isFailing: integer().default(0) }
const move = operation({ method: 'POST', on: 'collection', body })
const plain = api('notes', {
  versioning: 'per-noun',
  writes: 'nested',
  resources: [resource(note, { operations: { move } }), resource(change), webhooks],
})
const notes = service({
  name: 'notes',
  apis: [plain],
  handlers: [
    // Without a URL, the webhook is deleted.
    handle(note, move, ({ body: { webhook, url, isFailing }, transaction }) =>
      transaction(async (call) => {
        await (url === null ? call(plain).webhook.delete(webhook) : call(plain).webhook.update(webhook, { url }))
        if (isFailing > 0) throw new Error('The handler fails.')
      }),
    ),
  ],
})

/** A service on a file, with one webhook. */
async function openWithWebhook(url?: string) {
  const [path, receiver] = [temporaryPath(), await startReceiver()]
  const app = await openService(notes, { ...settings, database: `sqlite:${path}` })
  const { id } = await subscribe(app, { ...receiver, ...(url !== undefined && { url }) })
  const file = temporaryDatabase(path)
  const progress = () => rows(file, 'select "name", "failures" from "_consumer"')
  const post = (body: object) => app.send('POST', '/note/move', { webhook: id, ...body })
  return { app, receiver, file, progress, post }
}

it('a deleted webhook leaves no progress behind, and one whose delete was rolled back keeps it', async () => {
  const { app, receiver, progress, post } = await openWithWebhook()
  expect(progress()).toHaveLength(1)
  expect((await post({ url: null, isFailing: 1 })).status).toBe(500)
  await newNote(app, 'a')
  await expect.poll(() => linesIn(receiver)).toEqual(['a'])
  expect(progress()).toHaveLength(1)
  expect((await post({ url: null })).status).toBe(204)
  await expect.poll(progress).toEqual([])
})

it('a changed webhook is tried again, and does not wait for the time of its next attempt', async () => {
  const { app, receiver, file, progress, post } = await openWithWebhook('http://127.0.0.1:1/')
  await newNote(app, 'a')
  await expect.poll(progress).toMatchObject([{ failures: 1 }])
  file.exec(`update "_consumer" set "retryAt" = ${Date.now() + 24 * 60 * 60 * 1000}`)
  expect((await post({ url: receiver.url })).status).toBe(204)
  await expect.poll(() => linesIn(receiver)).toEqual(['a'])
})
