/** A worker process: reports its state to the supervisor, and stops when the supervisor ends. */

import cluster from 'node:cluster'
import type { ApplicationLog, OpenService } from '@nomen/server'
import { failureOf } from '../output/failure.ts'
import { exitAfter } from '../process/exit-after.ts'
import { onStopRequest } from '../process/stop-request.ts'
import { type ListeningReport, sendReport } from './report.ts'

/** Serves as a worker. `listen` opens the service, passes it to `onOpen`, and starts to listen. */
export async function serveAsWorker(
  log: ApplicationLog,
  listen: (onOpen: (service: OpenService) => void) => Promise<ListeningReport>,
): Promise<void> {
  let openedService: OpenService | undefined
  let isStopping = false
  const stop = () => {
    // Ctrl+C reaches all processes of the terminal, and the supervisor forwards it: ignore the second signal.
    if (isStopping) return
    isStopping = true
    if (openedService) exitAfter(openedService.close(), log)
    else process.exit(0)
  }
  onStopRequest(stop)
  stopWithSupervisor(stop)
  try {
    const listening = await listen((service) => {
      openedService = service
      void sendReport({ kind: 'opened' })
    })
    await sendReport({ kind: 'listening', ...listening })
  } catch (error) {
    const failure = failureOf(error)
    await sendReport({ kind: 'failed', ...failure })
    process.exit(failure.exitCode)
  }
}

/** Shuts down when the channel to the supervisor closes. By default, Node would exit without finishing open requests. */
function stopWithSupervisor(stop: () => void): void {
  const { worker } = cluster
  worker?.once('disconnect', () => {
    worker.exitedAfterDisconnect = true
    stop()
  })
}
