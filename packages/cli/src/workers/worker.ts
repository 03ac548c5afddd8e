/** One of several processes that serve together: it tells the supervisor what becomes of it, and ends with it. */

import cluster from 'node:cluster'
import type { ApplicationLog, OpenService } from '@nomen/server'
import { failureOf } from '../output/failure.ts'
import { onHangUp } from '../process/hang-up.ts'
import { type Listening, sendReport } from './report.ts'

/**
 * Serves as a worker: `listen` opens the service, gives it to `onOpen`, makes it listen and gives what is to be told of it.
 */
export async function serveAsWorker(
  log: ApplicationLog,
  listen: (onOpen: (opened: OpenService) => void) => Promise<Listening>,
): Promise<void> {
  let opened: OpenService | undefined
  let isStopping = false
  const stop = () => {
    // Ctrl+C reaches every process of the terminal, and the supervisor passes it on: a second time means nothing here.
    if (isStopping) return
    isStopping = true
    if (opened) endAfter(opened.close(), log)
    else process.exit(0)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  onHangUp(stop)
  stopWithSupervisor(stop)
  try {
    const listening = await listen((one) => {
      opened = one
      void sendReport({ kind: 'opened' })
    })
    await sendReport({ kind: 'listening', ...listening })
  } catch (error) {
    const failure = failureOf(error)
    await sendReport({ kind: 'failed', ...failure })
    process.exit(failure.exitCode)
  }
}

/** However the supervisor ends, the channel to it does too. Node itself would leave requests under way unanswered. */
function stopWithSupervisor(stop: () => void): void {
  const { worker } = cluster
  worker?.once('disconnect', () => {
    worker.exitedAfterDisconnect = true
    stop()
  })
}

function endAfter(closed: Promise<void>, log: ApplicationLog): void {
  closed.then(
    () => process.exit(0),
    (error: unknown) => {
      log.error('The service did not stop in order.', { error })
      process.exit(1)
    },
  )
}
