/** Asks for an address again and again, on a thread of its own, and tells how long each answer took. */
import { Agent, get } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

const every = 50
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const times: number[] = []
let isOver = false
parentPort?.once('message', () => {
  isOver = true
})

function ask(url: string): Promise<number> {
  const began = performance.now()
  return new Promise((resolve, reject) => {
    const request = get(url, { agent }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} answers ${response.statusCode}.`))
      response.resume().on('end', () => resolve(performance.now() - began))
    })
    request.on('error', reject)
  })
}

// The connection is there before the load is.
await ask(workerData as string)
parentPort?.postMessage('ready')
while (!isOver) {
  times.push(await ask(workerData as string))
  await pause(every)
}
agent.destroy()
parentPort?.postMessage(times)
parentPort?.close()
