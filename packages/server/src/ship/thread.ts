/** The worker thread that ships the access log of a service. */
import { parentPort, workerData } from 'node:worker_threads'
import { openShipper, type ShipOptions } from './open-shipper.ts'
import type { ShipFigures } from './shipper.ts'

/** A message from the thread to the service. */
export type ThreadMessage = { readonly notice: string } | { readonly figures: ShipFigures }

const figuresEveryMs = 1000

const post = (message: ThreadMessage) => parentPort?.postMessage(message)
const shipper = openShipper(workerData as ShipOptions, (notice) => post({ notice }))
const timer = setInterval(() => post({ figures: shipper.figures() }), figuresEveryMs)
shipper.start()

/** The service has closed its log: the remaining lines are sent, and the thread ends. */
parentPort?.once('message', async () => {
  await shipper.stop({ isLast: true })
  clearInterval(timer)
  post({ figures: shipper.figures() })
  parentPort?.close()
})
