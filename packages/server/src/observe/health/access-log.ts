/** The health of the access log. The service works without it, so it is never worse than degraded. */
import type { PartHealth } from './health.ts'

export function logHealth({
  fault,
  dropped,
}: {
  readonly fault: Error | undefined
  readonly dropped: number
}): PartHealth {
  if (!fault) return { status: 'ok' }
  // The message of the error contains a path, so only its code is shown.
  const code = 'code' in fault ? ` (${fault.code})` : ''
  const lostLinesText = dropped === 0 ? 'No lines are lost yet.' : `Lost lines: ${dropped}.`
  return { status: 'degraded', detail: `The access log cannot be written${code}. ${lostLinesText}` }
}
