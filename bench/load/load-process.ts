/** The process that sends the load: it receives orders, and returns the measurement of each. */
import autocannon from 'autocannon'
import type { BenchRequest } from '../dialect.ts'
import { runOpenLoop } from './open-loop.ts'
import { type LoadOrder, type LoadResult, overtime } from './order.ts'
import { percentile } from './percentile.ts'

/** How many requests are sent on a connection before the first response, with pipelining. */
const pipelinedRequests = 8

async function runClosedLoop(order: LoadOrder): Promise<LoadResult> {
  const { url, seconds, connections, connection: use, requests, atLeast = 1, atMost = Number.POSITIVE_INFINITY } = order
  const pipelining = use === 'pipelined' ? pipelinedRequests : 1
  const headers: Record<string, string> = use === 'new' ? { connection: 'close' } : {}
  const times: number[] = []
  let client = 0
  const startTime = performance.now()
  let endTime = startTime
  const { errors, non2xx } = await new Promise<autocannon.Result>((resolve, reject) => {
    const instance = autocannon(
      {
        url,
        connections,
        pipelining,
        headers,
        duration: seconds + overtime,
        timeout: seconds + overtime + 10,
        sampleInt: 20,
        // With pipelining, autocannon accepts only the same requests for all connections.
        ...(use === 'pipelined'
          ? { requests: requests.map(toRequest) }
          : {
              // Every connection repeats its own part of the requests, so that they do not all send the same ones.
              setupClient: (connection: autocannon.Client) => {
                const parts = Math.min(connections, requests.length)
                const part = requests.filter((_, index) => index % parts === client % parts)
                client++
                connection.setRequests(part.map(toRequest))
              },
            }),
      },
      (error, result) => {
        clearTimeout(timeIsUp)
        if (error) reject(error)
        else resolve(result)
      },
    )
    let isTimeUp = false
    const stopIfDone = () => {
      if (times.length >= atMost || (isTimeUp && times.length >= atLeast)) instance.stop()
    }
    const timeIsUp = setTimeout(() => {
      isTimeUp = true
      stopIfDone()
    }, seconds * 1000)
    instance.on('response', (_client, _status, _bytes, time) => {
      times.push(time)
      endTime = performance.now()
      stopIfDone()
    })
  })
  times.sort((a, b) => a - b)
  return {
    number: times.length,
    failures: errors + non2xx,
    seconds: (endTime - startTime) / 1000,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    p999: percentile(times, 0.999),
  }
}

function toRequest({ method, path, body, headers = {} }: BenchRequest): autocannon.Request {
  if (body === undefined) return { method, path, headers }
  return { method, path, body, headers: { 'content-type': 'application/json', ...headers } }
}

process.on('message', async (order: LoadOrder) => {
  const { rate } = order
  process.send?.(await (rate === undefined ? runClosedLoop(order) : runOpenLoop({ ...order, rate })))
})
process.on('disconnect', () => process.exit())
