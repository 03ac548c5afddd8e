/** Health probes and metrics. */

import type { TextResponse } from '../../message/text-response.ts'
import type { Health } from '../../observe/health/health.ts'
import { exposition, expositionType } from '../../observe/metrics/exposition.ts'
import type { MetricFamily } from '../../observe/metrics/registry.ts'
import type { Page } from '../routes.ts'

export interface Monitored {
  readonly health: Health
  /** The metrics of all worker processes. */
  readonly metrics: () => Promise<readonly MetricFamily[]>
}

const noStore = { 'cache-control': 'no-store' }

/** `/health/live`, `/health/ready` and `/metrics`. */
export function monitoringPages({ health, metrics }: Monitored): readonly Page[] {
  const probe = { scope: undefined, isProbe: true }
  return [
    { ...probe, path: '/health/live', serve: () => alive },
    {
      ...probe,
      path: '/health/ready',
      serve: async () => {
        const report = await health.report()
        return jsonResponse(report.status === 'unavailable' ? 503 : 200, report)
      },
    },
    {
      path: '/metrics',
      scope: 'metrics:read',
      // The metrics of an overload can be read while it lasts.
      isServedUnderOverload: true,
      serve: async () => ({
        status: 200,
        mediaType: expositionType,
        body: exposition(await metrics()),
        headers: noStore,
      }),
    },
  ]
}

function jsonResponse(status: number, body: unknown): TextResponse {
  return { status, mediaType: 'application/json; charset=utf-8', body: JSON.stringify(body), headers: noStore }
}

const alive = jsonResponse(200, { status: 'ok' })
