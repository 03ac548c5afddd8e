// Slow and large bodies, and clients that disconnect: each request has one access line, and the next request succeeds.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request as requestOf } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import type { Problem } from '@nomen/core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type Adapters, openAdapters, prefix } from './adapters.ts'

const json = { 'content-type': 'application/json' }
const timeouts = { headMs: 1000, requestMs: 1500 }
let adapters: Adapters
const bases = new Map<string, string>()

beforeAll(async () => {
  const host = {
    requestTimeout: timeouts.requestMs,
    http: { headersTimeout: timeouts.headMs, connectionsCheckingInterval: 100 },
  }
  adapters = await openAdapters({ timeouts, listLimit: 2 ** 25 }, host)
  bases.set('node', await adapters.directory.listen({ port: 0 }))
  bases.set('Fastify', (await adapters.app.listen({ port: 0, host: '127.0.0.1' })) + prefix)
  // A list of these records is larger than the buffers of a connection.
  for (const send of [adapters.senders.get('node'), adapters.senders.get('Fastify')])
    for (let count = 0; count < 14; count++) {
      const body = JSON.stringify({ guid: randomUUID(), name: `large ${count}`, description: 'x'.repeat(900_000) })
      expect((await send?.('POST', '/v1/application', body, json))?.status).toBe(201)
    }
})
afterAll(() => adapters?.close())

interface Result {
  readonly status: number
  readonly code: string | undefined
}

/** A request whose body the test sends in parts. */
interface PartialRequest {
  write(part: string): void
  end(): void
  /** Closes the connection, or aborts the request. */
  leave(): void
  /** Rejects if the client has disconnected. */
  response(): Promise<Result>
  /** Reads only the first part of the response body. */
  readFirstPart(): Promise<void>
}

type StartRequest = (method: string, path: string, headers: Record<string, string>) => PartialRequest

function overSocket(name: string): StartRequest {
  return (method, path, headers) => {
    const request: ClientRequest = requestOf(`${bases.get(name)}${path}`, { method, headers, agent: false })
    // After an early response, the rest of the body cannot be sent.
    request.on('error', () => {})
    const responsePromise = ignoreRejection(once(request, 'response') as Promise<[IncomingMessage]>)
    return {
      write: (part) => void request.write(part),
      end: () => void request.end(),
      // The service could still write to a connection that is closed without a reset.
      leave: () => void request.socket?.resetAndDestroy(),
      response: async () => {
        const [response] = await responsePromise
        return resultOf(response.statusCode ?? 0, await text(response))
      },
      readFirstPart: async () => {
        const [response] = await responsePromise
        await once(response, 'readable')
      },
    }
  }
}

/** User-Agents of the requests whose body the service has stopped reading. */
const cancelledAgents = new Set<string>()

const overFetch: StartRequest = (method, path, headers) => {
  const abortController = new AbortController()
  let controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>> | undefined
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (streamController) => {
      controller = streamController
    },
    cancel: () => void cancelledAgents.add(`${headers['user-agent']}`),
  })
  const hasBody = method !== 'GET'
  const options = { method, headers, signal: abortController.signal, ...(hasBody && { body, duplex: 'half' }) }
  const responsePromise = ignoreRejection(adapters.directory.fetch(`http://localhost${path}`, options as RequestInit))
  return {
    write: (part) => {
      if (!cancelledAgents.has(`${headers['user-agent']}`)) controller?.enqueue(new TextEncoder().encode(part))
    },
    end: () => controller?.close(),
    leave: () => abortController.abort(),
    response: async () => {
      const response = await responsePromise
      return resultOf(response.status, await response.text())
    },
    readFirstPart: async () => {
      const reader = (await responsePromise).body?.getReader()
      await reader?.read()
      await reader?.cancel()
    },
  }
}

/** Prevents an unhandled rejection; the test checks the promise later. */
function ignoreRejection<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => {})
  return promise
}

function resultOf(status: number, body: string): Result {
  return { status, code: body === '' || status < 400 ? undefined : (JSON.parse(body) as Problem).code }
}

