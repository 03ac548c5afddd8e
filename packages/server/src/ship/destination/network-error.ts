/** What a connection that failed means. */
import type { Trouble } from './destination.ts'

/** Certificates do not fix themselves. */
const certificate = /CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|ERR_TLS|HOSTNAME_MISMATCH/

/** The code of an error that says that a connection was there, and nothing came of it. */
export const tooSlow = 'TOO_SLOW'

export function networkTrouble(where: string, error: NodeJS.ErrnoException): Trouble {
  const code = error.code ?? ''
  const message = error.message || firstMessage(error) || code || 'no reason is known'
  if (certificate.test(code))
    return {
      kind: 'refused',
      reason: `${where} is not trusted: ${message}. Give the certificate of its authority with --ca.`,
    }
  if (code === tooSlow) return { kind: 'slow', reason: `${where} is too slow: ${message}` }
  return { kind: 'away', reason: `${where} cannot be reached: ${message}` }
}

/** Where several addresses were tried, the error itself says nothing. */
function firstMessage(error: Error): string | undefined {
  const [first] = error instanceof AggregateError ? error.errors : []
  return first instanceof Error ? first.message : undefined
}
