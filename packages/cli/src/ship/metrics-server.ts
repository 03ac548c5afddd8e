/** A local HTTP server with the metrics of `nomen ship` for Prometheus. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type ShipFigures, shipMetrics } from '@nomen/server/ship'
import { CommandError } from '../command-error.ts'

/** Starts the server; port 0 selects a free port. */
export async function serveMetrics(
  port: number,
  figures: () => ShipFigures,
): Promise<{ readonly address: string; close(): void }> {
  const server = createServer((request, response) => {
    const isMetrics = request.url === '/metrics' && (request.method === 'GET' || request.method === 'HEAD')
    response.writeHead(isMetrics ? 200 : 404, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' })
    response.end(isMetrics && request.method === 'GET' ? shipMetrics(figures()) : '')
  })
  await listen(server, port)
  const { port: actualPort } = server.address() as AddressInfo
  return {
    address: `http://127.0.0.1:${actualPort}/metrics`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function listen(server: Server, port: number): Promise<void> {
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening')
  } catch (error) {
    throw new CommandError(
      `Metrics cannot be served on port ${port}: ${(error as Error).message}.`,
      'Choose another port with --metrics; 0 selects a free port.',
      1,
    )
  }
}
