// Raw requests: requests that clients cannot send, and bytes that are not HTTP.
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { type Problem, problems } from '@nomen/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, expectProblemDocument, openDirectory } from './service.ts'

let app: App
let base: URL

beforeAll(async () => {
  app = await openDirectory(5, { isLocalOnly: true })
  base = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
})
afterAll(() => app.close())

interface Raw {
  readonly status: number
  readonly head: string
  readonly body: string
}

/** Sends the bytes and reads until the server closes the connection. */
async function exchange(...parts: (string | Buffer)[]): Promise<Raw> {
  const socket = connect(Number(base.port), base.hostname)
  await once(socket, 'connect')
  expect((socket.address() as AddressInfo).port).toBeGreaterThan(0)
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  // After its response, the server may reset a connection that is still sending.
  socket.on('error', () => undefined)
  for (const part of parts) socket.write(part)
  await once(socket, 'close')
  const text = Buffer.concat(chunks).toString()
  const end = text.indexOf('\r\n\r\n')
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]),
    head: text.slice(0, end).toLowerCase(),
    body: text.slice(end + 4),
  }
}

const send = (line: string, headers: readonly string[] = [], body: string | Buffer = '') =>
  exchange(
    `${line}\r\nHost: localhost\r\nConnection: close\r\n${headers.map((header) => `${header}\r\n`).join('')}\r\n`,
    body,
  )

function expectWireProblem({ status, head, body }: Raw, ...codes: Problem['code'][]): void {
  const problem = JSON.parse(body) as Problem
  expect(codes).toContain(problem.code)
  expectProblemDocument(problem, status, /^content-type: (.*)$/m.exec(head)?.[1])
}

/** Expects that the service still responds. */
const expectAlive = async () => expect((await send('GET /user/1 HTTP/1.1')).status).toBe(200)

