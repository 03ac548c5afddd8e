/** The thread that ships a log beside the service that writes it. */
import { parentPort, workerData } from 'node:worker_threads'
import { openShipper, type ShipOptions } from './open-shipper.ts'
import type { ShipFigures } from './shipper.ts'

/** What the thread tells. */
export type ThreadWord = { readonly notice: string } | { readonly figures: ShipFigures }

/** How often figures are told, in milliseconds. */
const tellEvery = 1000

const say = (word: ThreadWord) => parentPort?.postMessage(word)
const shipper = openShipper(workerData as ShipOptions, (notice) => say({ notice }))
const timer = setInterval(() => say({ figures: shipper.figures() }), tellEvery)
shipper.start()

/** The log is written no more: the rest is sent, and the thread ends. */
parentPort?.once('message', async () => {
  await shipper.stop({ isLast: true })
  clearInterval(timer)
  say({ figures: shipper.figures() })
  parentPort?.close()
})
