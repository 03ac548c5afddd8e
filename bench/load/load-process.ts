/** The process that sends the load: it takes orders from the run and answers each with what it measured. */
import autocannon from 'autocannon'
import type { BenchRequest } from '../dialect.ts'
import { type LoadOrder, type LoadResult, overtime } from './order.ts'

async function run(order: LoadOrder): Promise<LoadResult> {
  const { url, seconds, connections, requests, atLeast = 1, atMost = Number.POSITIVE_INFINITY } = order
  const times: number[] = []
  let client = 0
  const started = performance.now()
  let ended = started
  const { errors, non2xx } = await new Promise<autocannon.Result>((resolve, reject) => {
    const instance = autocannon(
      {
        url,
        connections,
        pipelining: 1,
        duration: seconds + overtime,
        timeout: seconds + overtime + 10,
        sampleInt: 20,
        // Every connection goes round its own part of the requests, or all would ask for the same at once.
        setupClient: (one) => {
          const parts = Math.min(connections, requests.length)
          const part = requests.filter((_, index) => index % parts === client % parts)
          client++
          one.setRequests(part.map(sent))
        },
      },
      (error, result) => {
        clearTimeout(timeIsUp)
        if (error) reject(error)
        else resolve(result)
      },
    )
    let isTime = false
    const stopIfDone = () => {
      if (times.length >= atMost || (isTime && times.length >= atLeast)) instance.stop()
    }
    const timeIsUp = setTimeout(() => {
      isTime = true
      stopIfDone()
    }, seconds * 1000)
    instance.on('response', (_client, _status, _bytes, time) => {
      times.push(time)
      ended = performance.now()
      stopIfDone()
    })
  })
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.floor(times.length * share)] ?? 0
  return {
    number: times.length,
    failures: errors + non2xx,
    seconds: (ended - started) / 1000,
    p50: at(0.5),
    p99: at(0.99),
  }
}

function sent({ method, path, body }: BenchRequest): autocannon.Request {
  return body === undefined ? { method, path } : { method, path, body, headers: { 'content-type': 'application/json' } }
}

process.on('message', async (order: LoadOrder) => process.send?.(await run(order)))
process.on('disconnect', () => process.exit())
