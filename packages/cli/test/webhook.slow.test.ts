// Webhooks and durable hooks while clients write, the receiver fails or hangs now and then, and instances and the database are
// killed: every change is delivered, and those of one record in their order.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startPostgres } from '@nomen/testing/postgres'
import { numberOfRuns, proofSeed, seedNumber, timeoutOption, withoutLoadShedding } from '@nomen/testing/prove'
import { type Random, randomFrom } from '@nomen/testing/random'
import { expect, it, onTestFinished } from 'vitest'
import { serviceFolder } from './folder.ts'
import { Instances, numberOfInstances, send } from './instances.ts'
import { serve } from './nomen.ts'

const serviceSource = `
  import { api, change, identity, integer, noun, resource, webhooks } from '@nomen/core'
  import { after, service } from '@nomen/server'
  const item = noun('item', { id: identity(), number: integer() }, { history: true })
  const items = api('items', {
    versioning: 'per-noun',
    writes: 'nested',
    resources: [resource(item), resource(change), webhooks],
  })
  const report = async ({ record, requestId }) => {
    const body = JSON.stringify({ record: 'item/' + record.id, request: requestId })
    const { ok } = await fetch(process.env.HOOK_URL, { method: 'POST', body, signal: AbortSignal.timeout(5000) })
    if (!ok) throw new Error('The receiver failed.')
  }
  export default service({ name: 'items', apis: [items], after: [after(item, report, { durable: 'report' })] })
`

const rounds = numberOfRuns(1, 15)

/** A change of a record. Each request makes one change. */
interface Entry {
  readonly record: string
  readonly request: string
}

interface Receiver {
  readonly url: string
  /** The changes that it has accepted: of the webhook, and of the durable hook. */
  readonly accepted: { readonly webhook: Entry[]; readonly hook: Entry[] }
}

/** Rejects a few requests, and closes the connection or does not respond to others. */
async function startReceiver(random: Random): Promise<Receiver> {
  const accepted: Receiver['accepted'] = { webhook: [], hook: [] }
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const chance = random.below(2000)
    await pause(random.below(5))
    if (chance < 2) return void request.destroy()
    if (chance === 2) return
    if (chance < 6) return void response.writeHead(500).end()
    const body = JSON.parse(Buffer.concat(parts).toString())
    if (request.url === '/hook') accepted.hook.push(body)
    else accepted.webhook.push(body.data)
    response.writeHead(200)
    // A body that does not end.
    if (chance === 6) response.write('a')
    else response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, accepted }
}

async function write(instances: Instances, random: Random, isDone: () => boolean): Promise<void> {
  let written = 0
  while (!isDone()) {
    const path = `/item/${1 + random.below(10 + written)}`
    const [method, target] = random.pick([
      ['POST', '/item'],
      ['PATCH', path],
      ['PATCH', path],
      ['DELETE', path],
    ] as const)
    const status = await send(
      instances.base(random),
      method,
      target,
      method === 'DELETE' ? undefined : { number: written },
    )
    if (status >= 200 && status < 300) written++
    await pause(20)
  }
}

/** All entries of the history, in their order. */
async function history(base: string): Promise<readonly Entry[]> {
  const entries: Entry[] = []
  for (let afterId = 0; ; ) {
    const response = await fetch(
      `${base}/change?afterId=${afterId}&pageSize=1000&kind=CREATED&kind=CHANGED&kind=DELETED`,
    )
    const { results } = (await response.json()) as { results: Entry[] }
    entries.push(...results)
    const next = Number(/afterId=(\d+)/.exec(`${response.headers.get('link')}`)?.[1])
    if (next <= afterId) return entries
    afterId = next
  }
}

/** The requests that changed each record, in the order in which they were first accepted. */
function byRecord(entries: readonly Entry[]): Record<string, string[]> {
  const records = Object.entries(Object.groupBy(entries, ({ record }) => record))
  return Object.fromEntries(
    records.map(([record, group = []]) => [record, [...new Set(group.map(({ request }) => request))]]),
  )
}

async function proveDeliveries(database: string, killDatabase: () => Promise<void>): Promise<void> {
  const random = randomFrom(seedNumber(proofSeed()))
  const folder = serviceFolder({ 'service.ts': serviceSource })
  const { url, accepted } = await startReceiver(random)
  const environment = {
    ...withoutLoadShedding,
    ACCESS_LOG: '-',
    WEBHOOK_PRIVATE_TARGETS: 'on',
    HOOK_URL: `${url}/hook`,
  }
  const instances = new Instances(() =>
    serve(['--database', database.replace('FOLDER', folder)], { folder, environment }),
  )
  await instances.startAll()
  const subscription = { url: `${url}/webhook`, kinds: 'CREATED,CHANGED,DELETED' }
  expect(await send(instances.base(random), 'POST', '/webhook', subscription)).toBe(201)
  for (let round = 0; round < rounds; round++) {
    let isDone = false
    const writing = Array.from({ length: 3 }, () => write(instances, random, () => isDone))
    for (const kill of [() => instances.replace(round % numberOfInstances, 'SIGKILL'), killDatabase]) {
      const [webhook, hook] = [accepted.webhook.length, accepted.hook.length]
      await expect.poll(() => accepted.webhook.length, { timeout: 60_000 }).toBeGreaterThan(webhook + 20)
      await expect.poll(() => accepted.hook.length, { timeout: 60_000 }).toBeGreaterThan(hook + 20)
      await kill()
    }
    await pause(500)
    isDone = true
    await Promise.all(writing)
  }
  const expected = byRecord(await history(instances.base(random)))
  for (const entries of [accepted.webhook, accepted.hook])
    await expect.poll(() => byRecord(entries), { timeout: 120_000, interval: 500 }).toEqual(expected)
}

const timeout = timeoutOption(240_000, 1_800_000)

it('delivers every change on SQLite', timeout, () =>
  proveDeliveries(`sqlite:${join('FOLDER', 'items.db')}`, async () => {}),
)

it('delivers every change on PostgreSQL', timeout, async () => {
  const postgres = await startPostgres({ isDurable: true })
  onTestFinished(() => postgres.remove())
  await proveDeliveries(await postgres.createDatabase(), async () => {
    await postgres.kill()
    await postgres.start()
  })
})
