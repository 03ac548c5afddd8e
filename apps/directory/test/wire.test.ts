// Requests as bytes on a connection: what cannot be asked in process, and what is no HTTP at all.
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

/** Sends the bytes and reads until the server closes, as it is asked to. */
async function exchange(...parts: (string | Buffer)[]): Promise<Raw> {
  const socket = connect(Number(base.port), base.hostname)
  await once(socket, 'connect')
  expect((socket.address() as AddressInfo).port).toBeGreaterThan(0)
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  // a server that has answered may reset what is still being sent
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

const ask = (line: string, headers: readonly string[] = [], body: string | Buffer = '') =>
  exchange(
    `${line}\r\nHost: localhost\r\nConnection: close\r\n${headers.map((header) => `${header}\r\n`).join('')}\r\n`,
    body,
  )

function expectWireProblem({ status, head, body }: Raw, ...codes: Problem['code'][]): void {
  const problem = JSON.parse(body) as Problem
  expect(codes).toContain(problem.code)
  expectProblemDocument(problem, status, /^content-type: (.*)$/m.exec(head)?.[1])
}

/** The service goes on answering. */
const expectAlive = async () => expect((await ask('GET /user/1 HTTP/1.1')).status).toBe(200)

describe('on the wire', () => {
  it('wire: OPTIONS of a star tells what the service as a whole allows, and a star is nothing else', async () => {
    const { status, head, body } = await ask('OPTIONS * HTTP/1.1')
    expect([status, body]).toEqual([204, ''])
    expect(head).toContain('\r\nallow: delete, get, head, options, patch, post, put\r\n')
    expectWireProblem(await ask('GET * HTTP/1.1'), 'path-not-found')
  })

  it('wire: a plain request is answered', async () => {
    const { status, head, body } = await ask('GET /user/1 HTTP/1.1')
    expect(status).toBe(200)
    expect(head).toMatch(/^x-request-id: \S+$/m)
    expect(JSON.parse(body)).toMatchObject({ id: 1 })
  })

  it.each([
    ['a length', ['Content-Length: 2', 'Content-Type: application/json'], '{}'],
    ['chunks', ['Transfer-Encoding: chunked', 'Content-Type: application/json'], '2\r\n{}\r\n0\r\n\r\n'],
    ['a length and no type', ['Content-Length: 2'], '{}'],
    ['chunks and no type', ['Transfer-Encoding: chunked'], '2\r\n{}\r\n0\r\n\r\n'],
  ])('wire: GET with a body by %s is refused', async (_how, headers, body) => {
    expectWireProblem(await ask('GET /user HTTP/1.1', headers, body), 'body-not-allowed')
    expectWireProblem(await ask('GET /user/1 HTTP/1.1', headers, body), 'body-not-allowed')
  })

  it('wire: GET with a length of 0 is no GET with a body', async () => {
    expect((await ask('GET /user/1 HTTP/1.1', ['Content-Length: 0'])).status).toBe(200)
  })

  it('wire: a body in chunks over 1 MiB is 413', async () => {
    const chunk = `${(64 * 1024).toString(16)}\r\n${'x'.repeat(64 * 1024)}\r\n`
    const body = `${chunk.repeat(17)}0\r\n\r\n`
    const answer = await ask(
      'PATCH /user/1 HTTP/1.1',
      ['Transfer-Encoding: chunked', 'Content-Type: application/json'],
      body,
    )
    expectWireProblem(answer, 'body-too-large')
    await expectAlive()
  })

  it('wire: a body that is announced over 1 MiB is 413 before it is sent', async () => {
    const answer = await ask('PATCH /user/1 HTTP/1.1', [
      'Content-Length: 99999999999',
      'Content-Type: application/json',
    ])
    expectWireProblem(answer, 'body-too-large')
  })

  it.each([
    ['a length', 'Content-Length: 99999999', ''],
    ['chunks', 'Transfer-Encoding: chunked', `200000\r\n${'x'.repeat(2 ** 21)}\r\n`],
  ])('wire: a connection on which too much comes by %s is closed behind the answer', async (_how, header, body) => {
    const answer = await exchange(
      `PATCH /user/1 HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${header}\r\n\r\n`,
      body,
    )
    expectWireProblem(answer, 'body-too-large')
    expect(answer.head).toContain('connection: close')
  })

  it('wire: a body in chunks is read whole', async () => {
    const body = '8\r\n{"phone"\r\n5\r\n:"7"}\r\n0\r\n\r\n'
    const answer = await ask(
      'PATCH /user/5 HTTP/1.1',
      ['Transfer-Encoding: chunked', 'Content-Type: application/json'],
      body,
    )
    expect([answer.status, JSON.parse(answer.body).phone]).toEqual([200, '7'])
  })

  it.each(['TRACE', 'PROPFIND', 'LOCK', 'SEARCH', 'PURGE', 'REPORT', 'M-SEARCH', 'SUBSCRIBE', 'QUERY'])(
    'wire: %s is 405 or 501',
    async (method) => {
      for (const path of ['/user', '/user/1', '/nothing']) {
        expectWireProblem(
          await ask(`${method} ${path} HTTP/1.1`),
          'method-not-allowed',
          'unknown-method',
          'path-not-found',
        )
      }
      expect([405, 501]).toContain((await ask(`${method} /user/1 HTTP/1.1`)).status)
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
  ])('wire: what is no HTTP gets a problem all the same: %j', async (line) => {
    expectWireProblem(await ask(line), 'bad-request', 'unknown-method', 'malformed-url', 'unsupported-http-version')
    await expectAlive()
  })

  it.each([
    ['two lengths', ['Content-Length: 2', 'Content-Length: 3']],
    ['a length and chunks', ['Content-Length: 2', 'Transfer-Encoding: chunked']],
    ['a length that is no number', ['Content-Length: x']],
    ['chunks in chunks', ['Transfer-Encoding: chunked, chunked']],
    ['chunks that something else is done with', ['Transfer-Encoding: chunked, gzip']],
    ['a header without a name', [': x']],
    ['a header with a space in its name', ['A b: x']],
  ])('wire: %s are refused', async (_what, headers) => {
    expectWireProblem(
      await ask('POST /user HTTP/1.1', [...headers, 'Content-Type: application/json'], '{}'),
      'bad-request',
    )
    await expectAlive()
  })

  it('wire: a request without a host is refused with a problem', async () => {
    expectWireProblem(
      await exchange('GET /user/1 HTTP/1.1\r\nConnection: close\r\n\r\n'),
      'bad-request',
      'foreign-host',
    )
    await expectAlive()
  })

  it('wire: two hosts are 400, equal or not, whichever path they are for', async () => {
    for (const path of ['/user/1', '/user/%31', '/nothing', '/health/live', '/openapi.json'])
      for (const host of ['localhost', 'evil.example'])
        expectWireProblem(await ask(`GET ${path} HTTP/1.1`, [`hOST: ${host}`]), 'bad-request')
    await expectAlive()
  })

  it.each(['gzip, chunked', 'identity, chunked', 'x-other, chunked'])(
    'wire: a body in the coding %s is 501, and the connection is closed',
    async (coding) => {
      for (const path of ['/user/5', '/user/%35']) {
        const answer = await exchange(
          `PATCH ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: ${coding}\r\n\r\n`,
          '9\r\n{"phone":"8"}\r\n0\r\n\r\n',
        )
        expectWireProblem(answer, 'unsupported-transfer-encoding')
        expect(answer.head).toContain('connection: close')
      }
      expect(JSON.parse((await ask('GET /user/5 HTTP/1.1')).body).phone).not.toBe('8')
    },
  )

  it.each(['chunked', 'CHUNKED', ' chunked '])('wire: a body in the coding %j is read', async (coding) => {
    const headers = ['Content-Type: application/json', `Transfer-Encoding: ${coding}`]
    expect((await ask('PATCH /user/5 HTTP/1.1', headers, '2\r\n{}\r\n0\r\n\r\n')).status).toBe(200)
  })

  it.each(['0.9', '2.0', '9.9', '1.2', '3.0'])('wire: version %s of HTTP is 505', async (version) => {
    for (const path of ['/user/1', '/user/%31', '/health/live'])
      expectWireProblem(await ask(`GET ${path} HTTP/${version}`), 'unsupported-http-version')
    await expectAlive()
  })

  it('wire: HTTP/1.0 is served, but not with a body in chunks', async () => {
    expect((await exchange('GET /user/1 HTTP/1.0\r\n\r\n')).status).toBe(200)
    const headers = ['Content-Type: application/json', 'Transfer-Encoding: chunked']
    expectWireProblem(await ask('PATCH /user/5 HTTP/1.0', headers, '2\r\n{}\r\n0\r\n\r\n'), 'bad-request')
  })

  it('wire: GET with a body that is too large is refused as one with any body, and the connection is closed', async () => {
    for (const path of ['/user', '/user/1', '/user/%31']) {
      const answer = await exchange(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999\r\n\r\n`)
      expectWireProblem(answer, 'body-not-allowed')
      expect(answer.head).toContain('connection: close')
    }
  })

  it.each(['h2c', 'websocket'])('wire: Upgrade: %s is ignored, and a request behind it is served', async (protocol) => {
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
  })

  it('wire: Upgrade with a body, again, or behind other requests is ignored, and closes the connection', async () => {
    const upgrade = 'Host: localhost\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n'
    const read = `GET /user/1 HTTP/1.1\r\n${upgrade}\r\n`
    const change = `PATCH /user/5 HTTP/1.1\r\n${upgrade}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`
    const plain = 'GET /user/2 HTTP/1.1\r\nHost: localhost\r\n\r\n'
    for (const [sent, number] of [
      [change, 1],
      [`${read}${read}`, 2],
      [`${plain}${plain}${read}`, 3],
    ] as const) {
      const { head, body } = await exchange(sent + plain)
      const heads = `${head}\r\n${body}`.toLowerCase()
      expect([heads.match(/http\/1\.1 200/g)?.length, heads.match(/connection: close/g)?.length]).toEqual([number, 1])
    }
  })

  it('wire: headers that are too large are 431', async () => {
    expectWireProblem(await ask('GET /user/1 HTTP/1.1', [`X-Large: ${'x'.repeat(100_000)}`]), 'header-too-large')
    expectWireProblem(await ask(`GET /user?firstName=${'x'.repeat(100_000)} HTTP/1.1`), 'header-too-large')
    await expectAlive()
  })

  it.each(['/user/\u00e9', '/user?firstName=\u00e9', '/user/1#fragment', '/user\\1', '/user?a=\u00ff'])(
    'wire: raw bytes in an address are no failure: %j',
    async (target) => {
      const { status } = await exchange(
        Buffer.from(`GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`, 'latin1'),
      )
      expect([200, 400, 404]).toContain(status)
    },
  )

  it('wire: an address in absolute form is no failure', async () => {
    const { status } = await ask(`GET http://localhost/user/1 HTTP/1.1`)
    expect([200, 400, 404]).toContain(status)
  })

  it('wire: dots in a path are no way out', async () => {
    for (const path of [
      '/user/../department/1',
      '/user/./1',
      '/../user/1',
      '/user/%2e%2e/department/1',
      '/v1/../user/1',
    ]) {
      expect((await ask(`GET ${path} HTTP/1.1`)).status).toBe(404)
    }
  })

  it('wire: a request that breaks off makes nothing', async () => {
    const before = JSON.parse((await ask('GET /department HTTP/1.1')).body).pageInfo.numberOfRecords
    const socket = connect(Number(base.port), base.hostname)
    await once(socket, 'connect')
    socket.write(
      'POST /department HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 40\r\n\r\n{"name":"Half',
    )
    socket.destroy()
    await once(socket, 'close')
    expect(JSON.parse((await ask('GET /department HTTP/1.1')).body).pageInfo.numberOfRecords).toBe(before)
  })

  it.each(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'])(
    'wire: %s with a media type and no body is answered, whatever is there',
    async (method) => {
      for (const path of ['/user', '/user/99', '/user/%39%39', '/user/1/preference', '/nothing'])
        for (const headers of [
          ['Content-Type: application/json'],
          ['Content-Type: application/json', 'Content-Length: 0'],
        ]) {
          const { status } = await ask(`${method} ${path} HTTP/1.1`, headers)
          expect(status).toBeLessThan(500)
          expect(status).toBeGreaterThan(199)
        }
    },
  )

  it('wire: what is no HTTP behind a whole request is refused after that has its answer', async () => {
    const body = JSON.stringify({ name: 'Followed by noise' })
    const headers = ['Content-Type: application/json', `Content-Length: ${body.length}`]
    const head = ['POST /department HTTP/1.1', 'Host: localhost', ...headers].join('\r\n')
    const { status, body: rest } = await exchange(`${head}\r\n\r\n${body}noise\r\n\r\n`)
    expect(status).toBe(201)
    expect(rest).toContain('HTTP/1.1 400 ')
    const { results } = JSON.parse((await ask('GET /department?name=Followed%20by%20noise HTTP/1.1')).body)
    expect(results).toHaveLength(1)
    await expectAlive()
  })

  it('wire: HEAD has the length of GET and no body', async () => {
    const whole = await ask('GET /user/1 HTTP/1.1')
    const bare = await ask('HEAD /user/1 HTTP/1.1')
    expect(bare.body).toBe('')
    expect(bare.head).toContain(`content-length: ${Buffer.byteLength(whole.body)}`)
  })

  it('wire: a transaction id goes back byte by byte, whatever is in the body', async () => {
    const given = Buffer.from('X-Transaction-Id: Zoë\r\n')
    for (const firstName of ['Zoe', 'Zoë', 'Ζωή']) {
      const body = Buffer.from(JSON.stringify({ firstName }))
      const type = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`
      const answer = await exchange('PATCH /user/2 HTTP/1.1\r\nHost: localhost\r\n', given, type, body)
      expect(answer.head).toMatch(/^x-transaction-id: zoë$/m)
      expect(JSON.parse(answer.body).firstName).toBe(firstName)
      const bare = await ask('GET /user/2 HTTP/1.1')
      expect(bare.body).toBe(answer.body)
    }
  })

  it('decision loopback: where only this machine is served, another host name is refused', async () => {
    for (const host of [
      'evil.example',
      'evil.example:3000',
      '10.0.0.1',
      'localhost.evil.example',
      '127.0.0.1.evil.example',
    ]) {
      const answer = await exchange(`GET /user/1 HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
      expectWireProblem(answer, 'foreign-host')
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

  it('decision loopback: another host name changes nothing', async () => {
    const answer = await exchange('DELETE /user/2 HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n')
    expect(answer.status).toBe(problems['foreign-host'][0])
    expect((await ask('GET /user/2 HTTP/1.1')).status).toBe(200)
  })
})
