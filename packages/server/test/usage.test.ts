// The endpoint /usage for operators.
import { readFileSync } from 'node:fs'
import { identity, noun, resource, text } from '@nomen/core'
import type { UsageReport } from '@nomen/core/usage'
import { open } from '@nomen/server'
import { plugin } from '@nomen/server/fastify'
import fastify from 'fastify'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { temporaryDatabase, temporaryPath } from './temporary-database.ts'
import { openService, plainApi, serviceOf, type TestService } from './test-service.ts'

const note = noun('note', { id: identity(), title: text() })
const notes = serviceOf([plainApi(resource(note))])

/** Who called an operation, as `kind name requests`. */
function callers({ endpoints }: UsageReport, id = 'test.note.list'): readonly string[] {
  const match = endpoints.find((endpoint) => endpoint.id === id)
  return (match?.callers ?? []).map(({ kind, name, requests }) => `${kind} ${name} ${requests}`)
}

async function report({ get }: TestService, query = ''): Promise<UsageReport> {
  return (await get(`/usage${query}`)).body
}

describe('/usage', () => {
  it('reports the callers of every operation, and the statuses', async () => {
    const app = await openService(notes)
    const by = (agent: string) => ({ 'user-agent': agent })
    await app.get('/note', by('shop/1.2'))
    await app.get('/note?nonsense=1', by('shop/1.3'))
    await app.send('HEAD', '/note', undefined, by('curl'))
    await app.get('/note', { 'user-agent': 'Mozilla/5.0', referer: 'https://a.example/page' })
    await app.get('/note/7', by('shop/1.2'))
    await app.get('/nothing', by('shop/1.2'))
    const usageReport = await report(app)
    expect(callers(usageReport)).toEqual(['agent shop 2', 'agent curl 1', 'referrer https://a.example 1'])
    expect(usageReport.endpoints.find(({ id }) => id === 'test.note.list')).toMatchObject({
      verdict: 'in use',
      requests: 4,
      errors: 1,
    })
    expect(usageReport.endpoints.find(({ id }) => id === 'test.note.read')).toMatchObject({ requests: 1, errors: 1 })
    expect(usageReport.endpoints.find(({ id }) => id === 'test.note.delete')).toMatchObject({
      verdict: 'never called',
      callers: [],
    })
    expect([usageReport.source, usageReport.requests, usageReport.others, usageReport.quietAfter]).toEqual([
      'service',
      6,
      1,
      30,
    ])
  })

  it('is not an operation: in the access log, but neither counted nor in the document', async () => {
    const accessLog = `${temporaryPath()}.log`
    const app = await openService(notes, { accessLog })
    await report(app)
    expect((await report(app)).requests).toBe(0)
    expect(Object.keys((await app.get('/openapi.json')).body.paths)).toEqual(['/note', '/note/{id}'])
    await app.app.close()
    expect(readFileSync(accessLog, 'utf8').match(/(?<="GET )[^ ]*/g)).toEqual(['/usage', '/usage', '/openapi.json'])
  })

  it('reports deprecated operations with their dates', async () => {
    const deprecated = { since: '2026-01-01', sunset: '2027-01-01', successor: '/v2/note' }
    const app = await openService(serviceOf([plainApi(resource(note, { deprecated: { read: deprecated } }))]))
    const { endpoints } = await report(app)
    expect(endpoints.filter(({ deprecation }) => deprecation)).toMatchObject([
      { id: 'test.note.read', deprecation: deprecated },
    ])
  })

  it.each([
    ['?quitAfter=3', 'unknown-parameter', 'Did you mean "quietAfter"?'],
    ['?quietAfter=0', 'invalid-parameter', 'not "0"'],
    ['?quietAfter=3&quietAfter=4', 'invalid-parameter', 'was sent 2 times'],
    ['?from=2026-02-30', 'invalid-parameter', 'must be a date such as 2026-11-15, not "2026-02-30"'],
    ['?from=2026-03-02&to=2026-03-01', 'invalid-parameter', 'must not be before 2026-03-02'],
    ['?to=%zz', 'malformed-url', 'invalid percent-encoding'],
  ])('rejects %s', async (query, code, words) => {
    const { status, body } = await (await openService(notes)).get(`/usage${query}`)
    expect([status, body.code]).toEqual([400, code])
    expect(`${body.detail} ${body.hint}`).toContain(words)
  })

  it('can be switched off, and then nothing is counted', async () => {
    const path = temporaryPath()
    const app = await openService(notes, { database: `sqlite:${path}`, usage: false })
    await app.get('/note')
    expect(await app.get('/usage')).toMatchObject({ status: 404 })
    await app.app.close()
    expect(await report(await openService(notes, { database: `sqlite:${path}` }))).toMatchObject({ requests: 0 })
  })

  it.each([
    ['/directory', '/directory'],
    ['/:tenant/directory', '/a%2Fb/directory'],
  ])('is below the prefix %s of an application', async (prefix, base) => {
    const app = fastify()
    onTestFinished(() => app.close())
    await app.register(plugin(notes, { database: 'sqlite::memory:' }), { prefix })
    app.get('/own', () => 'own')
    const headers = { 'user-agent': 'shop/1' }
    for (const path of ['/note', '/note?pageSize=1', '/%6eote', '/note/', '/nothing'])
      await app.inject({ url: `${base}${path}`, headers })
    await app.inject('/own')
    const usageReport = (await app.inject(`${base}/usage`)).json<UsageReport>()
    expect(callers(usageReport)).toEqual(['agent shop 3'])
    expect([usageReport.requests, usageReport.others]).toEqual([5, 2])
    expect((await app.inject('/usage')).statusCode).toBe(404)
  })
})

describe('usage', () => {
  it('is stored in the database every few seconds, so that other instances see it', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const settings = { database: `sqlite:${temporaryPath()}` }
    const [first, second] = [await openService(notes, settings), await openService(notes, settings)]
    await first.get('/note')
    expect((await report(second)).requests).toBe(0)
    vi.advanceTimersByTime(5000)
    await vi.waitUntil(async () => (await report(second)).requests === 1)
  })

  it('is bounded, whatever names callers invent', async () => {
    const app = await openService(notes)
    for (let index = 0; index < 1100; index++) await app.get('/note', { 'user-agent': `made-up-${index}/1` })
    const names = callers(await report(app))
    expect(names).toHaveLength(1001)
    expect(names[0]).toBe('others  100')
    await app.get('/note', { 'user-agent': 'made-up-7/2' })
    expect(callers(await report(app))).toContain('agent made-up-7 2')
  })

  it('is counted for the day of the response, with separate names each day', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-14T23:59:58Z') })
    onTestFinished(() => void vi.useRealTimers())
    const app = await openService(notes)
    await app.get('/note')
    vi.setSystemTime(Date.parse('2026-11-15T00:00:01Z'))
    await app.get('/note')
    await app.get('/note')
    // A clock that is set back makes no day count twice.
    vi.setSystemTime(Date.parse('2026-11-14T23:59:59Z'))
    await app.get('/note')
    vi.setSystemTime(Date.parse('2026-11-15T00:00:02Z'))
    await app.get('/note')
    const { endpoints, window } = await report(app)
    expect(endpoints[0]?.callers[0]?.days).toEqual({ '2026-11-14': 2, '2026-11-15': 3 })
    expect(window).toEqual({ first: '2026-11-14T23:59:58Z', last: '2026-11-15T00:00:02Z', gaps: [] })
  })

  it('is removed when it is old', async () => {
    const database = `sqlite:${temporaryPath()}`
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-10T12:00:00Z') })
    onTestFinished(() => void vi.useRealTimers())
    const day = async (today: string) => {
      vi.setSystemTime(Date.parse(`${today}T12:00:00Z`))
      const app = await openService(notes, { database, usageKeepDays: 2 })
      await app.get('/note')
      const { window, requests } = await report(app)
      await app.app.close()
      return [window?.first.slice(0, 10), requests, window?.gaps]
    }
    expect(await day('2026-11-10')).toEqual(['2026-11-10', 1, []])
    expect(await day('2026-11-12')).toEqual(['2026-11-10', 2, ['2026-11-11']])
    expect(await day('2026-11-13')).toEqual(['2026-11-12', 2, []])
  })

  it('is still counted by an instance after another version has changed its nouns', async () => {
    const path = temporaryPath()
    const old = await openService(notes, { database: `sqlite:${path}`, onFault: () => undefined })
    await old.get('/note')
    await report(old)
    const wider = noun('note', { id: identity(), title: text(), words: text().nullable() })
    const next = await open(serviceOf([plainApi(resource(wider))]), { database: `sqlite:${path}` })
    onTestFinished(() => next.close())
    const [written] = await Promise.all([old.send('POST', '/note', { title: 'a' }), report(old)])
    expect(written.status).toBe(201)
    expect((await report(old)).requests).toBe(2)
  })

  it('waits for a file that another process writes, without delaying requests', async () => {
    const path = temporaryPath()
    const app = await openService(notes, { database: `sqlite:${path}` })
    await app.get('/note')
    const other = temporaryDatabase(path)
    other.exec('begin immediate')
    const pending = report(app)
    expect((await app.get('/note')).status).toBe(200)
    other.exec('commit')
    expect((await pending).requests).toBeGreaterThan(0)
    expect((await report(app)).requests).toBe(2)
  })
})