describe('raw requests', () => {
  it('wire: OPTIONS * lists the methods of the service, and GET * is 404', async () => {
    const { status, head, body } = await send('OPTIONS * HTTP/1.1')
    expect([status, body]).toEqual([204, ''])
    expect(head).toContain('\r\nallow: delete, get, head, options, patch, post, put\r\n')
    expectWireProblem(await send('GET * HTTP/1.1'), 'path-not-found')
  })

  it('wire: a plain request gets a response', async () => {
    const { status, head, body } = await send('GET /user/1 HTTP/1.1')
    expect(status).toBe(200)
    expect(head).toMatch(/^x-request-id: \S+$/m)
    expect(JSON.parse(body)).toMatchObject({ id: 1 })
  })

  it.each([
    ['a length', ['Content-Length: 2', 'Content-Type: application/json'], '{}'],
    ['chunks', ['Transfer-Encoding: chunked', 'Content-Type: application/json'], '2\r\n{}\r\n0\r\n\r\n'],
    ['a length without a type', ['Content-Length: 2'], '{}'],
    ['chunks without a type', ['Transfer-Encoding: chunked'], '2\r\n{}\r\n0\r\n\r\n'],
  ])('wire: GET with a body, sent by %s, is rejected', async (_how, headers, body) => {
    expectWireProblem(await send('GET /user HTTP/1.1', headers, body), 'body-not-allowed')
    expectWireProblem(await send('GET /user/1 HTTP/1.1', headers, body), 'body-not-allowed')
  })

  it('wire: GET with a length of 0 has no body', async () => {
    expect((await send('GET /user/1 HTTP/1.1', ['Content-Length: 0'])).status).toBe(200)
  })

  it('wire: a body in chunks over 1 MiB is 413', async () => {
    const chunk = `${(64 * 1024).toString(16)}\r\n${'x'.repeat(64 * 1024)}\r\n`
    const body = `${chunk.repeat(17)}0\r\n\r\n`
    const response = await send(
      'PATCH /user/1 HTTP/1.1',
      ['Transfer-Encoding: chunked', 'Content-Type: application/json'],
      body,
    )
    expectWireProblem(response, 'body-too-large')
    await expectAlive()
  })

  it('wire: a Content-Length over 1 MiB is 413 before the body is sent', async () => {
    const response = await send('PATCH /user/1 HTTP/1.1', [
      'Content-Length: 99999999999',
      'Content-Type: application/json',
    ])
    expectWireProblem(response, 'body-too-large')
  })

  it.each([
    ['a length', 'Content-Length: 99999999', ''],
    ['chunks', 'Transfer-Encoding: chunked', `200000\r\n${'x'.repeat(2 ** 21)}\r\n`],
  ])(
    'wire: a connection that receives too much data by %s is closed after the response',
    async (_how, header, body) => {
      const response = await exchange(
        `PATCH /user/1 HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${header}\r\n\r\n`,
        body,
      )
      expectWireProblem(response, 'body-too-large')
      expect(response.head).toContain('connection: close')
    },
  )

  it('wire: a body in chunks is read completely', async () => {
    const body = '8\r\n{"phone"\r\n5\r\n:"7"}\r\n0\r\n\r\n'
    const response = await send(
      'PATCH /user/5 HTTP/1.1',
      ['Transfer-Encoding: chunked', 'Content-Type: application/json'],
      body,
    )
    expect([response.status, JSON.parse(response.body).phone]).toEqual([200, '7'])
  })

  it.each(['TRACE', 'PROPFIND', 'LOCK', 'SEARCH', 'PURGE', 'REPORT', 'M-SEARCH', 'SUBSCRIBE', 'QUERY'])(
    'wire: %s is 405 or 501',
    async (method) => {
      for (const path of ['/user', '/user/1', '/nothing']) {
        expectWireProblem(
          await send(`${method} ${path} HTTP/1.1`),
          'method-not-allowed',
          'unknown-method',
          'path-not-found',
        )
      }
      expect([405, 501]).toContain((await send(`${method} /user/1 HTTP/1.1`)).status)
    },
  )

  it.each([
    'FOO /user HTTP/1.1',
    'get /user HTTP/1.1',
    'GET /user HTTP/9.9',
    'GET',
    '\u0000\u0001\u0002',
    'GET /us er HTTP/1.1',
    '{"json": true}',
  ])('wire: bytes that are not HTTP get a problem: %j', async (line) => {
    expectWireProblem(await send(line), 'bad-request', 'unknown-method', 'malformed-url', 'unsupported-http-version')
    await expectAlive()
  })

  it.each([
    ['two lengths', ['Content-Length: 2', 'Content-Length: 3']],
    ['a length and chunks', ['Content-Length: 2', 'Transfer-Encoding: chunked']],
    ['a length that is not a number', ['Content-Length: x']],
    ['chunks in chunks', ['Transfer-Encoding: chunked, chunked']],
    ['chunks with another coding after them', ['Transfer-Encoding: chunked, gzip']],
    ['a header without a name', [': x']],
    ['a header with a space in its name', ['A b: x']],
  ])('wire: a request with %s is rejected', async (_what, headers) => {
    expectWireProblem(
      await send('POST /user HTTP/1.1', [...headers, 'Content-Type: application/json'], '{}'),
      'bad-request',
    )
    await expectAlive()
  })

  it('wire: a request without a host is rejected with a problem', async () => {
    expectWireProblem(
      await exchange('GET /user/1 HTTP/1.1\r\nConnection: close\r\n\r\n'),
      'bad-request',
      'foreign-host',
    )
    await expectAlive()
  })

  it('wire: two Host headers are 400 for every path, even if they are equal', async () => {
    for (const path of ['/user/1', '/user/%31', '/nothing', '/health/live', '/openapi.json'])
      for (const host of ['localhost', 'evil.example'])
        expectWireProblem(await send(`GET ${path} HTTP/1.1`, [`hOST: ${host}`]), 'bad-request')
    await expectAlive()
  })

  it.each(['gzip, chunked', 'identity, chunked', 'x-other, chunked'])(
    'wire: a body in the coding %s is 501, and the connection is closed',
    async (coding) => {
      for (const path of ['/user/5', '/user/%35']) {
        const response = await exchange(
          `PATCH ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: ${coding}\r\n\r\n`,
          '9\r\n{"phone":"8"}\r\n0\r\n\r\n',
        )
        expectWireProblem(response, 'unsupported-transfer-encoding')
        expect(response.head).toContain('connection: close')
      }
      expect(JSON.parse((await send('GET /user/5 HTTP/1.1')).body).phone).not.toBe('8')
    },
  )

  it.each(['chunked', 'CHUNKED', ' chunked '])('wire: a body in the coding %j is read', async (coding) => {
    const headers = ['Content-Type: application/json', `Transfer-Encoding: ${coding}`]
    expect((await send('PATCH /user/5 HTTP/1.1', headers, '2\r\n{}\r\n0\r\n\r\n')).status).toBe(200)
  })

  it.each(['0.9', '2.0', '9.9', '1.2', '3.0'])('wire: version %s of HTTP is 505', async (version) => {
    for (const path of ['/user/1', '/user/%31', '/health/live'])
      expectWireProblem(await send(`GET ${path} HTTP/${version}`), 'unsupported-http-version')
    await expectAlive()
  })

  it('wire: HTTP/1.0 is supported, but not with a body in chunks', async () => {
    expect((await exchange('GET /user/1 HTTP/1.0\r\n\r\n')).status).toBe(200)
    const headers = ['Content-Type: application/json', 'Transfer-Encoding: chunked']
    expectWireProblem(await send('PATCH /user/5 HTTP/1.0', headers, '2\r\n{}\r\n0\r\n\r\n'), 'bad-request')
  })

  it('wire: GET with a body that is too large is rejected like any GET with a body, and the connection is closed', async () => {
    for (const path of ['/user', '/user/1', '/user/%31']) {
      const response = await exchange(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999\r\n\r\n`)
      expectWireProblem(response, 'body-not-allowed')
      expect(response.head).toContain('connection: close')
    }
  })

  it.each(['h2c', 'websocket'])(
    'wire: Upgrade: %s is ignored, and the next request on the connection succeeds',
    async (protocol) => {
      const upgrading = [
        'Host: localhost',
        'Connection: Upgrade, HTTP2-Settings',
        `Upgrade: ${protocol}`,
        'HTTP2-Settings: x',
      ]
      const first = `GET /user/1 HTTP/1.1\r\n${upgrading.join('\r\n')}\r\n\r\n`
      const second = 'GET /user/2 HTTP/1.1\r\nHost: localhost\r\n\r\n'
      const last = 'GET /user/3 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'
      const { status, body } = await exchange(first + second + last)
      expect([status, body.match(/"id":\d/g)]).toEqual([200, ['"id":1', '"id":2', '"id":3']])
    },
  )

  it('wire: Upgrade with a body, repeated, or after other requests is ignored, and closes the connection', async () => {
    const upgrade = 'Host: localhost\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n'
    const readRequest = `GET /user/1 HTTP/1.1\r\n${upgrade}\r\n`
    const change = `PATCH /user/5 HTTP/1.1\r\n${upgrade}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`
    const plain = 'GET /user/2 HTTP/1.1\r\nHost: localhost\r\n\r\n'
    for (const [bytes, number] of [
      [change, 1],
      [`${readRequest}${readRequest}`, 2],
      [`${plain}${plain}${readRequest}`, 3],
    ] as const) {
      const { head, body } = await exchange(bytes + plain)
      const heads = `${head}\r\n${body}`.toLowerCase()
      expect([heads.match(/http\/1\.1 200/g)?.length, heads.match(/connection: close/g)?.length]).toEqual([number, 1])
    }
  })

  it('wire: headers that are too large are 431', async () => {
    expectWireProblem(await send('GET /user/1 HTTP/1.1', [`X-Large: ${'x'.repeat(100_000)}`]), 'header-too-large')
    expectWireProblem(await send(`GET /user?firstName=${'x'.repeat(100_000)} HTTP/1.1`), 'header-too-large')
    await expectAlive()
  })

  it.each(['/user/\u00e9', '/user?firstName=\u00e9', '/user/1#fragment', '/user\\1', '/user?a=\u00ff'])(
    'wire: raw bytes in a URL cause no failure: %j',
    async (target) => {
      const { status } = await exchange(
        Buffer.from(`GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`, 'latin1'),
      )
      expect([200, 400, 404]).toContain(status)
    },
  )

  it('wire: a URL in absolute form causes no failure', async () => {
    const { status } = await send(`GET http://localhost/user/1 HTTP/1.1`)
    expect([200, 400, 404]).toContain(status)
  })

  it('wire: a path with dots is 404', async () => {
    for (const path of [
      '/user/../department/1',
      '/user/./1',
      '/../user/1',
      '/user/%2e%2e/department/1',
      '/v1/../user/1',
    ]) {
      expect((await send(`GET ${path} HTTP/1.1`)).status).toBe(404)
    }
  })

  it('wire: an incomplete request creates no record', async () => {
    const before = JSON.parse((await send('GET /department HTTP/1.1')).body).pageInfo.numberOfRecords
    const socket = connect(Number(base.port), base.hostname)
    await once(socket, 'connect')
    socket.write(
      'POST /department HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 40\r\n\r\n{"name":"Half',
    )
    socket.destroy()
    await once(socket, 'close')
    expect(JSON.parse((await send('GET /department HTTP/1.1')).body).pageInfo.numberOfRecords).toBe(before)
  })

  it.each(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'])(
    'wire: %s with a media type and no body gets a response on every path',
    async (method) => {
      for (const path of ['/user', '/user/99', '/user/%39%39', '/user/1/preference', '/nothing'])
        for (const headers of [
          ['Content-Type: application/json'],
          ['Content-Type: application/json', 'Content-Length: 0'],
        ]) {
          const { status } = await send(`${method} ${path} HTTP/1.1`, headers)
          expect(status).toBeLessThan(500)
          expect(status).toBeGreaterThan(199)
        }
    },
  )

  it('wire: bytes that are not HTTP after a request are rejected after its response', async () => {
    const body = JSON.stringify({ name: 'Followed by noise' })
    const headers = ['Content-Type: application/json', `Content-Length: ${body.length}`]
    const head = ['POST /department HTTP/1.1', 'Host: localhost', ...headers].join('\r\n')
    const { status, body: rest } = await exchange(`${head}\r\n\r\n${body}noise\r\n\r\n`)
    expect(status).toBe(201)
    expect(rest).toContain('HTTP/1.1 400 ')
    const { results } = JSON.parse((await send('GET /department?name=Followed%20by%20noise HTTP/1.1')).body)
    expect(results).toHaveLength(1)
    await expectAlive()
  })

  it('wire: HEAD has the Content-Length of GET and no body', async () => {
    const getResponse = await send('GET /user/1 HTTP/1.1')
    const headResponse = await send('HEAD /user/1 HTTP/1.1')
    expect(headResponse.body).toBe('')
    expect(headResponse.head).toContain(`content-length: ${Buffer.byteLength(getResponse.body)}`)
  })

  it('wire: the bytes of a transaction ID are returned unchanged with any body', async () => {
    const header = Buffer.from('X-Transaction-Id: Zoë\r\n')
    for (const firstName of ['Zoe', 'Zoë', 'Ζωή']) {
      const body = Buffer.from(JSON.stringify({ firstName }))
      const type = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`
      const response = await exchange('PATCH /user/2 HTTP/1.1\r\nHost: localhost\r\n', header, type, body)
      expect(response.head).toMatch(/^x-transaction-id: zoë$/m)
      expect(JSON.parse(response.body).firstName).toBe(firstName)
      const otherResponse = await send('GET /user/2 HTTP/1.1')
      expect(otherResponse.body).toBe(response.body)
    }
  })

  it('decision loopback: a service on loopback rejects other host names', async () => {
    for (const host of [
      'evil.example',
      'evil.example:3000',
      '10.0.0.1',
      'localhost.evil.example',
      '127.0.0.1.evil.example',
    ]) {
      const response = await exchange(`GET /user/1 HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
      expectWireProblem(response, 'foreign-host')
    }
    for (const host of [
      'localhost',
      `localhost:${base.port}`,
      '127.0.0.1',
      `127.0.0.1:${base.port}`,
      '[::1]',
      'LOCALHOST',
      'directory.localhost',
    ]) {
      expect((await exchange(`GET /user/1 HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)).status, host).toBe(
        200,
      )
    }
  })

  it('decision loopback: a write with another host name changes nothing', async () => {
    const response = await exchange('DELETE /user/2 HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n')
    expect(response.status).toBe(problems['foreign-host'][0])
    expect((await send('GET /user/2 HTTP/1.1')).status).toBe(200)
  })
})
