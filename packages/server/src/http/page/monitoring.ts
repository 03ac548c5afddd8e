/** Health probes and metrics. */

import type { TextResponse } from '../../message/text-response.ts'
import type { Health } from '../../observe/health/health.ts'
import { exposition, expositionType } from '../../observe/metrics/exposition.ts'
import type { MetricFamily } from '../../observe/metrics/registry.ts'
import type { Page } from '../routes.ts'

export interface MonitoringSources {
  readonly health: Health
  /** The metrics of all worker processes. */
  readonly metrics: () => Promise<readonly MetricFamily[]>
}

const noStore = { 'cache-control': 'no-store' }

/** The responses of `/health/live`, `/health/ready` and `/metrics`. */
export function monitoringResponders({ health, metrics }: MonitoringSources) {
  return {
    '/health/live': () => alive,
    '/health/ready': async () => {
      const report = await health.report()
      return jsonResponse(report.status === 'unavailable' ? 503 : 200, report)
    },
    '/metrics': async (): Promise<TextResponse> => ({
      status: 200,
      mediaType: expositionType,
      body: exposition(await metrics()),
      headers: noStore,
    }),
  }
}

/** The pages of these responses, without `/metrics` if another port has it. */
export function monitoringPages(monitored: MonitoringSources, hasMetrics: boolean): readonly Page[] {
  const probe = { requiredScopes: undefined, isProbe: true }
  const responders = monitoringResponders(monitored)
  const metricsPage: Page = {
    path: '/metrics',
    requiredScopes: 'metrics:read',
    // The metrics of an overload can be read while it lasts.
    isServedUnderOverload: true,
    serve: responders['/metrics'],
  }
  return [
    { ...probe, path: '/health/live', serve: responders['/health/live'] },
    { ...probe, path: '/health/ready', serve: responders['/health/ready'] },
    ...(hasMetrics ? [metricsPage] : []),
  ]
}

function jsonResponse(status: number, body: unknown): TextResponse {
  return { status, mediaType: 'application/json; charset=utf-8', body: JSON.stringify(body), headers: noStore }
}

const alive = jsonResponse(200, { status: 'ok' })
