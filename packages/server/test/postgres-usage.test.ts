import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { identity, noun, resource, text } from '@nomen/core'
import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { modelOf } from '../src/store/model.ts'
import { openStore } from '../src/store/open/store.ts'
import { openService, plainApi, serviceOf } from './test-service.ts'
import { usageSuite } from './usage-suite.ts'

usageSuite('PostgreSQL', async () => {
  const { url, remove } = await temporaryPostgres()
  return {
    address: url,
    execute: async (...statements) => {
      const client = new pg.Client(url)
      await client.connect()
      for (const statement of statements) await client.query(statement)
      await client.end()
    },
    rejecting: [
      `create or replace function reject() returns trigger language plpgsql as $$ begin raise 'no room'; end $$`,
      'create trigger rejecting before insert on "_usage" execute function reject()',
    ],
    allowing: ['drop trigger rejecting on "_usage"'],
    remove,
  }
})

/** A proxy that can lose the response to the next commit, together with every connection. */
async function startProxy(url: string): Promise<{ url: string; loseResponse(): void; readonly lost: number }> {
  const { hostname, port } = new URL(url)
  const open = new Set<Socket>()
  let isLosing = false
  let lost = 0
  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    for (const socket of [near, far]) {
      open.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        open.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    near.on('data', (sent) => far.write(sent))
    far.on('data', (data) => {
      if (!isLosing || !data.includes('COMMIT')) return near.write(data)
      isLosing = false
      lost++
      for (const socket of open) socket.destroy()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  const proxyUrl = new URL(url)
  proxyUrl.hostname = '127.0.0.1'
  proxyUrl.port = `${(server.address() as AddressInfo).port}`
  return {
    url: proxyUrl.href,
    loseResponse: () => {
      isLosing = true
    },
    get lost() {
      return lost
    },
  }
}

it('counts a batch once if its commit succeeded but was not confirmed', async () => {
  const { url, remove } = await temporaryPostgres()
  onTestFinished(remove)
  const proxy = await startProxy(url)
  const messages: string[] = []
  const note = noun('note', { id: identity(), title: text() })
  const onFault = (message: string) => messages.push(message)
  const { get } = await openService(serviceOf([plainApi(resource(note))]), { database: proxy.url, onFault })
  const requests = async () => (await get('/usage')).body.requests
  await get('/note')
  expect(await requests()).toBe(1)
  for (let time = 2; time <= 4; time++) {
    await get('/note')
    proxy.loseResponse()
    await requests()
    expect(await requests()).toBe(time)
  }
  expect([proxy.lost, messages.length]).toEqual([3, 3])
})

it('never deadlocks two instances, whatever the order of their batches', async () => {
  const { url, remove } = await temporaryPostgres()
  onTestFinished(remove)
  const model = modelOf([])
  const stores = await Promise.all(Array.from({ length: 4 }, () => openStore(url, model)))
  const times = { first: '2026-11-15T03:00:00Z', last: '2026-11-15T03:00:00Z' }
  const counts = { method: 'GET', path: '/user', kind: 'agent', status: 2, requests: 1, bytes: 1 } as const
  const rows = Array.from({ length: 500 }, (_, at) => ({ caller: `c${at}`, ...counts, ...times }))
  await Promise.all(
    stores.flatMap(({ usage }, at) =>
      Array.from({ length: 5 }, (_, index) =>
        usage.add({
          instance: `${at} ${index}`,
          number: 1,
          day: '2026-11-15',
          ...times,
          rows: index % 2 ? rows : rows.toReversed(),
        }),
      ),
    ),
  )
  // A server process reports its statistics when it ends.
  await Promise.all(stores.map((store) => store.close()))
  const client = new pg.Client(url)
  await client.connect()
  onTestFinished(() => client.end())
  const { rows: stored } = await client.query(
    'select deadlocks::int, (select sum(requests)::int from "_usage") as requests from pg_stat_database where datname = current_database()',
  )
  expect(stored).toEqual([{ deadlocks: 0, requests: 10_000 }])
})
