import { checkService } from '@nomen/conventions'
import { api, change, identity, noun, resource, text, webhook, webhooks } from '@nomen/core'
import { open, rule, service } from '@nomen/server'
import { expect, it, onTestFinished } from 'vitest'

it('a check that writes creates webhooks for a host that does not exist', async () => {
  const note = noun('note', { id: identity(), line: text() }, { history: true })
  const notes = api('notes', {
    versioning: 'per-noun',
    writes: 'nested',
    resources: [resource(note), resource(change), webhooks],
  })
  const urls: string[] = []
  const noteUrl = rule(webhook, ['url'], ({ url }) => {
    urls.push(url)
    return undefined
  })
  const app = await open(service({ name: 'notes', apis: [notes], rules: [noteUrl] }), { database: 'sqlite::memory:' })
  onTestFinished(() => app.close())
  const base = await app.listen({ port: 0, host: '127.0.0.1' })
  const used = 'https://hooks.example.com/notes'
  const headers = { 'content-type': 'application/json' }
  await fetch(`${base}/webhook`, { method: 'POST', headers, body: JSON.stringify({ url: used }) })
  const report = await checkService({ base, isWriting: true, seed: 'a' })
  expect(report.results.filter(({ outcome }) => outcome === 'failed')).toEqual([])
  const hosts = urls.filter((url) => url !== used).map((url) => new URL(url).hostname)
  expect(new Set(hosts)).toEqual(new Set(['nomen-check.invalid']))
  expect(urls.filter((url) => url === used)).toHaveLength(1)
})
