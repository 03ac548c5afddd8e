/** Usage that a service counts itself: the same on each database, and the same as in its access logs. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { api, email, identity, noun, reference, resource, text } from '@nomen/core'
import { type CallerDay, endpointOf, LineReader, pagesOf, type UsageReport, usageReport } from '@nomen/core/usage'
import { type OpenService, open, type Settings, service } from '@nomen/server'
import { inject } from '@nomen/testing/inject'
import fc from 'fast-check'
import type { InjectOptions } from 'fastify'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { modelOf } from '../src/store/model.ts'
import { openStore } from '../src/store/open/store.ts'
import type { Store } from '../src/store/store.ts'
import type { UsageBatch, UsageRow } from '../src/store/usage.ts'

const user = noun('user', { id: identity(), email: email().unique() })
const note = noun('note', { id: identity(), user: reference(() => user), title: text() })
const deprecation = { since: '2026-01-01', sunset: '2027-01-01', successor: '/user' }
const counted = service({
  name: 'counted',
  apis: [
    api('plain', {
      versioning: 'per-noun',
      writes: 'nested',
      resources: [resource(user, { by: ['email'], children: [resource(note)] })],
    }),
    api('old', {
      version: 1,
      versioning: 'whole',
      writes: 'flat',
      deprecated: deprecation,
      resources: [resource(user), resource(note)],
    }),
  ],
})
const endpoints = counted.operations.map(endpointOf)

/** A database that outlives the services on it. */
export interface UsageDatabase {
  readonly address: string
  /** Runs SQL beside the service. */
  execute(...statements: readonly string[]): Promise<void>
  /** Statements after which nothing can be counted, and those after which it can again. */
  readonly rejecting: readonly string[]
  readonly allowing: readonly string[]
  remove(): Promise<void>
}

