// Webhooks in the console: the secret that is shown once, deliveries, tests, redelivery, and a paused webhook.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { api, change, identity, noun, resource, text, webhooks } from '@nomen/core'
import { open, service } from '@nomen/server'
import { startChromium } from '@nomen/testing/chromium'
import { inject } from '@nomen/testing/inject'
import { expect, it, onTestFinished } from 'vitest'
import { builtConsole } from './built.ts'
import { visit } from './visit.ts'

const note = noun('note', { id: identity(), line: text() }, { history: true, label: 'line' })
const notes = api('notes', {
  versioning: 'per-noun',
  writes: 'nested',
  resources: [resource(note), resource(change), webhooks],
})

/** A receiver that can be told to fail. */
async function startReceiver() {
  const received: string[] = []
  const state = { status: 204, body: '' }
  const server = createServer(async (request, response) => {
    request.resume()
    await once(request, 'end')
    received.push(`${request.headers['webhook-id']}`)
    response.writeHead(state.status).end(state.body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, received, state }
}

it('creates a webhook, shows its secret once, and sends and repeats events', async () => {
  const receiver = await startReceiver()
  const app = await open(service({ name: 'notes', apis: [notes] }), {
    database: 'sqlite::memory:',
    console: builtConsole,
    webhookPrivateTargets: true,
  })
  onTestFinished(() => app.close())
  const base = await app.listen({ port: 0 })
  const browser = await startChromium()
  onTestFinished(() => browser.close())
  const view = await visit(browser, `${base}/console/`)
  const { page } = view

  await view.open('/webhook/~new')
  await page.getByLabel(/^URL/).fill(receiver.url)
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(/^whsec_/).waitFor()
  await view.expectNoErrors()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect.poll(() => view.path()).toBe('/webhook/1')
  expect(await page.getByText(/^whsec_/).count()).toBe(0)

  await page.getByRole('tab', { name: 'Deliveries' }).click()
  await page.getByText('No deliveries yet.').waitFor()
  await page.getByRole('button', { name: 'Send test' }).click()
  await view.expectMessage(/^Delivered: 204/)
  const table = page.getByRole('table', { name: 'Deliveries' })
  await table.getByRole('row', { name: /webhook\.test Delivered 204/ }).waitFor()

  await inject(app, { method: 'POST', url: '/note', payload: { line: 'Buy paper' } })
  await expect.poll(() => receiver.received.length).toBe(2)
  const row = table.getByRole('row', { name: /note\.created/ })
  await expect
    .poll(async () => {
      await page.getByRole('button', { name: 'Refresh' }).click()
      return row.count()
    })
    .toBe(1)
  await row.getByRole('link', { name: 'note/1' }).waitFor()
  Object.assign(receiver.state, { status: 500, body: 'The disk is full.' })
  await row.getByRole('button', { name: /^Send again/ }).click()
  await view.expectMessage(/^Not delivered: The URL responded with status 500/)
  await table
    .getByRole('row', { name: /Failed 500 .* The disk is full\./ })
    .first()
    .waitFor()
  expect(receiver.received.filter((id) => id === receiver.received[1]).length).toBeGreaterThan(1)
  await view.expectNoErrors()

  await inject(app, { method: 'PATCH', url: '/webhook/1', payload: { status: 'PAUSED' } })
  await view.open('/webhook/1/delivery')
  await page.getByText('This webhook is paused').waitFor()
  await view.expectNoErrors()
  await page.getByRole('button', { name: 'Resume' }).click()
  await view.expectMessage('Webhook resumed.')
  await page.getByText('This webhook is paused').waitFor({ state: 'detached' })

  // A new secret is shown once, too.
  await page.getByRole('tab', { name: 'Details' }).click()
  await page.getByRole('button', { name: 'Operations' }).click()
  await page.getByRole('menuitem', { name: 'Create a new secret' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Create a new secret' }).click()
  await page
    .getByRole('dialog')
    .getByText(/^whsec_/)
    .waitFor()
  await view.expectNoErrors()
})
