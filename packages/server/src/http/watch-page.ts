/** What those ask who watch a service: whether it lives, whether it is ready, and its metrics. */
import type { FastifyInstance } from 'fastify'
import type { Answer } from '../answer/write-answer.ts'
import type { Health } from '../health/health.ts'
import { exposition, expositionType } from '../metrics/exposition.ts'
import type { MetricFamily } from '../metrics/registry.ts'
import { send } from './reply.ts'
import { policy } from './route-policy.ts'

export interface Watched {
  readonly health: Health
  /** The metrics of all processes that serve together. */
  readonly metrics: () => Promise<readonly MetricFamily[]>
}

const fresh = { 'cache-control': 'no-store' }

/** Mounts `/health/live`, `/health/ready` and `/metrics`. The metrics of an overload can be read while it lasts. */
export function mountWatch(app: FastifyInstance, { health, metrics }: Watched): void {
  const probe = policy({ scope: undefined, isProbe: true })
  app.get('/health/live', probe, (request, reply) => send(request, reply, alive))
  app.get('/health/ready', probe, async (request, reply) => {
    const report = await health.report()
    return send(request, reply, jsonAnswer(report.status === 'unavailable' ? 503 : 200, report))
  })
  app.get('/metrics', policy({ scope: 'metrics:read', isPage: true, isUrgent: true }), async (request, reply) => {
    const body = exposition(await metrics())
    return send(request, reply, { status: 200, mediaType: expositionType, body, headers: fresh })
  })
}

function jsonAnswer(status: number, body: unknown): Answer {
  return { status, mediaType: 'application/json; charset=utf-8', body: JSON.stringify(body), headers: fresh }
}

const alive = jsonAnswer(200, { status: 'ok' })
