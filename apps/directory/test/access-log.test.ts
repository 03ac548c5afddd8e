// The access log: one line for every request, in the combined format, in a real file.

import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AccessEntry, parseLine } from '@nomen/core'
import { inject } from '@nomen/testing/inject'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type App, openDirectory } from './service.ts'

let folder: string
let path: string
let app: App
let base: URL

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'nomen-access-log-'))
  path = join(folder, 'access.log')
  appendFileSync(path, 'an older line\n')
  app = await openDirectory(5, { accessLog: path })
  base = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
})
afterEach(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

interface Asked {
  readonly status: number
  readonly size: number
  readonly port: number
}

function ask(method: string, target: string, headers: Record<string, string> = {}, body = ''): Promise<Asked> {
  const length: Record<string, string> = body === '' ? {} : { 'content-length': `${Buffer.byteLength(body)}` }
  return new Promise((resolve, reject) => {
    const sent = httpRequest({
      host: base.hostname,
      port: base.port,
      method,
      path: target,
      headers: { ...length, ...headers },
      agent: false,
    })
    sent.on('error', reject)
    sent.on('response', async (response: IncomingMessage) => {
      const port = sent.socket?.localPort ?? 0
      let size = 0
      for await (const chunk of response) size += (chunk as Buffer).length
      resolve({ status: response.statusCode ?? 0, size, port })
    })
    sent.end(body)
  })
}

/** The lines written since the start, once there are so many, or after a second. */
async function lines(count: number): Promise<string[]> {
  for (let wait = 0; ; wait += 20) {
    const [older, ...written] = readFileSync(path, 'utf8').split('\n')
    expect(older).toBe('an older line')
    if (written.length > count || wait >= 1000) {
      expect(written.pop()).toBe('')
      expect(written.length).toBe(count)
      return written
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

async function entries(count: number): Promise<AccessEntry[]> {
  return (await lines(count)).map((line) => {
    const entry = parseLine(line)
    expect(entry, line).toBeDefined()
    return entry as AccessEntry
  })
}

describe('the line', () => {
  it('spec 9 logging rule 2: a line has all fields in order, exactly', async () => {
    const before = Math.floor(Date.now() / 1000) * 1000
    const { port, size } = await ask('GET', '/user/1', {
      referer: 'http://localhost/page',
      'user-agent': 'test agent/1.0',
    })
    const [line = ''] = await lines(1)
    const form =
      /^127\.0\.0\.1:(\d+) - - \[(\d\d)\/(\d\d)\/(\d{4}):(\d\d:\d\d:\d\d) \+0000\] "GET \/user\/1 HTTP\/1\.1" 200 (\d+) "http:\/\/localhost\/page" "test agent\/1\.0"$/
    expect(line).toMatch(form)
    const [, ownPort, day, month, year, clock, length] = form.exec(line) ?? []
    expect([Number(ownPort), Number(length)]).toEqual([port, size])
    const time = Date.parse(`${year}-${month}-${day}T${clock}Z`)
    expect(time).toBeGreaterThanOrEqual(before)
    expect(time).toBeLessThanOrEqual(Date.now())
  })

  it('spec 9 logging rule 2: what is not known is a hyphen', async () => {
    await ask('GET', '/user/1')
    const [line = ''] = await lines(1)
    expect(line).toMatch(/ - - \[.* "-" "-"$/)
  })

  it('spec 9 logging rule 2: the size is that of the body', async () => {
    const asked = [
      await ask('GET', '/user?pageSize=1'),
      await ask('GET', '/user/9999'),
      await ask('HEAD', '/user'),
      await ask('OPTIONS', '/user'),
      await ask('HEAD', '/nothing'),
    ]
    expect((await entries(5)).map(({ size }) => size)).toEqual(asked.map(({ size }) => size))
    expect(asked.map(({ size }) => size > 0)).toEqual([true, true, false, false, false])
  })

  it('decision access-line: the request target stands with its query, as sent', async () => {
    const target = '/user?firstName=Zo%C3%AB&lastName=a+b%22c&sort=-id'
    await ask('GET', target)
    expect((await entries(1))[0]?.target).toBe(target)
  })

  it('decision access-line: nothing that a client sends can forge a line', async () => {
    const forged = 'x" 200 1 "-" "-"\\'
    await ask('GET', '/user/1', { 'user-agent': forged, referer: 'caf\u00e9 "quoted"' })
    const [line = ''] = await lines(1)
    expect(line).toMatch(/^[\x20-\x7e]+$/)
    expect(parseLine(line)?.userAgent).toBe(forged)
    expect(line).toContain(String.raw`\x22 200 1 \x22-\x22`)
  })
})

describe('the log', () => {
  it('spec 9 logging rule 1: every request is logged, whatever its method and status', async () => {
    const json = { 'content-type': 'application/json' }
    const asked: [string, string, number][] = []
    const note = async (method: string, target: string, headers = {}, body = '') => {
      asked.push([method, target, (await ask(method, target, headers, body)).status])
    }
    await note('GET', '/user')
    await note('GET', '/v1/user/1')
    await note('HEAD', '/user/1')
    await note('OPTIONS', '/user')
    await note('POST', '/department', json, '{"name":"x"}')
    await note('PUT', '/department/1', json, '{"name":"x","retired":false}')
    await note('PATCH', '/user/1', json, '{"phone":"1"}')
    await note('DELETE', '/user/5')
    await note('GET', '/user/9999')
    await note('GET', '/nothing/at/all?x=1')
    await note('GET', '/user?nonsense=1')
    await note('GET', '/user/%zz')
    await note('DELETE', '/user')
    await note('PROPFIND', '/user')
    await note('PATCH', '/user/1', json, '{')
    await note('PATCH', '/user/1', { 'content-type': 'text/plain' }, 'x')
    await note('PATCH', '/user/1', json, `"${'x'.repeat(1024 * 1024)}"`)
    await note('GET', '/user', {}, 'body')
    const found = (await entries(asked.length)).map(({ method, target, status }) => [method, target, status])
    expect(found).toEqual(asked)
    expect(asked.map(([, , status]) => status)).toEqual([
      200, 200, 200, 204, 201, 200, 200, 200, 404, 404, 400, 400, 405, 501, 400, 415, 413, 400,
    ])
  })

  it('spec 1: a conditional read is logged with its 304', async () => {
    const { headers } = await inject(app, { url: '/user/1' })
    await ask('GET', '/user/1', { 'if-none-match': `${headers.etag}` })
    expect((await entries(2))[1]).toMatchObject({ status: 304, size: 0 })
  })

  it('decision access-line: a request that is no HTTP leaves a line as well', async () => {
    await new Promise<void>((resolve) => {
      const socket = connect(Number(base.port), base.hostname, () => socket.end('nonsense\r\n\r\n'))
      socket.resume().on('close', () => resolve())
    })
    expect((await entries(1))[0]?.status).toBe(400)
  })

  it('decision access-line: lines are in the file within a second', async () => {
    await Promise.all(Array.from({ length: 50 }, () => ask('GET', '/user/1')))
    expect((await entries(50)).every(({ status }) => status === 200)).toBe(true)
  })

  it('decision access-line: closing the service writes what is left', async () => {
    await ask('GET', '/user/1')
    await app.close()
    expect(readFileSync(path, 'utf8').split('\n').length).toBe(3)
  })

  it('spec 9 logging rule 3: the log is a file of whole lines that a shipper can follow, and is only added to', async () => {
    await ask('GET', '/user/1', { 'user-agent': 'billing/2.1' })
    await lines(1)
    await app.close()
    app = await openDirectory(5, { accessLog: path })
    base = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
    await ask('GET', '/v1/user/1', { 'user-agent': 'billing/2.1' })
    const found = await entries(2)
    expect(found.map(({ target, userAgent }) => [target, userAgent])).toEqual([
      ['/user/1', 'billing/2.1'],
      ['/v1/user/1', 'billing/2.1'],
    ])
  })

  it('decision access-line: a log that cannot be written stops no request', async () => {
    const faults: string[] = []
    const unlogged = await openDirectory(1, { accessLog: folder, onFault: (message) => faults.push(message) })
    const { statusCode } = await inject(unlogged, { url: '/user/1' })
    await unlogged.close()
    expect(statusCode).toBe(200)
    expect(faults.join()).toContain(folder)
  })
})
