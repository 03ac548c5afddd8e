/** Polls a URL on a separate thread, and reports the time of each response. */
import { Agent, get } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

const intervalMs = 50
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const times: number[] = []
let hasEnded = false
parentPort?.once('message', () => {
  hasEnded = true
})

function measure(url: string): Promise<number> {
  const startMs = performance.now()
  return new Promise((resolve, reject) => {
    const request = get(url, { agent }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} responds with ${response.statusCode}.`))
      response.resume().on('end', () => resolve(performance.now() - startMs))
    })
    request.on('error', reject)
  })
}

// Connects before the load starts.
await measure(workerData as string)
parentPort?.postMessage('ready')
while (!hasEnded) {
  times.push(await measure(workerData as string))
  await pause(intervalMs)
}
agent.destroy()
parentPort?.postMessage(times)
parentPort?.close()
