/** Accounts, a server that must not be called, and text that no response may contain. */
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import type { Party } from './attacked.ts'

/** Text that no response may contain. */
export const inside = /node_modules|\.ts:\d|\bat .*\(|SQLITE|select .* from|TypeError|secret\.ts/i

export async function accountOf(party: Party, owner: string, number: string): Promise<number> {
  const created = await party.send('POST', '/account', { number, owner })
  expect(created.status, created.text).toBe(201)
  return created.body.id
}

/** A server that no request should reach, and the requests that it received. */
export async function canary(
  listener: RequestListener = (_, response) => response.end('{}'),
): Promise<{ url: string; requests: string[] }> {
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    listener(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}
