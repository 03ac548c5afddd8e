/** A receiver of webhooks, which verifies signatures with the reference implementation of Standard Webhooks. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { onTestFinished } from 'vitest'

export interface Received {
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  readonly event: ReceivedEvent
}

export interface ReceivedEvent {
  readonly id: string
  readonly type: string
  readonly source: string
  readonly subject?: string
  readonly data: Readonly<Record<string, string | number | null>>
}

export interface Receiver {
  readonly url: string
  /** All requests, whatever their response was. */
  readonly received: Received[]
  /** The response to the next requests: a status, a body that does not end, or undefined for no response at all. */
  respond: (received: Received) => number | 'unfinished' | undefined | Promise<number>
  close(): void
}

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const text = Buffer.concat(parts).toString()
    const one = { headers: request.headers as Record<string, string>, text, event: JSON.parse(text) as ReceivedEvent }
    received.push(one)
    const status = await receiver.respond(one)
    if (status === undefined) return
    if (status === 'unfinished') return void response.writeHead(200).write('beginning')
    const location = status >= 300 && status < 400 ? { location: '/elsewhere' } : {}
    response.writeHead(status, location).end(`Status ${status}`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  onTestFinished(close)
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    respond: () => 204,
    close,
  }
  return receiver
}

/** Whether the reference implementation accepts the signature. */
export function isSigned({ text, headers }: Received, secret: string): boolean {
  try {
    new Webhook(secret).verify(text, headers)
    return true
  } catch {
    return false
  }
}
