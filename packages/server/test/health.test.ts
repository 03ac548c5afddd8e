// Health checks for load balancers and probes.
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { identity, noun, resource, text } from '@nomen/core'
import { plugin } from '@nomen/server/fastify'
import fastify from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Health } from '../src/observe/health/health.ts'
import { temporaryPath } from './temporary-database.ts'
import { openService, plainApi, serviceOf } from './test-service.ts'

const note = noun('note', { id: identity(), title: text() })
const notes = serviceOf([plainApi(resource(note, {}))])

describe('health', () => {
  it('reports that the service is live and all parts are healthy', async () => {
    const accessLog = temporaryPath()
    const app = await openService(notes, { database: `sqlite:${temporaryPath()}`, accessLog })
    const live = await app.get('/health/live')
    expect([live.status, live.body, live.headers['cache-control']]).toEqual([200, { status: 'ok' }, 'no-store'])
    const ready = await app.get('/health/ready')
    const ok = { status: 'ok' }
    expect([ready.status, ready.body]).toEqual([200, { ...ok, parts: { database: ok, disk: ok, accessLog: ok } }])
    await app.app.close()
    expect(existsSync(accessLog) ? readFileSync(accessLog, 'utf8') : '').toBe('')
  })

  it('responds to any caller and any Host', async () => {
    const app = await openService(notes, { isLocalOnly: true })
    expect((await app.get('/note', { host: 'elsewhere.example' })).status).toBe(403)
    for (const path of ['/health/live', '/health/ready'])
      expect((await app.get(path, { host: 'elsewhere.example' })).status).toBe(200)
    expect((await app.get('/metrics', { host: 'elsewhere.example' })).status).toBe(403)
  })

  it('is degraded but ready while the access log cannot be written', async () => {
    const app = await openService(notes, { accessLog: '/dev/null/access.log', onFault: () => undefined })
    await expect.poll(async () => (await app.get('/health/ready')).body.status).toBe('degraded')
    const { status, body, text: shown } = await app.get('/health/ready')
    expect([status, body.parts.accessLog]).toEqual([
      200,
      { status: 'degraded', detail: 'The access log cannot be written (ENOTDIR). No lines are lost yet.' },
    ])
    expect(shown).not.toContain('/dev/null')
    expect((await app.get('/note')).status).toBe(200)
  })

  it('is unavailable while the service shuts down', async () => {
    const app = await openService(notes)
    const { port, hostname } = new URL(await app.app.listen({ port: 0 }))
    const socket = connect(Number(port), hostname)
    onTestFinished(() => void socket.destroy())
    await once(socket, 'connect')
    socket.write(
      'POST /note HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 13\r\n\r\n',
    )
    const underWay = /nomen_http_requests_under_way (\d)/
    await expect.poll(async () => underWay.exec((await app.get('/metrics')).text)?.[1]).toBe('1')
    const closing = app.app.close()
    const ready = await app.get('/health/ready')
    expect([ready.status, ready.body.status]).toEqual([503, 'unavailable'])
    expect((await app.get('/health/live')).status).toBe(200)
    socket.write('{"title":"a"}')
    const [response] = await once(socket, 'data')
    expect(`${response}`).toMatch(/^HTTP\/1.1 201 /)
    await closing
  })

  it('is below the prefix of a plugin', async () => {
    const host = fastify()
    onTestFinished(() => host.close())
    await host.register(plugin(notes, { database: 'sqlite::memory:' }), { prefix: '/desk' })
    expect((await host.inject('/desk/health/live')).statusCode).toBe(200)
    expect((await host.inject('/desk/health/ready')).json().status).toBe('ok')
    expect((await host.inject('/health/live')).statusCode).toBe(404)
  })
})

describe('the parts of health', () => {
  it('is as bad as the worst part', async () => {
    const health = new Health()
    health.add('well', 'unavailable', () => ({ status: 'ok' }))
    expect((await health.report()).status).toBe('ok')
    const worse = new Health()
    worse.add('bad', 'degraded', () => ({ status: 'degraded', detail: 'So so.' }))
    worse.add('away', 'unavailable', () => Promise.reject(new Error('postgres://secret')))
    worse.add('well', 'unavailable', () => ({ status: 'ok' }))
    expect(await worse.report()).toEqual({
      status: 'unavailable',
      parts: {
        bad: { status: 'degraded', detail: 'So so.' },
        away: { status: 'unavailable', detail: 'The check failed.' },
        well: { status: 'ok' },
      },
    })
  })

  it('does not wait for a part that does not respond, nor check it twice at once', async () => {
    const health = new Health()
    let checks = 0
    health.add('silent', 'degraded', () => {
      checks++
      return new Promise(() => {})
    })
    const [first, second] = await Promise.all([health.report(), health.report()])
    expect(first).toBe(second)
    expect(first.parts.silent).toEqual({ status: 'degraded', detail: 'No response within 1000 ms.' })
    expect(checks).toBe(1)
  })
})
