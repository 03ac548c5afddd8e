/** A small server on this machine itself that tells the figures of shipping to Prometheus. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type ShipFigures, shipMetrics } from '@nomen/server/ship'
import { CommandError } from '../command-error.ts'

/** Port 0 takes a free one. Gives the address, and what ends it. */
export async function serveMetrics(
  port: number,
  figures: () => ShipFigures,
): Promise<{ readonly address: string; close(): void }> {
  const server = createServer((request, response) => {
    const isAsked = request.url === '/metrics' && (request.method === 'GET' || request.method === 'HEAD')
    response.writeHead(isAsked ? 200 : 404, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' })
    response.end(isAsked && request.method === 'GET' ? shipMetrics(figures()) : '')
  })
  await listening(server, port)
  const { port: taken } = server.address() as AddressInfo
  return {
    address: `http://127.0.0.1:${taken}/metrics`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function listening(server: Server, port: number): Promise<void> {
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening')
  } catch (error) {
    throw new CommandError(
      `Metrics cannot be told on port ${port}: ${(error as Error).message}.`,
      'Give another port with --metrics; 0 takes a free one.',
      1,
    )
  }
}