export function usageSuite(name: string, prepare: () => Promise<UsageDatabase>): void {
  describe(`usage on ${name}`, () => {
    let database: UsageDatabase

    beforeEach(async () => {
      database = await prepare()
    })
    afterEach(() => database.remove())

    const openCounted = (settings: Partial<Settings> = {}) => open(counted, { database: database.address, ...settings })
    const closed = (app: OpenService) => {
      onTestFinished(() => app.close())
      return app
    }
    const stored = async (): Promise<Store> => {
      const store = await openStore(database.address, modelOf(counted.operations))
      onTestFinished(() => store.close())
      return store
    }

    describe('the store', () => {
      it('adds up the batches of instances, and reports the days with an instance', async () => {
        const { usage } = await stored()
        await usage.add(batch({ number: 1, rows: [row({ requests: 2, bytes: 5 }), row({ status: 4 })] }))
        await usage.add(
          batch({
            instance: 'other',
            number: 1,
            first: '2026-11-15T01:00:00Z',
            rows: [row({ requests: 3, bytes: 7, first: '2026-11-15T01:30:00Z' })],
          }),
        )
        await usage.add(batch({ number: 2, day: '2026-11-13', rows: [] }))
        expect(await usage.days()).toEqual([
          { day: '2026-11-13', first: '2026-11-15T02:00:00Z', last: '2026-11-15T04:00:00Z' },
          { day: '2026-11-15', first: '2026-11-15T01:00:00Z', last: '2026-11-15T04:00:00Z' },
        ])
        expect(await usage.rows('2026-11-13')).toEqual([])
        expect(await usage.rows('2026-11-15')).toEqual([
          caller({ requests: 6, errors: 1, bytes: 22, first: Date.parse('2026-11-15T01:30:00Z') }),
        ])
      })

      it('adds a batch once, however often it is sent', async () => {
        const { usage } = await stored()
        const first = batch({ number: 1, rows: [row({})] })
        const second = batch({ number: 2, rows: [row({ requests: 10 })] })
        for (const batch of [first, first, second, first, second]) await usage.add(batch)
        await Promise.all([second, second, second].map((batch) => usage.add(batch)))
        expect(await usage.rows('2026-11-15')).toEqual([caller({ requests: 11, bytes: 20 })])
      })

      it('stores names unchanged', async () => {
        const { usage } = await stored()
        const names = [`it's "quoted" \\ {"a":1}`, 'Bücher 💡', '', '\ufffd', 'a\nb', 'x'.repeat(200), '$1?']
        await usage.add(batch({ number: 1, rows: names.map((name) => row({ caller: name })) }))
        const callers = (await usage.rows('2026-11-15')).map((row) => row.caller)
        expect(callers.sort()).toEqual(names.sort())
      })

      it('accepts concurrent batches, whatever the order of their rows', async () => {
        const stores = await Promise.all(Array.from({ length: 4 }, stored))
        const rows = Array.from({ length: 60 }, (_, index) => row({ caller: `c${index}` }))
        const adding = stores.flatMap(({ usage }, at) =>
          Array.from({ length: 10 }, async (_, index) => {
            const mixed = (at + index) % 2 === 0 ? rows : rows.toReversed()
            await usage.add(batch({ instance: `${at} ${index}`, number: 1, rows: mixed }))
          }),
        )
        await Promise.all(adding)
        const saved = await stores[0]?.usage.rows('2026-11-15')
        expect(saved?.map(({ requests }) => requests)).toEqual(rows.map(() => 40))
      })

      it('removes the oldest days, one after the other', async () => {
        const { usage } = await stored()
        const days = ['2025-01-01', '2025-01-02', '2026-11-14', '2026-11-15']
        for (const [index, day] of days.entries()) await usage.add(batch({ number: index + 1, day, rows: [row({})] }))
        const gone: boolean[] = []
        for (let time = 0; time < 3; time++) gone.push(await usage.forget('2026-11-14'))
        expect(gone).toEqual([true, true, false])
        expect((await usage.days()).map(({ day }) => day)).toEqual(['2026-11-14', '2026-11-15'])
        expect(await usage.rows('2025-01-01')).toEqual([])
        expect(await usage.rows('2026-11-14')).toHaveLength(1)
      })
    })

    it('counts every request of every instance as in the access logs', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 40, maxLength: 60 }), async (steps) => {
          const folder = mkdtempSync(join(tmpdir(), 'nomen-usage-'))
          const own = await prepare()
          const logs = [0, 1, 2].map((index) => join(folder, `${index}.log`))
          const start = async (accessLog: string) => {
            const app = await open(counted, { database: own.address, accessLog })
            return { app, port: Number(new URL(await app.listen({ port: 0 })).port) }
          }
          const all = await Promise.all(logs.map(start))
          try {
            for (const { at, is, ask, line } of steps) {
              const { app, port } = all[at] as Awaited<ReturnType<typeof start>>
              if (is === 'request') await inject(app, ask as InjectOptions)
              else if (is === 'line') await sendLine(port, line)
              else if (is === 'report') await inject(app, '/usage')
              else {
                await app.close()
                all[at] = await start(logs[at] as string)
              }
            }
            await Promise.all(all.map(({ app }) => app.close()))
            const last = await start(join(folder, 'last.log'))
            all.push(last)
            const usageReport = await report(last.app)
            const logged = usageOf(logs)
            expect(usageReport.endpoints).toEqual(logged.endpoints)
            expect([usageReport.requests, usageReport.others]).toEqual([logged.requests, logged.others])
            const isPage = (request: { method: string; url: string }) =>
              ['GET', 'HEAD'].includes(request.method) && pages.includes(request.url)
            const counted = steps.filter(({ is, ask }) => is === 'line' || (is === 'request' && !isPage(ask)))
            expect(usageReport.requests).toBe(counted.length)
          } finally {
            await Promise.all(all.map(({ app }) => app.close()))
            await own.remove()
            rmSync(folder, { recursive: true })
          }
        }),
        { numRuns: 3 },
      )
    })

    it('continues while the database rejects counts, reports it once, and stores them later', async () => {
      const messages: string[] = []
      const app = closed(await openCounted({ onFault: (message) => messages.push(message) }))
      await inject(app, '/user')
      expect(await requests(app)).toBe(1)
      await database.execute(...database.rejecting)
      for (let time = 0; time < 3; time++) {
        expect((await inject(app, '/user')).statusCode).toBe(200)
        // Known counts are still reported.
        expect(await requests(app)).toBe(1)
      }
      expect(messages).toEqual(['Usage counts cannot be saved. The service keeps counting and tries again.'])
      await database.execute(...database.allowing)
      expect(await requests(app)).toBe(4)
      await inject(app, '/user')
      expect(await requests(app)).toBe(5)
      await database.execute(...database.rejecting)
      await inject(app, '/user')
      await requests(app)
      await app.close()
      expect(messages.slice(1)).toEqual([
        'Usage counts cannot be saved. The service keeps counting and tries again.',
        'Usage counts that could not be saved are lost.',
      ])
    })

    it('keeps separate names that another process has counted on an earlier day', async () => {
      const store = await openStore(database.address, modelOf(counted.operations), { onServer: () => undefined })
      const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
      const times = { first: `${yesterday}T03:00:00Z`, last: `${yesterday}T03:00:00Z` }
      const row = {
        method: 'GET',
        path: '/user',
        kind: 'agent',
        caller: 'payroll',
        status: 2,
        requests: 1,
        bytes: 1,
      } as const
      await store.usage.add({ instance: 'before', number: 1, day: yesterday, ...times, rows: [{ ...row, ...times }] })
      await store.close()
      const app = await openCounted()
      onTestFinished(() => app.close())
      const by = (agent: string) => inject(app, { url: '/user', headers: { 'user-agent': `${agent}/1` } })
      for (let count = 0; count < 1100; count++) await by(`made-up-${count}`)
      const callers = async () => {
        const report: UsageReport = (await inject(app, '/usage')).json()
        return report.endpoints.find(({ id }) => id === 'plain.user.list')?.callers ?? []
      }
      expect((await callers()).find(({ kind }) => kind === 'others')).toMatchObject({ requests: 100 })
      await by('payroll')
      await by('late')
      expect((await callers()).find(({ name }) => name === 'payroll')).toMatchObject({ requests: 2 })
      expect((await callers()).find(({ kind }) => kind === 'others')).toMatchObject({ requests: 101 })
    })

    it('covers the days on which an instance ran, and reports the others', async () => {
      const { usage } = await stored()
      const add = (number: number, day: string, rows: UsageBatch['rows'] = []) =>
        usage.add({ instance: 'past', number, day, first: `${day}T10:00:00Z`, last: `${day}T11:00:00Z`, rows })
      const at = (day: string, values: Partial<UsageRow>) =>
        row({ first: `${day}T10:30:00Z`, last: `${day}T10:30:00Z`, ...values })
      await add(1, '2026-03-01', [
        at('2026-03-01', { requests: 4, status: 5 }),
        at('2026-03-01', { method: '', path: '' }),
      ])
      // An instance ran on this day and received no requests.
      await add(2, '2026-03-02')
      await add(3, '2026-03-05', [
        at('2026-03-05', { requests: 2 }),
        at('2026-03-05', { path: '/retired', caller: 'x' }),
      ])
      const app = closed(await openCounted())
      const march = await report(app, '?from=2026-02-01&to=2026-03-31&quietAfter=4')
      expect(march.window).toEqual({
        first: '2026-03-01T10:00:00Z',
        last: '2026-03-05T11:00:00Z',
        gaps: ['2026-03-03', '2026-03-04'],
      })
      // Requests to a removed operation are counted as those to unknown paths.
      expect([march.requests, march.others]).toEqual([8, 2])
      expect(march.endpoints.find(({ path, method }) => path === '/user' && method === 'GET')).toMatchObject({
        verdict: 'in use',
        requests: 6,
        errors: 4,
        first: '2026-03-01T10:30:00Z',
        last: '2026-03-05T10:30:00Z',
        callers: [{ kind: 'agent', name: 'shop', requests: 6, days: { '2026-03-01': 4, '2026-03-05': 2 } }],
      })
      const first = await report(app, '?to=2026-03-01')
      expect([first.requests, first.window?.last, first.window?.gaps]).toEqual([5, '2026-03-01T11:00:00Z', []])
      const quiet = await report(app, '?quietAfter=1')
      expect(quiet.endpoints[0]?.verdict).toBe('quiet')
      expect(quiet.window?.last.slice(0, 10)).toBe(new Date().toISOString().slice(0, 10))
      const past = await report(app, '?from=2020-01-01&to=2020-12-31')
      expect([past.window, past.requested]).toEqual([undefined, { from: '2020-01-01', to: '2020-12-31' }])
    })
  })
}

