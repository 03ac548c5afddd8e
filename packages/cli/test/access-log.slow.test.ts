// The access log of the real process: one line for every request, in the one shape, whatever the request was.
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type AccessEntry, parseLine } from '@nomen/core'
import { beforeAll, describe, expect, it } from 'vitest'
import { ask, connection, connections } from './ask.ts'
import { temporaryFolder } from './folder.ts'
import { type Served, serve, until } from './nomen.ts'
import { forAll } from './over.ts'

/** Spec 9, request logging, rule 2, and nothing more: printable ASCII, escapes in capitals. */
const shape = new RegExp(
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

const over = forAll()
let served: Served
let path: string
let base: string
let numberOfLines = 0

beforeAll(async () => {
  path = join(temporaryFolder(over), 'access.log')
  served = await serve(['apps/directory', '--database', 'sqlite::memory:', '--access-log', path], {
    environment: { SAMPLE_USERS: '1000' },
    over,
  })
  base = served.base
})

/** All lines since the last time, in the one shape; a line is in the file within a second of its request. */
async function newLines(): Promise<AccessEntry[]> {
  const last = `/last-of-${numberOfLines}`
  await ask(base + last)
  const written = () => readFileSync(path, 'utf8')
  await until(() => written().includes(`"GET ${last} HTTP/1.1" 404 `), 1000, 'the last line is there')
  const lines = written().split('\n')
  expect(lines.pop()).toBe('')
  const fresh = lines.slice(numberOfLines)
  numberOfLines = lines.length
  const found = fresh.map(entryOf)
  expect(found.pop()?.target).toBe(last)
  return found
}

/** The one new line. */
async function newLine(): Promise<AccessEntry> {
  const found = await newLines()
  expect(found).toHaveLength(1)
  return found[0] as AccessEntry
}

function entryOf(line: string): AccessEntry {
  expect(line).toMatch(shape)
  const entry = parseLine(line)
  expect(entry, line).toBeDefined()
  return entry as AccessEntry
}

describe('the access log', () => {
  it('has a line for every request that is answered, with the bytes that the client got', async () => {
    const asked = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
      const { status, bytes, port } = await ask(base + path, { method, body, headers })
      return { method, target: path, status, size: bytes.length, port, address: '127.0.0.1' }
    }
    const expected = [
      await asked('GET', '/user?pageSize=20&sort=-lastName&firstName=Zo%C3%AB&firstName=x%22y'),
      await asked('GET', '/user-detail?pageSize=20', undefined, { 'accept-encoding': 'br' }),
      await asked('GET', '/user-detail?pageSize=20', undefined, { 'accept-encoding': 'gzip' }),
      await asked('GET', '/user-detail?pageSize=20'),
      await asked('HEAD', '/user-detail?pageSize=20'),
      await asked('OPTIONS', '/user'),
      await asked('POST', '/department', { name: 'Zoë' }),
      await asked('PUT', '/department/1', { name: 'x', retired: false }),
      await asked('PATCH', '/user/1', { phone: 'é'.repeat(600) }),
      await asked('PUT', '/v1/user/1/role/1'),
      await asked('DELETE', '/user/20'),
      await asked('DELETE', '/user/20'),
      await asked('GET', '/user/1', undefined, { 'if-none-match': '*' }),
      await asked('PATCH', '/user/1', { phone: '' }, { 'if-match': '"no"' }),
      await asked('GET', '/users'),
      await asked('GET', '/'),
      await asked('GET', '/user?nothing'),
      await asked('GET', '/user/%zz'),
      await asked('DELETE', '/user'),
      await asked('PROPFIND', '/user'),
      await asked('PATCH', '/user/1', '{'),
      await asked('PATCH', '/user/1', 'x', { 'content-type': 'text/plain' }),
      await asked('PATCH', '/user/1', 'x'.repeat(1024 * 1024 + 1)),
      await asked('GET', '/user', undefined, { host: 'example.com' }),
    ]
    expect(expected.map(({ status }) => status)).toEqual([
      200, 200, 200, 200, 200, 204, 201, 200, 200, 200, 200, 404, 304, 412, 404, 404, 400, 400, 405, 501, 400, 415, 413,
      403,
    ])
    const found = await newLines()
    expect(
      found.map(({ method, target, status, size, port, address }) => ({ method, target, status, size, port, address })),
    ).toEqual(expected)
    expect(found.map(({ protocol, user }) => [protocol, user])).toEqual(found.map(() => ['HTTP/1.1', undefined]))
    const sizes = expected.slice(1, 4).map(({ size }) => size)
    expect(sizes[0]).toBeLessThan(sizes[2] ?? 0)
    expect(sizes[1]).toBeLessThan(sizes[2] ?? 0)
  })

  it('has the time of the request, its referrer and its user agent, and no line can be forged', async () => {
    const before = Math.floor(Date.now() / 1000) * 1000
    const forged = 'x"\t200 1 "-" \\ "-é'
    // what a client sends beyond ASCII is UTF-8
    const bytes = Buffer.from(forged).toString('latin1')
    await ask(`${base}/user/1`, { headers: { referer: 'http://localhost/a b', 'user-agent': 'billing/2.1 (linux)' } })
    await ask(`${base}/user/1`, { headers: { referer: '-', 'user-agent': bytes } })
    const found = await newLines()
    expect(found).toMatchObject([
      { referrer: 'http://localhost/a b', userAgent: 'billing/2.1 (linux)' },
      { referrer: '-', userAgent: forged },
    ])
    for (const { time } of found) {
      expect(time).toBeGreaterThanOrEqual(before)
      expect(time).toBeLessThanOrEqual(Date.now())
    }
  })

  it('has every line of many clients at once', async () => {
    const agent = connections(20)
    const asked = await Promise.all(
      Array.from({ length: 400 }, async (_, at) => {
        const target = at % 3 ? `/user/${at}` : `/user?pageSize=${at + 1}`
        const { status, bytes, port } = await ask(base + target, { agent })
        return `${port} ${target} ${status} ${bytes.length}`
      }),
    )
    const found = await newLines()
    const named = found.map(({ port, target, status, size }) => `${port} ${target} ${status} ${size}`)
    expect(named.sort()).toEqual(asked.sort())
  })

  it('has the requests of one connection that were sent before their answers', async () => {
    const sent = await connection(served.port)
    const rest = ' HTTP/1.1\r\nHost: localhost\r\n'
    sent.socket.write(`GET /user/1${rest}\r\nGET /user/9999${rest}\r\nHEAD /user${rest}Connection: close\r\n\r\n`)
    await sent.closed
    const found = await newLines()
    expect(found.map(({ target, status, port: own }) => [target, status, own])).toEqual([
      ['/user/1', 200, sent.port],
      ['/user/9999', 404, sent.port],
      ['/user', 200, sent.port],
    ])
  })
})

