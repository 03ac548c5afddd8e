/** Classifies connection errors. */
import type { DeliveryFailure } from './destination.ts'

/** Error codes of invalid certificates, which a retry does not fix. */
const certificate = /CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|ERR_TLS|HOSTNAME_MISMATCH/

/** The code of a timeout on an open connection. */
export const tooSlowCode = 'TOO_SLOW'

export function networkFailure(destination: string, error: NodeJS.ErrnoException): DeliveryFailure {
  const code = error.code ?? ''
  const message = error.message || firstMessage(error) || code || 'unknown reason'
  if (certificate.test(code))
    return {
      kind: 'rejected',
      reason: `${destination} is not trusted: ${message}. Set the certificate of its authority with --ca.`,
    }
  if (code === tooSlowCode) return { kind: 'slow', reason: `${destination} is too slow: ${message}` }
  return { kind: 'unavailable', reason: `${destination} cannot be reached: ${message}` }
}

/** If several IP addresses were tried, the error itself has no message. */
function firstMessage(error: Error): string | undefined {
  const [first] = error instanceof AggregateError ? error.errors : []
  return first instanceof Error ? first.message : undefined
}
