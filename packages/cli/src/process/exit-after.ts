/** Ends the process after a service. */
import type { ApplicationLog } from '@nomen/server'

/** Exits with 0 when the service is closed, or with 1 if closing it failed. */
export function exitAfter(closed: Promise<void>, log: ApplicationLog): void {
  closed.then(
    () => process.exit(0),
    (error: unknown) => {
      log.error({ err: error }, 'Graceful shutdown failed.')
      process.exit(1)
    },
  )
}
