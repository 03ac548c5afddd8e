// The access log of a real process has one line for every request, always in the same format.
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type AccessEntry, parseLine } from '@nomen/core'
import { beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from './folder.ts'
import { type RunningServer, serve, waitUntil } from './nomen.ts'
import { forAll } from './over.ts'
import { connection, connections, sendRequest } from './send-request.ts'

/** The exact format of spec 9, request logging, rule 2: printable ASCII, escapes in capital letters. */
const linePattern = new RegExp(
  '^' +
    // client address and port
    String.raw`(?:(?:\d{1,3}\.){3}\d{1,3}|\[[\da-f:]+\]):\d{1,5} ` +
    // identity placeholder, user name
    String.raw`- (?:-|(?:[!#-\[\]-~]|\\x[\dA-F]{2})+) ` +
    String.raw`\[(?:0[1-9]|[12]\d|3[01])/(?:0[1-9]|1[0-2])/\d{4}:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d \+0000\] ` +
    // method, path and protocol
    String.raw`"(?:-|[A-Z-]+) (?:-|(?:[!#-\[\]-~]|\\x[\dA-F]{2})+) (?:-|HTTP/\d\.\d)" ` +
    // status and size
    String.raw`[1-5]\d\d (?:0|[1-9]\d*) ` +
    // referrer and user agent
    String.raw`"(?:-|(?:[ !#-\[\]-~]|\\x[\dA-F]{2})+)" "(?:-|(?:[ !#-\[\]-~]|\\x[\dA-F]{2})+)"$`,
)

const onCleanup = forAll()
let sharedServer: RunningServer
let path: string
let base: string
let numberOfLines = 0

beforeAll(async () => {
  path = join(temporaryFolder(onCleanup), 'access.log')
  sharedServer = await serve(['apps/directory', '--database', 'sqlite::memory:', '--access-log', path], {
    environment: { SAMPLE_USERS: '1000' },
    onCleanup,
  })
  base = sharedServer.base
})

/** All lines since the last call, with a checked format. A line is in the file within a second of its request. */
async function newLines(): Promise<AccessEntry[]> {
  const lastPath = `/last-of-${numberOfLines}`
  await sendRequest(base + lastPath)
  const readLog = () => readFileSync(path, 'utf8')
  await waitUntil(() => readLog().includes(`"GET ${lastPath} HTTP/1.1" 404 `), 1000, 'the last line is written')
  const lines = readLog().split('\n')
  expect(lines.pop()).toBe('')
  const addedLines = lines.slice(numberOfLines)
  numberOfLines = lines.length
  const entries = addedLines.map(entryOf)
  expect(entries.pop()?.target).toBe(lastPath)
  return entries
}

/** The only new line. */
async function newLine(): Promise<AccessEntry> {
  const lines = await newLines()
  expect(lines).toHaveLength(1)
  return lines[0] as AccessEntry
}

function entryOf(line: string): AccessEntry {
  expect(line).toMatch(linePattern)
  const entry = parseLine(line)
  expect(entry, line).toBeDefined()
  return entry as AccessEntry
}

describe('the access log', () => {
  it('has a line for every response, with the number of bytes that the client received', async () => {
    const sendAndDescribe = async (
      method: string,
      path: string,
      body?: unknown,
      headers: Record<string, string> = {},
    ) => {
      const { status, bytes, port } = await sendRequest(base + path, { method, body, headers })
      return { method, target: path, status, size: bytes.length, port, address: '127.0.0.1' }
    }
    const expected = [
      await sendAndDescribe('GET', '/user?pageSize=20&sort=-lastName&firstName=Zo%C3%AB&firstName=x%22y'),
      await sendAndDescribe('GET', '/user-detail?pageSize=20', undefined, { 'accept-encoding': 'br' }),
      await sendAndDescribe('GET', '/user-detail?pageSize=20', undefined, { 'accept-encoding': 'gzip' }),
      await sendAndDescribe('GET', '/user-detail?pageSize=20'),
      await sendAndDescribe('HEAD', '/user-detail?pageSize=20'),
      await sendAndDescribe('OPTIONS', '/user'),
      await sendAndDescribe('POST', '/department', { name: 'Zoë' }),
      await sendAndDescribe('PUT', '/department/1', { name: 'x', retired: false }),
      await sendAndDescribe('PATCH', '/user/1', { phone: 'é'.repeat(600) }),
      await sendAndDescribe('PUT', '/v1/user/1/role/1'),
      await sendAndDescribe('DELETE', '/user/20'),
      await sendAndDescribe('DELETE', '/user/20'),
      await sendAndDescribe('GET', '/user/1', undefined, { 'if-none-match': '*' }),
      await sendAndDescribe('PATCH', '/user/1', { phone: '' }, { 'if-match': '"no"' }),
      await sendAndDescribe('GET', '/users'),
      await sendAndDescribe('GET', '/'),
      await sendAndDescribe('GET', '/user?nothing'),
      await sendAndDescribe('GET', '/user/%zz'),
      await sendAndDescribe('DELETE', '/user'),
      await sendAndDescribe('PROPFIND', '/user'),
      await sendAndDescribe('PATCH', '/user/1', '{'),
      await sendAndDescribe('PATCH', '/user/1', 'x', { 'content-type': 'text/plain' }),
      await sendAndDescribe('PATCH', '/user/1', 'x'.repeat(1024 * 1024 + 1)),
      await sendAndDescribe('GET', '/user', undefined, { host: 'example.com' }),
    ]
    expect(expected.map(({ status }) => status)).toEqual([
      200, 200, 200, 200, 200, 204, 201, 200, 200, 200, 200, 404, 304, 412, 404, 404, 400, 400, 405, 501, 400, 415, 413,
      403,
    ])
    const lines = await newLines()
    expect(
      lines.map(({ method, target, status, size, port, address }) => ({ method, target, status, size, port, address })),
    ).toEqual(expected)
    expect(lines.map(({ protocol, user }) => [protocol, user])).toEqual(lines.map(() => ['HTTP/1.1', undefined]))
    const sizes = expected.slice(1, 4).map(({ size }) => size)
    expect(sizes[0]).toBeLessThan(sizes[2] ?? 0)
    expect(sizes[1]).toBeLessThan(sizes[2] ?? 0)
  })

  it('has the time of the request, its referrer and its user agent, and no line can be forged', async () => {
    const before = Math.floor(Date.now() / 1000) * 1000
    const forged = 'x"\t200 1 "-" \\ "-é'
    // Non-ASCII headers are UTF-8.
    const bytes = Buffer.from(forged).toString('latin1')
    await sendRequest(`${base}/user/1`, {
      headers: { referer: 'http://localhost/a b', 'user-agent': 'billing/2.1 (linux)' },
    })
    await sendRequest(`${base}/user/1`, { headers: { referer: '-', 'user-agent': bytes } })
    const lines = await newLines()
    expect(lines).toMatchObject([
      { referrer: 'http://localhost/a b', userAgent: 'billing/2.1 (linux)' },
      { referrer: '-', userAgent: forged },
    ])
    for (const { time } of lines) {
      expect(time).toBeGreaterThanOrEqual(before)
      expect(time).toBeLessThanOrEqual(Date.now())
    }
  })

  it('has every line of many clients at once', async () => {
    const agent = connections(20)
    const options = await Promise.all(
      Array.from({ length: 400 }, async (_, index) => {
        const target = index % 3 ? `/user/${index}` : `/user?pageSize=${index + 1}`
        const { status, bytes, port } = await sendRequest(base + target, { agent })
        return `${port} ${target} ${status} ${bytes.length}`
      }),
    )
    const lines = await newLines()
    const loggedRequests = lines.map(({ port, target, status, size }) => `${port} ${target} ${status} ${size}`)
    expect(loggedRequests.sort()).toEqual(options.sort())
  })

  it('has pipelined requests of one connection', async () => {
    const client = await connection(sharedServer.port)
    const requestEnd = ' HTTP/1.1\r\nHost: localhost\r\n'
    client.socket.write(
      `GET /user/1${requestEnd}\r\nGET /user/9999${requestEnd}\r\nHEAD /user${requestEnd}Connection: close\r\n\r\n`,
    )
    await client.closed
    const lines = await newLines()
    expect(lines.map(({ target, status, port }) => [target, status, port])).toEqual([
      ['/user/1', 200, client.port],
      ['/user/9999', 404, client.port],
      ['/user', 200, client.port],
    ])
  })
})

/** The status and the body size of a response in HTTP/1.1. */
function statusAndSize(text: string): { status: number; size: number } {
  const head = text.slice(0, text.indexOf('\r\n\r\n'))
  expect(head).toMatch(/\r\ncontent-type: application\/problem\+json/i)
  return {
    status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]),
    size: Buffer.byteLength(text.slice(head.length + 4)),
  }
}

