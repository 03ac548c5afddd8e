// Clients that are slow or send too much: each gets a problem, and others are not affected.

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { identity, noun, resource, text } from '@nomen/core'
import { open } from '@nomen/server'
import { inject } from '@nomen/testing/inject'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { plainApi, serviceOf } from './test-service.ts'

const note = noun('note', { id: identity(), title: text(), words: text().default('') })
const notes = serviceOf([plainApi(resource(note, { pageSize: { default: 10, maximum: 1000 } }))])

let app: Awaited<ReturnType<typeof open>>
let base: URL

beforeAll(async () => {
  const timeouts = { headMs: 200, requestMs: 600, idleMs: 800 }
  app = await open(notes, {
    database: 'sqlite::memory:',
    timeouts,
    listLimit: 64 * 1024 * 1024,
    onFault: () => undefined,
  })
  base = new URL(await app.listen({ port: 0 }))
})
afterAll(() => app.close())

async function connection(): Promise<Socket> {
  const socket = connect(Number(base.port), base.hostname)
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  socket.on('error', () => undefined)
  return socket
}

/** Reads until the other side closes the connection. */
async function readUntilClose(socket: Socket): Promise<string> {
  const parts: Buffer[] = []
  socket.on('data', (part: Buffer) => parts.push(part))
  await once(socket, 'close')
  return Buffer.concat(parts).toString()
}

async function exchange(...parts: string[]): Promise<string> {
  const socket = await connection()
  for (const part of parts) socket.write(part)
  return readUntilClose(socket)
}

const closing = 'Host: localhost\r\nConnection: close\r\n'

async function post(body: string): Promise<string> {
  return exchange(
    `POST /note HTTP/1.1\r\n${closing}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`,
    body,
  )
}

function expectProblem(response: string, status: number, code: string): void {
  expect(response.slice(0, 13)).toBe(`HTTP/1.1 ${status} `)
  expect(JSON.parse(response.slice(response.indexOf('\r\n\r\n')))).toMatchObject({ status, code })
}

describe('a slow client', () => {
  it('gets 408 if the head of its request does not arrive', async () => {
    expectProblem(await exchange('GET /note HTTP/1.1\r\nHost: local'), 408, 'request-timeout')
  })

  it('gets 408 if the head arrives byte by byte', async () => {
    const socket = await connection()
    const drip = setInterval(() => socket.write('a'), 50)
    onTestFinished(() => clearInterval(drip))
    socket.write('GET /note HTTP/1.1\r\nX-Slow: ')
    expectProblem(await readUntilClose(socket), 408, 'request-timeout')
  })

  it('gets 408 if the body arrives byte by byte', async () => {
    const socket = await connection()
    const drip = setInterval(() => socket.write(' '), 50)
    onTestFinished(() => clearInterval(drip))
    socket.write(
      'POST /note HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 999\r\n\r\n',
    )
    expectProblem(await readUntilClose(socket), 408, 'request-timeout')
  })

  it('is disconnected without a response if it never sends anything', async () => {
    expect(await exchange()).toBe('')
  })

  it('is disconnected if it sends nothing more', async () => {
    const response = await exchange('GET /note HTTP/1.1\r\nHost: localhost\r\n\r\n')
    expect(response).toMatch(/^HTTP\/1.1 200 /)
  })

  it('is disconnected if it does not read its response', async () => {
    // The buffers of a connection hold less.
    for (let count = 0; count < 16; count++) {
      const payload = { title: 'long', words: 'x'.repeat(900_000) }
      expect((await inject(app, { method: 'POST', url: '/note', payload })).statusCode).toBe(201)
    }
    const socket = await connection()
    socket.pause()
    socket.write('GET /note?pageSize=1000 HTTP/1.1\r\nHost: localhost\r\n\r\n')
    const metrics = async () => (await inject(app, '/metrics')).body
    await expect.poll(metrics).toContain('nomen_http_requests_total{method="GET",route="/note",status="499"} 1\n')
  })
})

describe('too much', () => {
  it.each([
    ['one header', `GET /note HTTP/1.1\r\n${closing}X-Large: ${'x'.repeat(20_000)}\r\n\r\n`],
    ['many headers', `GET /note HTTP/1.1\r\n${closing}${'a:b\r\n'.repeat(5000)}\r\n`],
    ['a long path', `GET /note/${'x'.repeat(20_000)} HTTP/1.1\r\n${closing}\r\n`],
    ['a long query', `GET /note?title=${'x'.repeat(20_000)} HTTP/1.1\r\n${closing}\r\n`],
  ])('%s is rejected', async (_, request) => {
    expectProblem(await exchange(request), 431, 'header-too-large')
  })

  it('does not drop headers within the limit', async () => {
    const response = await exchange(
      `GET /note/1 HTTP/1.1\r\n${closing}${'a:b\r\n'.repeat(490)}X-Request-Id: the-last\r\n\r\n`,
    )
    expect(response.toLowerCase()).toContain('x-request-id: the-last\r\n')
  })

  it.each([
    ['of one filter', 'id=1&', 400],
    ['of a filter by text', 'title=a&', 400],
    ['of a page', 'pageSize=1&', 400],
    ['that are unknown', 'a&', 400],
    ['that are unknown and all different', '', 400],
  ])('thousands of parameters %s are rejected', async (_, parameter, status) => {
    const query =
      parameter === ''
        ? Array.from({ length: 2000 }, (_unused, at) => `p${at}`).join('&')
        : parameter.repeat(15_000 / parameter.length)
    const response = await exchange(`GET /note?${query} HTTP/1.1\r\n${closing}\r\n`)
    expect(response.slice(0, 13)).toBe(`HTTP/1.1 ${status} `)
  })

  it.each([
    ['few arrays that stay open', '['.repeat(9_000), 'malformed-json'],
    ['arrays', '['.repeat(500_000), 'invalid-body'],
    ['closed arrays', '['.repeat(500_000) + ']'.repeat(500_000), 'invalid-body'],
    ['objects in a property', `{"title":${'{"a":'.repeat(150_000)}1${'}'.repeat(150_000)}}`, 'invalid-body'],
    ['arrays in an unknown property', `{"other":${'['.repeat(400_000)}${']'.repeat(400_000)}}`, 'invalid-body'],
  ])('nested %s are rejected', async (_, body, code) => {
    expectProblem(await post(body), 400, code)
  })

  it('a body with a hundred thousand properties is rejected, and some of them are named', async () => {
    const body = `{${Array.from({ length: 80_000 }, (_, at) => `"p${at}":1`).join(',')}}`
    const response = await post(body)
    expectProblem(response, 400, 'invalid-body')
    expect(response.length).toBeLessThan(100_000)
  })
})
