/** Servers in addition to that of a service: one that responds while the service starts, and one for health and metrics. */
import type { RequestListener, Server, ServerResponse } from 'node:http'
import { problem } from '@nomen/core'
import { problemResponse, type TextResponse } from '../../message/text-response.ts'
import { Health } from '../../observe/health/health.ts'
import { type MonitoringSources, monitoringResponders } from '../page/monitoring.ts'
import { listen } from './node-server.ts'

// As in `node-server.ts`.
const { createServer } = process.getBuiltinModule('node:http')

const startingDetail = 'The service is starting.'

/**
 * Listens before the service is open, which takes long if it migrates a large table. It responds that the process is alive,
 * and 503 to everything else. `OpenService.listen` takes over its port without a gap.
 */
export async function listenWhileStarting(port: number, host: string): Promise<Server> {
  const health = new Health()
  health.add('service', 'unavailable', () => ({ status: 'unavailable', detail: startingDetail }))
  const rejection = problemResponse(
    problem('unavailable', { detail: startingDetail, hint: 'Retry the request later.' }),
    {
      'retry-after': '1',
    },
  )
  const { '/metrics': _, ...probes } = monitoringResponders({ health, metrics: async () => [] })
  const respond = responder(probes, rejection)
  const server = createServer((request, response) => {
    // The connection must not stay with this server.
    response.setHeader('connection', 'close')
    respond(request, response)
  })
  await listen(server, port, host)
  return server
}

/** A server for `/health/live`, `/health/ready` and `/metrics` alone, without authentication. */
export function monitoringServer(monitored: MonitoringSources): Server {
  const rejection = problemResponse(
    problem('path-not-found', { detail: 'This port serves only /metrics and /health.' }),
  )
  return createServer(responder(monitoringResponders(monitored), rejection))
}

type Responders = Readonly<Record<string, () => TextResponse | Promise<TextResponse>>>

function responder(responders: Responders, rejection: TextResponse): RequestListener {
  return (request, response) => {
    const [path = ''] = `${request.url}`.split('?')
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const respond = isRead && Object.hasOwn(responders, path) ? responders[path] : undefined
    Promise.resolve(respond?.() ?? rejection).then(
      (page) => send(response, page),
      () => send(response, problemResponse(problem('internal', { detail: 'An internal error occurred.' }))),
    )
  }
}

function send(response: ServerResponse, { status, mediaType, body, headers }: TextResponse): void {
  response.writeHead(status, { ...(mediaType && { 'content-type': mediaType }), ...headers }).end(body)
}