const host = 'Host: localhost\r\n'
const json = `${host}Content-Type: application/json\r\n`

describe('the access log has one line for an incomplete request:', () => {
  it.each([
    ['no HTTP at all', 'nonsense\r\n\r\n', 400],
    ['bytes', '\u0000\u0001\u0002\r\n\r\n', 400],
    ['an unknown method', `FOO /user HTTP/1.1\r\n${host}\r\n`, 400],
    ['headers that are too large', `GET /user HTTP/1.1\r\n${host}X: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['two lengths', `POST /user HTTP/1.1\r\n${host}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`, 400],
  ])('%s', async (_, text, status) => {
    const client = await connection(sharedServer.port)
    client.socket.write(text)
    await client.closed
    const response = statusAndSize(client.received())
    expect(response.status).toBe(status)
    expect(await newLine()).toMatchObject({ ...response, address: '127.0.0.1', port: client.port })
  })

  it.each([
    ['no Host', 'POST /user HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['an expectation', `POST /user HTTP/1.1\r\n${host}Connection: close\r\nExpect: wonders\r\n\r\n`],
    ['a chunk without a size', `POST /user HTTP/1.1\r\n${json}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n`],
  ])('a request with %s, logged with its path', async (_, text) => {
    const client = await connection(sharedServer.port)
    client.socket.write(text)
    await client.closed
    const response = statusAndSize(client.received())
    expect(response.status).toBeGreaterThanOrEqual(400)
    const lines = await newLines()
    expect(lines).toMatchObject([{ method: 'POST', target: '/user', ...response, port: client.port }])
  })

  it('a request to open a tunnel', async () => {
    const client = await connection(sharedServer.port)
    client.socket.write(`CONNECT example.com:443 HTTP/1.1\r\n${host}\r\n`)
    await client.closed
    expect(await newLines()).toMatchObject([{ method: 'CONNECT', address: '127.0.0.1', port: client.port }])
  })

  it('a client that disconnects while it sends its body', async () => {
    const client = await connection(sharedServer.port)
    client.socket.write(`POST /department HTTP/1.1\r\n${json}Content-Length: 200\r\n\r\n{"name":`)
    await pause(100)
    client.socket.destroy()
    await pause(100)
    const entry = await newLine()
    expect(entry).toMatchObject({ method: 'POST', target: '/department', address: '127.0.0.1', port: client.port })
    expect([400, 499]).toContain(entry.status)
  })

  it('a client that ends its body early and waits for the response', async () => {
    const client = await connection(sharedServer.port)
    client.socket.end(`POST /department HTTP/1.1\r\n${json}Content-Length: 200\r\n\r\n{"name":`)
    await client.closed
    const expected = { method: 'POST', target: '/department', ...statusAndSize(client.received()), port: client.port }
    expect(await newLine()).toMatchObject(expected)
  })

  it('a client that disconnects while it sends its headers', async () => {
    const client = await connection(sharedServer.port)
    client.socket.write('GET /user HTTP/1.1\r\nHost: loc')
    await pause(100)
    client.socket.destroy()
    await pause(100)
    expect(await newLine()).toMatchObject({ status: 400, address: '127.0.0.1', port: client.port })
  })

  it('a client that disconnects during the response', async () => {
    const agent = connections(4)
    const body = { phone: 'x'.repeat(1_000_000) }
    await Promise.all(
      Array.from({ length: 16 }, (_, index) =>
        sendRequest(`${base}/user/${index + 1}`, { method: 'PATCH', body, agent }),
      ),
    )
    expect(await newLines()).toHaveLength(16)
    const client = await connection(sharedServer.port)
    client.socket.once('data', () => client.socket.destroy())
    client.socket.write(`GET /user-detail?pageSize=16 HTTP/1.1\r\n${host}\r\n`)
    await client.closed
    await pause(100)
    const target = '/user-detail?pageSize=16'
    expect(await newLine()).toMatchObject({ method: 'GET', target, address: '127.0.0.1', port: client.port })
  })

  it('but no line for a connection without a request', async () => {
    const silent = await connection(sharedServer.port)
    silent.socket.end()
    await silent.closed
    await sendRequest(`${base}/user/1`)
    expect((await newLine()).target).toBe('/user/1')
  })
})

describe('--access-log', () => {
  it('- writes the lines to standard output, after the messages of the command', async () => {
    const server = await serve(['apps/directory', '--database', 'sqlite::memory:', '--access-log', '-'], {
      environment: { SAMPLE_USERS: '1' },
    })
    expect(server.stdout()).toContain('access log  standard output')
    const welcome = server.stdout().length
    await sendRequest(`${server.base}/user/1`)
    await sendRequest(`${server.base}/nothing`)
    await waitUntil(() => server.stdout().split('\n').length >= 8, 1000, 'both lines are written')
    server.kill('SIGTERM')
    const { code, output } = await server.exit
    expect(code).toBe(0)
    const lines = output.slice(welcome).split('\n')
    expect(lines.pop()).toBe('')
    expect(lines.map((line) => entryOf(line).target)).toEqual(['/user/1', '/nothing'])
  })

  it('reports a log file that cannot be written, and keeps serving', async () => {
    const path = join(temporaryFolder(), 'taken')
    mkdirSync(path)
    const server = await serve(['apps/directory', '--database', 'sqlite::memory:', '--access-log', path], {
      environment: { SAMPLE_USERS: '1' },
    })
    expect((await sendRequest(`${server.base}/user/1`)).status).toBe(200)
    await waitUntil(() => server.stderr() !== '', 1000, 'the error is reported')
    expect(server.stderr()).toContain(`The access log ${path} cannot be written. The service continues without it.`)
    await pause(700)
    expect((await sendRequest(`${server.base}/user/1`)).status).toBe(200)
    expect(server.stderr().match(/cannot be written/g)).toHaveLength(1)
    server.kill('SIGTERM')
    expect((await server.exit).code).toBe(0)
  })

  it('creates the folder of the file if it does not exist', async () => {
    const path = join(temporaryFolder(), 'a/b/access.log')
    const server = await serve(['apps/directory', '--database', 'sqlite::memory:', '--access-log', path], {
      environment: { SAMPLE_USERS: '1' },
    })
    expect((await sendRequest(`${server.base}/user/1`)).status).toBe(200)
    await waitUntil(() => existsSync(path) && readFileSync(path, 'utf8').endsWith('\n'), 1000, 'the line is written')
    entryOf(readFileSync(path, 'utf8').trimEnd())
  })
})
