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

interface ResponseSummary {
  readonly status: number
  readonly size: number
  readonly port: number
}

function send(
  method: string,
  target: string,
  headers: Record<string, string> = {},
  body = '',
): Promise<ResponseSummary> {
  const length: Record<string, string> = body === '' ? {} : { 'content-length': `${Buffer.byteLength(body)}` }
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      host: base.hostname,
      port: base.port,
      method,
      path: target,
      headers: { ...length, ...headers },
      agent: false,
    })
    request.on('error', reject)
    request.on('response', async (response: IncomingMessage) => {
      const port = request.socket?.localPort ?? 0
      let size = 0
      for await (const chunk of response) size += (chunk as Buffer).length
      resolve({ status: response.statusCode ?? 0, size, port })
    })
    request.end(body)
  })
}

/** Waits up to a second for this many new lines, and returns them. */
async function waitForLines(count: number): Promise<string[]> {
  for (let waitedMs = 0; ; waitedMs += 20) {
    const [firstLine, ...newLines] = readFileSync(path, 'utf8').split('\n')
    expect(firstLine).toBe('an older line')
    if (newLines.length > count || waitedMs >= 1000) {
      expect(newLines.pop()).toBe('')
      expect(newLines.length).toBe(count)
      return newLines
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

async function waitForEntries(count: number): Promise<AccessEntry[]> {
  return (await waitForLines(count)).map((line) => {
    const entry = parseLine(line)
    expect(entry, line).toBeDefined()
    return entry as AccessEntry
  })
}

describe('the line', () => {
  it('spec 9 logging rule 2: a line has all fields in order, exactly', async () => {
    const before = Math.floor(Date.now() / 1000) * 1000
    const { port, size } = await send('GET', '/user/1', {
      referer: 'http://localhost/page',
      'user-agent': 'test agent/1.0',
    })
    const [line = ''] = await waitForLines(1)
    const form =
      /^127\.0\.0\.1:(\d+) - - \[(\d\d)\/(\d\d)\/(\d{4}):(\d\d:\d\d:\d\d) \+0000\] "GET \/user\/1 HTTP\/1\.1" 200 (\d+) "http:\/\/localhost\/page" "test agent\/1\.0"$/
    expect(line).toMatch(form)
    const [, ownPort, day, month, year, clock, length] = form.exec(line) ?? []
    expect([Number(ownPort), Number(length)]).toEqual([port, size])
    const time = Date.parse(`${year}-${month}-${day}T${clock}Z`)
    expect(time).toBeGreaterThanOrEqual(before)
    expect(time).toBeLessThanOrEqual(Date.now())
  })

  it('spec 9 logging rule 2: an unknown value is a hyphen', async () => {
    await send('GET', '/user/1')
    const [line = ''] = await waitForLines(1)
    expect(line).toMatch(/ - - \[.* "-" "-"$/)
  })

  it('spec 9 logging rule 2: the size is that of the body', async () => {
    const responses = [
      await send('GET', '/user?pageSize=1'),
      await send('GET', '/user/9999'),
      await send('HEAD', '/user'),
      await send('OPTIONS', '/user'),
      await send('HEAD', '/nothing'),
    ]
    expect((await waitForEntries(5)).map(({ size }) => size)).toEqual(responses.map(({ size }) => size))
    expect(responses.map(({ size }) => size > 0)).toEqual([true, true, false, false, false])
  })

  it('decision access-line: the line has the unchanged request target with its query', async () => {
    const target = '/user?firstName=Zo%C3%AB&lastName=a+b%22c&sort=-id'
    await send('GET', target)
    expect((await waitForEntries(1))[0]?.target).toBe(target)
  })

  it('decision access-line: a client cannot forge a line', async () => {
    const forged = 'x" 200 1 "-" "-"\\'
    await send('GET', '/user/1', { 'user-agent': forged, referer: 'caf\u00e9 "quoted"' })
    const [line = ''] = await waitForLines(1)
    expect(line).toMatch(/^[\x20-\x7e]+$/)
    expect(parseLine(line)?.userAgent).toBe(forged)
    expect(line).toContain(String.raw`\x22 200 1 \x22-\x22`)
  })
})

describe('the log', () => {
  it('spec 9 logging rule 1: requests of every method and status are logged', async () => {
    const json = { 'content-type': 'application/json' }
    const requests: [string, string, number][] = []
    const note = async (method: string, target: string, headers = {}, body = '') => {
      requests.push([method, target, (await send(method, target, headers, body)).status])
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
    const logged = (await waitForEntries(requests.length)).map(({ method, target, status }) => [method, target, status])
    expect(logged).toEqual(requests)
    expect(requests.map(([, , status]) => status)).toEqual([
      200, 200, 200, 204, 201, 200, 200, 200, 404, 404, 400, 400, 405, 501, 400, 415, 413, 400,
    ])
  })

  it('spec 1: a conditional read is logged with its 304', async () => {
    const { headers } = await inject(app, { url: '/user/1' })
    await send('GET', '/user/1', { 'if-none-match': `${headers.etag}` })
    expect((await waitForEntries(2))[1]).toMatchObject({ status: 304, size: 0 })
  })

  it('decision access-line: a request that is not valid HTTP is logged', async () => {
    await new Promise<void>((resolve) => {
      const socket = connect(Number(base.port), base.hostname, () => socket.end('nonsense\r\n\r\n'))
      socket.resume().on('close', () => resolve())
    })
    expect((await waitForEntries(1))[0]?.status).toBe(400)
  })

  it('decision access-line: lines are in the file within a second', async () => {
    await Promise.all(Array.from({ length: 50 }, () => send('GET', '/user/1')))
    expect((await waitForEntries(50)).every(({ status }) => status === 200)).toBe(true)
  })

  it('decision access-line: closing the service writes the remaining lines', async () => {
    await send('GET', '/user/1')
    await app.close()
    expect(readFileSync(path, 'utf8').split('\n').length).toBe(3)
  })

  it('spec 9 logging rule 3: the service only appends complete lines, so that a log shipper can follow the file', async () => {
    await send('GET', '/user/1', { 'user-agent': 'billing/2.1' })
    await waitForLines(1)
    await app.close()
    app = await openDirectory(5, { accessLog: path })
    base = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
    await send('GET', '/v1/user/1', { 'user-agent': 'billing/2.1' })
    const logged = await waitForEntries(2)
    expect(logged.map(({ target, userAgent }) => [target, userAgent])).toEqual([
      ['/user/1', 'billing/2.1'],
      ['/v1/user/1', 'billing/2.1'],
    ])
  })

  it('decision access-line: requests succeed if the log cannot be written', async () => {
    const faults: string[] = []
    const unlogged = await openDirectory(1, { accessLog: folder, onFault: (message) => faults.push(message) })
    const { statusCode } = await inject(unlogged, { url: '/user/1' })
    await unlogged.close()
    expect(statusCode).toBe(200)
    expect(faults.join()).toContain(folder)
  })
})
