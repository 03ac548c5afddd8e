// Bulk exports of webhooks have no secrets, and webhooks cannot be loaded.
import { exportRecords, loadRecords } from '@nomen/server/admin'
import { expect, it } from 'vitest'
import { sourceOf } from './bulk-bench.ts'
import { persistentDatabase } from './persistent-database.ts'
import { startReceiver } from './receiver.ts'
import { openService } from './test-service.ts'
import { newNote, notes, settings, subscribe } from './webhook-service.ts'

it('an export has neither the secrets of webhooks nor the rights of their users', async () => {
  const database = await persistentDatabase()
  const [app, receiver] = [await openService(notes, { ...settings, database }), await startReceiver()]
  const { id, secret } = await subscribe(app, receiver, { description: 'mail' })
  const rotated = await app.send('POST', `/webhook/${id}/rotation`)
  await newNote(app, 'a')
  await expect.poll(async () => (await app.get(`/webhook/${id}/delivery`)).body.results).toHaveLength(1)
  for (const format of ['csv', 'ndjson', 'json'] as const)
    for (const noun of ['webhook', 'delivery', 'change']) {
      const records = await exportRecords(notes, { database, noun, format })
      let text = ''
      for await (const part of records.parts()) text += part.text
      await records.close()
      if (noun === 'webhook') expect(text).toContain('mail')
      expect(text).not.toMatch(/secret\b|oldSecret|rights|whsec/i)
      expect(text).not.toContain(secret)
      expect(text).not.toContain(rotated.body.secret)
    }
})

it.each(['webhook', 'delivery'])('a load of %s is rejected, and the error says what to do', async (noun) => {
  const source = sourceOf('id,url\n1,https://example.com\n')
  const load = loadRecords(notes, { database: await persistentDatabase(), noun, source })
  await expect(load).rejects.toThrow(`Records of "${noun}" cannot be loaded.\n  Create webhooks with POST /webhook`)
})