function batch(values: Partial<UsageBatch> & Pick<UsageBatch, 'number' | 'rows'>): UsageBatch {
  const times = { day: '2026-11-15', first: '2026-11-15T02:00:00Z', last: '2026-11-15T04:00:00Z' }
  return { instance: 'one', ...times, ...values }
}

const key = { method: 'GET', path: '/user', kind: 'agent', caller: 'shop' } as const

function row(values: Partial<UsageRow>): UsageRow {
  const times = { first: '2026-11-15T03:00:00Z', last: '2026-11-15T03:00:00Z' }
  return { ...key, status: 2, requests: 1, bytes: 10, ...times, ...values }
}

function caller(values: Partial<CallerDay>): CallerDay {
  const time = Date.parse('2026-11-15T03:00:00Z')
  return { ...key, requests: 1, errors: 0, bytes: 10, first: time, last: time, ...values }
}

async function report(app: OpenService, query = ''): Promise<UsageReport> {
  return (await inject(app, `/usage${query}`)).json()
}

async function requests(app: OpenService): Promise<number> {
  return (await report(app)).requests
}

/** The report of `nomen usage` for the logs. */
function usageOf(logs: readonly string[]): UsageReport {
  const reader = new LineReader(endpoints, undefined, pagesOf(endpoints))
  for (const log of logs) {
    reader.read(readFileSync(log))
    reader.end()
  }
  return usageReport(endpoints, reader, 30)
}