/** Status and size of an answer read from the wire. */
function answerOf(heard: string): { status: number; size: number } {
  const head = heard.slice(0, heard.indexOf('\r\n\r\n'))
  expect(head).toMatch(/\r\ncontent-type: application\/problem\+json/i)
  return {
    status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]),
    size: Buffer.byteLength(heard.slice(head.length + 4)),
  }
}

const host = 'Host: localhost\r\n'
const json = `${host}Content-Type: application/json\r\n`

describe('the access log, of what is no whole request, has one line:', () => {
  it.each([
    ['no HTTP at all', 'nonsense\r\n\r\n', 400],
    ['bytes', '\u0000\u0001\u0002\r\n\r\n', 400],
    ['an unknown method', `FOO /user HTTP/1.1\r\n${host}\r\n`, 400],
    ['headers that are too large', `GET /user HTTP/1.1\r\n${host}X: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['two lengths', `POST /user HTTP/1.1\r\n${host}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`, 400],
  ])('%s', async (_, text, status) => {
    const sent = await connection(served.port)
    sent.socket.write(text)
    await sent.closed
    const answer = answerOf(sent.heard())
    expect(answer.status).toBe(status)
    expect(await newLine()).toMatchObject({ ...answer, address: '127.0.0.1', port: sent.port })
  })

  it.each([
    ['no Host', 'POST /user HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['an expectation', `POST /user HTTP/1.1\r\n${host}Connection: close\r\nExpect: wonders\r\n\r\n`],
    ['a chunk without a size', `POST /user HTTP/1.1\r\n${json}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n`],
  ])('a request with %s, known by its path', async (_, text) => {
    const sent = await connection(served.port)
    sent.socket.write(text)
    await sent.closed
    const answer = answerOf(sent.heard())
    expect(answer.status).toBeGreaterThanOrEqual(400)
    const found = await newLines()
    expect(found).toMatchObject([{ method: 'POST', target: '/user', ...answer, port: sent.port }])
  })

  it('a request to open a tunnel', async () => {
    const sent = await connection(served.port)
    sent.socket.write(`CONNECT example.com:443 HTTP/1.1\r\n${host}\r\n`)
    await sent.closed
    expect(await newLines()).toMatchObject([{ method: 'CONNECT', address: '127.0.0.1', port: sent.port }])
  })

  it('a client that leaves in the middle of its body', async () => {
    const sent = await connection(served.port)
    sent.socket.write(`POST /department HTTP/1.1\r\n${json}Content-Length: 200\r\n\r\n{"name":`)
    await pause(100)
    sent.socket.destroy()
    await pause(100)
    const entry = await newLine()
    expect(entry).toMatchObject({ method: 'POST', target: '/department', address: '127.0.0.1', port: sent.port })
    expect([400, 499]).toContain(entry.status)
  })

  it('a client that ends in the middle of its body and waits for the answer', async () => {
    const sent = await connection(served.port)
    sent.socket.end(`POST /department HTTP/1.1\r\n${json}Content-Length: 200\r\n\r\n{"name":`)
    await sent.closed
    const expected = { method: 'POST', target: '/department', ...answerOf(sent.heard()), port: sent.port }
    expect(await newLine()).toMatchObject(expected)
  })

  it('a client that leaves in the middle of its headers', async () => {
    const sent = await connection(served.port)
    sent.socket.write('GET /user HTTP/1.1\r\nHost: loc')
    await pause(100)
    sent.socket.destroy()
    await pause(100)
    expect(await newLine()).toMatchObject({ status: 400, address: '127.0.0.1', port: sent.port })
  })

  it('a client that leaves in the middle of its answer', async () => {
    const agent = connections(4)
    const body = { phone: 'x'.repeat(1_000_000) }
    await Promise.all(
      Array.from({ length: 16 }, (_, at) => ask(`${base}/user/${at + 1}`, { method: 'PATCH', body, agent })),
    )
    expect(await newLines()).toHaveLength(16)
    const sent = await connection(served.port)
    sent.socket.once('data', () => sent.socket.destroy())
    sent.socket.write(`GET /user-detail?pageSize=16 HTTP/1.1\r\n${host}\r\n`)
    await sent.closed
    await pause(100)
    const target = '/user-detail?pageSize=16'
    expect(await newLine()).toMatchObject({ method: 'GET', target, address: '127.0.0.1', port: sent.port })
  })

  it('and none of a connection that says nothing', async () => {
    const silent = await connection(served.port)
    silent.socket.end()
    await silent.closed
    await ask(`${base}/user/1`)
    expect((await newLine()).target).toBe('/user/1')
  })
})

describe('--access-log', () => {
  it('- writes the lines to standard output, below what the command says itself', async () => {
    const served = await serve(['apps/directory', '--database', 'sqlite::memory:', '--access-log', '-'], {
      environment: { SAMPLE_USERS: '1' },
    })
    expect(served.said()).toContain('access log  standard output')
    const welcome = served.said().length
    await ask(`${served.base}/user/1`)
    await ask(`${served.base}/nothing`)
    await until(() => served.said().split('\n').length >= 8, 1000, 'both lines are there')
    served.kill('SIGTERM')
    const { code, output } = await served.ended
    expect(code).toBe(0)
    const lines = output.slice(welcome).split('\n')
    expect(lines.pop()).toBe('')
    expect(lines.map((line) => entryOf(line).target)).toEqual(['/user/1', '/nothing'])
  })

  it('a path that cannot be written is told and does not stop the service', async () => {
    const path = join(temporaryFolder(), 'taken')
    mkdirSync(path)
    const served = await serve(['apps/directory', '--database', 'sqlite::memory:', '--access-log', path], {
      environment: { SAMPLE_USERS: '1' },
    })
    expect((await ask(`${served.base}/user/1`)).status).toBe(200)
    await until(() => served.complained() !== '', 1000, 'it is told')
    expect(served.complained()).toContain(`The access log ${path} cannot be written. The service goes on.`)
    await pause(700)
    expect((await ask(`${served.base}/user/1`)).status).toBe(200)
    expect(served.complained().match(/cannot be written/g)).toHaveLength(1)
    served.kill('SIGTERM')
    expect((await served.ended).code).toBe(0)
  })

  it('a file in a folder that is not there makes the folder', async () => {
    const path = join(temporaryFolder(), 'a/b/access.log')
    const served = await serve(['apps/directory', '--database', 'sqlite::memory:', '--access-log', path], {
      environment: { SAMPLE_USERS: '1' },
    })
    expect((await ask(`${served.base}/user/1`)).status).toBe(200)
    await until(() => existsSync(path) && readFileSync(path, 'utf8').endsWith('\n'), 1000, 'the line is there')
    entryOf(readFileSync(path, 'utf8').trimEnd())
  })
})
