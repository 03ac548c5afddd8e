// Slow and large bodies, and clients that leave: one access line for each request, and the next one is served.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request as requestOf } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import type { Problem } from '@nomen/core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type Adapters, openAdapters, prefix } from './adapters.ts'

const json = { 'content-type': 'application/json' }
const timeouts = { head: 1000, request: 1500 }
let adapters: Adapters
const bases = new Map<string, string>()

beforeAll(async () => {
  const host = {
    requestTimeout: timeouts.request,
    http: { headersTimeout: timeouts.head, connectionsCheckingInterval: 100 },
  }
  adapters = await openAdapters({ timeouts, listLimit: 2 ** 25 }, host)
  bases.set('node', await adapters.directory.listen({ port: 0 }))
  bases.set('Fastify', (await adapters.app.listen({ port: 0, host: '127.0.0.1' })) + prefix)
  // Of these, a list is more than the buffers of a connection hold.
  for (const send of [adapters.sends.get('node'), adapters.sends.get('Fastify')])
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
interface Sending {
  write(part: string): void
  end(): void
  /** Closes the connection, or aborts the request. */
  leave(): void
  /** Rejects if the client has left. */
  response(): Promise<Result>
  /** Reads the first part of the body of the response, and no more. */
  firstPart(): Promise<void>
}

type Begin = (method: string, path: string, headers: Record<string, string>) => Sending

function overSocket(name: string): Begin {
  return (method, path, headers) => {
    const request: ClientRequest = requestOf(`${bases.get(name)}${path}`, { method, headers, agent: false })
    // After a response that came early, the rest of the body has nowhere to go.
    request.on('error', () => {})
    const responding = handled(once(request, 'response') as Promise<[IncomingMessage]>)
    return {
      write: (part) => void request.write(part),
      end: () => void request.end(),
      // A reset: a connection that is only closed could still be written to.
      leave: () => void request.socket?.resetAndDestroy(),
      response: async () => {
        const [response] = await responding
        return resultOf(response.statusCode ?? 0, await text(response))
      },
      firstPart: async () => {
        const [response] = await responding
        await once(response, 'readable')
      },
    }
  }
}

/** Also tells whether the service has stopped reading the body. */
const cancelled = new Set<string>()

const overFetch: Begin = (method, path, headers) => {
  const leaving = new AbortController()
  let controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>> | undefined
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (own) => {
      controller = own
    },
    cancel: () => void cancelled.add(`${headers['user-agent']}`),
  })
  const hasBody = method !== 'GET'
  const options = { method, headers, signal: leaving.signal, ...(hasBody && { body, duplex: 'half' }) }
  const responding = handled(adapters.directory.fetch(`http://localhost${path}`, options as RequestInit))
  return {
    write: (part) => {
      if (!cancelled.has(`${headers['user-agent']}`)) controller?.enqueue(new TextEncoder().encode(part))
    },
    end: () => controller?.close(),
    leave: () => leaving.abort(),
    response: async () => {
      const response = await responding
      return resultOf(response.status, await response.text())
    },
    firstPart: async () => {
      const reader = (await responding).body?.getReader()
      await reader?.read()
      await reader?.cancel()
    },
  }
}

/** A rejection that the test looks at later. */
function handled<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => {})
  return promise
}

function resultOf(status: number, body: string): Result {
  return { status, code: body === '' || status < 400 ? undefined : (JSON.parse(body) as Problem).code }
}

let number = 0

describe.each([
  ['node', overSocket('node')],
  ['Fastify', overSocket('Fastify')],
  ['fetch', overFetch],
])('by %s', (name, begin) => {
  /** Begins a request with a User-Agent of its own. */
  const start = (method: string, path: string, headers: Record<string, string> = {}) => {
    const agent = `${name} ${++number}`
    const sending = begin(method, path, { ...json, ...headers, 'user-agent': agent })
    onTestFinished(() => sending.leave())
    const statuses = () => adapters.entriesOf(agent).map(({ status }) => status)
    return { ...sending, agent, statuses }
  }

  /** The access log has one line, and the service still works. */
  const expectLine = async (statuses: () => readonly number[], expected: number) => {
    await expect.poll(statuses).toEqual([expected])
    const next = start('PATCH', '/user/2')
    next.write('{}')
    next.end()
    expect((await next.response()).status).toBe(200)
    await expect.poll(next.statuses).toEqual([200])
    expect(statuses()).toEqual([expected])
  }

  it('a body may come in parts with pauses', async () => {
    const { write, end, response, statuses } = start('PATCH', '/user/1')
    for (const part of ['{"pho', 'ne":', '"12', '3"}']) {
      write(part)
      await pause(20)
    }
    end()
    expect(await response()).toEqual({ status: 200, code: undefined })
    await expectLine(statuses, 200)
  })

  it('a body that declares too many bytes is refused before it has come', async () => {
    const { write, response, statuses } = start('PATCH', '/user/1', { 'content-length': '2000000' })
    write('{')
    expect(await response()).toEqual({ status: 413, code: 'body-too-large' })
    await expectLine(statuses, 413)
  })

  it('a body without a length is refused as soon as it is too large', async () => {
    const { write, response, statuses, agent } = start('PATCH', '/user/1')
    write(`{"phone":"${'x'.repeat(600_000)}`)
    write('x'.repeat(600_000))
    expect(await response()).toEqual({ status: 413, code: 'body-too-large' })
    if (name === 'fetch') await expect.poll(() => cancelled.has(agent)).toBe(true)
    await expectLine(statuses, 413)
  })

  it('a client that leaves while it sends its body has one line', async () => {
    const { write, leave, response, statuses } = start('PATCH', '/user/1')
    write('{"phone":')
    await pause(50)
    leave()
    await expect(response()).rejects.toThrow()
    await expectLine(statuses, 499)
  })

  // The server in front of fetch limits the time of a request.
  it.runIf(name !== 'fetch')('a client that stops sending is refused after a while', async () => {
    const { write, response, statuses } = start('PATCH', '/user/1')
    write('{"phone":')
    const { status, code } = await response()
    // The server of an application writes a response of its own.
    expect([status, code]).toEqual([408, name === 'node' ? 'request-timeout' : undefined])
    await expectLine(statuses, name === 'node' ? 408 : 499)
  })

  it('a client that leaves while it waits for the response has one line', async () => {
    const { write, end, leave, response, statuses } = start('PATCH', '/user/1')
    write('{}')
    await pause(20)
    end()
    await pause(0)
    leave()
    await response().catch(() => {})
    // The response may have been quicker.
    await expect.poll(statuses).toHaveLength(1)
    await expectLine(statuses, statuses()[0] === 200 ? 200 : 499)
  })

  it('a client that leaves in the middle of the response has one line', async () => {
    const { end, firstPart, leave, statuses } = start('GET', '/v1/application?pageSize=14&sort=-applicationRef')
    if (name !== 'fetch') end()
    await firstPart()
    leave()
    // A response of fetch is complete before it is read.
    await expectLine(statuses, name === 'fetch' ? 200 : 499)
  })
})