async function sendLine(port: number, first: string): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  socket.write(`${first}\r\nHost: 127.0.0.1\r\nUser-Agent: raw/1\r\nConnection: close\r\n\r\n`)
  await textOf(socket)
}

/** Pages of the service, which are not usage. */
const pages = ['/', '/docs', '/docs/', '/openapi.json', '/v1/openapi.json', '/metrics']
const url = fc.constantFrom(
  '/user',
  '/user?pageSize=1&search=x',
  '/user/1',
  '/user/',
  '/user/1/note',
  '/user/1/note/2/',
  '/user//note',
  '/%75ser/1',
  '/user/a%2Fb',
  '/user/by-email/a%40b.example',
  '/user/by-email',
  '/v1/user/1',
  '/v1/note?nonsense=1',
  '/nothing',
  '/nothing/',
  '/User',
  '/user/é',
  '/usage/',
  '/docs/other',
  '/v7/openapi.json',
  ...pages,
)
/** Requests that no client of Node would send. */
const line = fc.constantFrom(
  'GET /user/%zz HTTP/1.1',
  'GET http://127.0.0.1/user/1?x=1 HTTP/1.1',
  'GET /user#top HTTP/1.1',
  'HEAD /user HTTP/1.0',
  'OPTIONS * HTTP/1.1',
  'BREW /user HTTP/1.1',
  'CONNECT a.example:443 HTTP/1.1',
  'nonsense',
)
const header = {
  'user-agent': fc.constantFrom(
    'shop/1.2',
    'billing',
    'Mozilla/5.0 (X11)',
    '-/1',
    '',
    'Bücher/1',
    `${'x'.repeat(300)}/1`,
  ),
  referer: fc.constantFrom('https://a.example/x?y', 'https://b.example', 'android-app://x', ''),
}
const request = fc.record({
  url,
  method: fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'),
  headers: fc.record({ ...header, 'content-type': fc.constant('application/json') }, { requiredKeys: [] }),
  payload: fc.option(fc.constantFrom('{', '{"email":"a@b.example"}', '{"title":"x"}'), { nil: undefined }),
})

/** One thing that happens to one of three instances. */
const step = fc.record({
  at: fc.nat(2),
  is: fc.constantFrom('request', 'request', 'request', 'request', 'request', 'request', 'line', 'report', 'restart'),
  ask: request,
  line,
})