let requestCount = 0

describe.each([
  ['node', overSocket('node')],
  ['Fastify', overSocket('Fastify')],
  ['fetch', overFetch],
])('by %s', (name, startRequest) => {
  /** Starts a request with a unique User-Agent. */
  const startWithAgent = (method: string, path: string, headers: Record<string, string> = {}) => {
    const agent = `${name} ${++requestCount}`
    const request = startRequest(method, path, { ...json, ...headers, 'user-agent': agent })
    onTestFinished(() => request.leave())
    const statuses = () => adapters.entriesOf(agent).map(({ status }) => status)
    return { ...request, agent, statuses }
  }

  /** Expects one line in the access log, and a service that still works. */
  const expectLine = async (statuses: () => readonly number[], expected: number) => {
    await expect.poll(statuses).toEqual([expected])
    const next = startWithAgent('PATCH', '/user/2')
    next.write('{}')
    next.end()
    expect((await next.response()).status).toBe(200)
    await expect.poll(next.statuses).toEqual([200])
    expect(statuses()).toEqual([expected])
  }

  it('a body may arrive in parts with pauses', async () => {
    const { write, end, response, statuses } = startWithAgent('PATCH', '/user/1')
    for (const part of ['{"pho', 'ne":', '"12', '3"}']) {
      write(part)
      await pause(20)
    }
    end()
    expect(await response()).toEqual({ status: 200, code: undefined })
    await expectLine(statuses, 200)
  })

  it('a body with a Content-Length that is too large is rejected before it arrives', async () => {
    const { write, response, statuses } = startWithAgent('PATCH', '/user/1', { 'content-length': '2000000' })
    write('{')
    expect(await response()).toEqual({ status: 413, code: 'body-too-large' })
    await expectLine(statuses, 413)
  })

  it('a body without a length is rejected as soon as it is too large', async () => {
    const { write, response, statuses, agent } = startWithAgent('PATCH', '/user/1')
    write(`{"phone":"${'x'.repeat(600_000)}`)
    write('x'.repeat(600_000))
    expect(await response()).toEqual({ status: 413, code: 'body-too-large' })
    if (name === 'fetch') await expect.poll(() => cancelledAgents.has(agent)).toBe(true)
    await expectLine(statuses, 413)
  })

  it('a client that disconnects while it sends its body has one line', async () => {
    const { write, leave, response, statuses } = startWithAgent('PATCH', '/user/1')
    write('{"phone":')
    await pause(50)
    leave()
    await expect(response()).rejects.toThrow()
    await expectLine(statuses, 499)
  })

  // With fetch, the surrounding server limits the time of a request.
  it.runIf(name !== 'fetch')('a client that stops sending is rejected after a timeout', async () => {
    const { write, response, statuses } = startWithAgent('PATCH', '/user/1')
    write('{"phone":')
    const { status, code } = await response()
    // The server of the application writes this response.
    expect([status, code]).toEqual([408, name === 'node' ? 'request-timeout' : undefined])
    await expectLine(statuses, name === 'node' ? 408 : 499)
  })

  it('a client that disconnects before the response has one line', async () => {
    const { write, end, leave, response, statuses } = startWithAgent('PATCH', '/user/1')
    write('{}')
    await pause(20)
    end()
    await pause(0)
    leave()
    await response().catch(() => {})
    // The response may be faster than the disconnect.
    await expect.poll(statuses).toHaveLength(1)
    await expectLine(statuses, statuses()[0] === 200 ? 200 : 499)
  })

  it('a client that disconnects during the response has one line', async () => {
    const { end, readFirstPart, leave, statuses } = startWithAgent(
      'GET',
      '/v1/application?pageSize=14&sort=-applicationRef',
    )
    if (name !== 'fetch') end()
    await readFirstPart()
    leave()
    // A response of fetch is complete before it is read.
    await expectLine(statuses, name === 'fetch' ? 200 : 499)
  })
})
