/** Whether the access log is written. The service goes on without, so it is never worse than degraded. */
import type { PartHealth } from './health.ts'

export function logHealth({
  fault,
  dropped,
}: {
  readonly fault: Error | undefined
  readonly dropped: number
}): PartHealth {
  if (!fault) return { status: 'ok' }
  // The message names a path; the code says as much to whoever runs the service.
  const code = 'code' in fault ? ` (${fault.code})` : ''
  const lost = dropped === 0 ? 'None is lost yet.' : `${dropped} are lost.`
  return { status: 'degraded', detail: `Lines do not reach the file${code}. ${lost}` }
}
