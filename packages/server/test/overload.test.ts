// More requests than the service can handle: some are rejected at once and completely, and probes always work.
import { once } from 'node:events'
import { Agent, get, request } from 'node:http'
import { connect } from 'node:net'
import { identity, noun, resource, text } from '@nomen/core'
import { rule } from '@nomen/server'
import { applicationLog } from '@nomen/server/internal'
import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import pg from 'pg'
import { pino } from 'pino'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openService, plainApi, serviceOf } from './test-service.ts'

const note = noun('note', { id: identity(), title: text() })

/** Keeps the process busy, as a rule may. */
const slow = rule(note, () => {
  for (const end = performance.now() + 10; performance.now() < end; );
  return undefined
})
const silent = pino({ level: 'silent' })
const api = plainApi(resource(note, {}))

interface TextResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
}

function send(url: string, agent: Agent, body?: string): Promise<TextResponse> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' }
    const sent = body === undefined ? get(url, { agent }) : request(url, { agent, method: 'POST', headers })
    sent.on('error', reject).on('response', (response) => {
      let text = ''
      response.on('data', (part) => {
        text += part
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
    })
    sent.end(body)
  })
}

function connections(): Agent {
  const agent = new Agent({ keepAlive: true })
  onTestFinished(() => agent.destroy())
  return agent
}

describe('overload', () => {
  it('is rejected with 503 and Retry-After without changes, while health and metrics respond', async () => {
    const messages: string[] = []
    const log = applicationLog({ isPlain: true, stream: { write: (line) => messages.push(line) } })
    const app = await openService(serviceOf([api], [slow]), { waitLimitMs: 100, database: 'sqlite::memory:', log })
    const base = await app.app.listen({ port: 0 })
    const agent = connections()
    let createdCount = 0
    const rejected: TextResponse[] = []
    const client = async () => {
      while (rejected.length < 20) {
        const response = await send(`${base}/note`, agent, '{"title":"a"}')
        if (response.status === 201) createdCount++
        else rejected.push(response)
      }
    }
    const clients = Array.from({ length: 60 }, client)
    const watch = connections()
    for (let count = 0; rejected.length < 20; count++) {
      const { status } = await send(`${base}/health/live`, watch)
      expect([count, status]).toEqual([count, 200])
    }
    expect((await send(`${base}/metrics`, watch)).text).toMatch(/shed_requests_total\{waiting_for="turn"\} [1-9]/)
    await Promise.all(clients)
    for (const { status, headers, text: body } of rejected)
      expect([status, headers['retry-after'], JSON.parse(body).code]).toEqual([503, '1', 'overloaded'])
    expect((await app.get('/note')).body.pageInfo.numberOfRecords).toBe(createdCount)
    expect(messages).toEqual([
      expect.stringMatching(/ warn {2}Requests are rejected because of overload. waitingFor=turn number=1\n$/),
    ])
    expect((await app.send('POST', '/note', { title: 'a' })).status).toBe(201)
  })

  it.each([
    ['large', 'content-length: 100000', 'close'],
    ['endless', 'transfer-encoding: chunked', 'close'],
    ['small', 'content-length: 13', 'keep-alive'],
  ])('is rejected without waiting if a body is %s', async (_, header, connection) => {
    const app = await openService(serviceOf([api], [slow]), {
      waitLimitMs: 1,
      database: 'sqlite::memory:',
      log: silent,
    })
    const { port, hostname } = new URL(await app.app.listen({ port: 0 }))
    const socket = connect(Number(port), hostname)
    onTestFinished(() => void socket.destroy())
    await once(socket, 'connect')
    // How long a write takes is known from the first one.
    await app.send('POST', '/note', { title: 'a' })
    const writes = Array.from({ length: 60 }, () => app.send('POST', '/note', { title: 'a' }))
    await writes[0]
    socket.write(`POST /note HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n${header}\r\n\r\n`)
    const [response] = await once(socket, 'data')
    expect(`${response}`.toLowerCase()).toMatch(new RegExp(`^http/1.1 503 [^]*\\r\\nconnection: ${connection}\\r\\n`))
    await Promise.all(writes)
  })

  it('of the database is also rejected', async () => {
    const { url, remove } = await temporaryPostgres()
    onTestFinished(remove)
    const app = await openService(serviceOf([api]), { waitLimitMs: 100, database: url, log: silent })
    const holder = new pg.Client(url)
    await holder.connect()
    await holder.query('begin; lock table note')
    const lists: Promise<{ readonly status: number; readonly body: { readonly code?: string } }>[] = []
    await expect
      .poll(
        async () => {
          lists.push(app.get('/note'))
          return (await app.get('/metrics')).text
        },
        { timeout: 5000, interval: 20 },
      )
      .toMatch(/shed_requests_total\{waiting_for="database"\} [1-9]/)
    expect((await app.get('/health/live')).status).toBe(200)
    await holder.end()
    const answers = await Promise.all(lists)
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.code ?? ''}`))).toEqual(
      new Set(['200 ', '503 overloaded']),
    )
    expect((await app.get('/note')).status).toBe(200)
  })
})
