/** Mixed load on a service for a long time, with the memory and handles of its process. */
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { Agent } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { type Random, randomFrom } from '@nomen/testing/random'
import { type RunningServer, waitUntil } from './nomen.ts'
import { type HttpResponse, type RequestOptions, sendRequest } from './send-request.ts'

/** The measurements of one interval. */
export interface Interval {
  readonly requests: number
  /** The median response time in milliseconds. */
  readonly p50: number
  readonly p99: number
  /** The heap after a garbage collection, in bytes. */
  readonly heap: number
  readonly rss: number
  /** Open files and connections after the clients have closed theirs. */
  readonly handles: number
}

export interface SoakOptions {
  readonly intervals: number
  /** The duration of each interval. */
  readonly durationMs: number
  readonly clients: number
  /** The file to which tap.ts writes the memory usage. */
  readonly usageFile: string
  readonly onInterval?: (interval: Interval) => void
}

export async function soak(server: RunningServer, options: SoakOptions): Promise<Interval[]> {
  const intervals: Interval[] = []
  for (let index = 0; index < options.intervals; index++) {
    const endTime = performance.now() + options.durationMs
    const clients = Array.from({ length: options.clients }, (_, client) => client)
    const times = (await Promise.all(clients.map((client) => load(server, index * 100 + client, endTime)))).flat()
    times.sort((a, b) => a - b)
    const usage = await usageOf(server, options.usageFile)
    const percentile = (fraction: number) => times[Math.floor(times.length * fraction)] ?? 0
    const interval = { requests: times.length, p50: percentile(0.5), p99: percentile(0.99), ...usage }
    intervals.push(interval)
    options.onInterval?.(interval)
  }
  return intervals
}

/** One client: reads, lists, searches, writes, invalid requests, and new connections. */
async function load(server: RunningServer, seed: number, endTime: number): Promise<number[]> {
  const random = randomFrom(seed)
  const times: number[] = []
  let agent = new Agent({ keepAlive: true, maxSockets: 1 })
  for (let count = 0; performance.now() < endTime; count++) {
    const startTime = performance.now()
    await step(server.base, random, `${seed}.${count}.${Math.trunc(endTime)}`, agent)
    times.push(performance.now() - startTime)
    if (random.below(200) > 0) continue
    agent.destroy()
    agent = new Agent({ keepAlive: true, maxSockets: 1 })
    disconnectEarly(server.port)
  }
  agent.destroy()
  return times
}

async function step(base: string, random: Random, marker: string, agent: Agent): Promise<void> {
  const id = 1 + random.below(100)
  const send = async (
    path: string,
    statuses: readonly number[],
    options: RequestOptions = {},
  ): Promise<HttpResponse> => {
    const response = await sendRequest(base + path, { ...options, agent })
    if (!statuses.includes(response.status)) throw new Error(`${path} got ${response.status}: ${response.bytes}`)
    return response
  }
  const kind = random.below(20)
  if (kind < 8) await send(`/user/${id}`, [200])
  else if (kind < 12) await send(`/user?pageSize=20&pageNumber=${1 + random.below(5)}`, [200])
  else if (kind < 13) await send(`/user?search=${random.pick(['a', 'son', 'example'])}`, [200])
  else if (kind < 16) await send(`/user/${id}`, [200], { method: 'PATCH', body: { phone: marker } })
  else if (kind < 17) await send(`/user/${id}/preference?x=1`, [400])
  else if (kind < 18) await send('/user', [400], { method: 'POST', body: '{"broken' })
  else {
    const body = { firstName: 'Soak', lastName: marker, email: `soak.${marker}@example.com`, department: 1 }
    // Only a few: responses with an Idempotency-Key are stored for a day.
    const headers: Record<string, string> = random.below(10) === 0 ? { 'idempotency-key': marker } : {}
    const { headers: responseHeaders } = await send('/user', [201], { method: 'POST', body, headers })
    await send(`${responseHeaders.location}`, [200], { method: 'DELETE' })
  }
}

/** A client that disconnects before its response. */
function disconnectEarly(port: number): void {
  const socket = connect(port, '127.0.0.1', () => {
    socket.write('GET /user?pageSize=100 HTTP/1.1\r\nhost: localhost\r\n\r\n', () => socket.resetAndDestroy())
  })
  socket.on('error', () => undefined)
}

async function usageOf(
  { pid, kill }: RunningServer,
  usageFile: string,
): Promise<Pick<Interval, 'heap' | 'rss' | 'handles'>> {
  // Wait until recently closed connections are released.
  await pause(200)
  rmSync(usageFile, { force: true })
  kill('SIGUSR2')
  let usage: { heap: number; rss: number } | undefined
  const readUsage = () => {
    try {
      usage = JSON.parse(readFileSync(usageFile, 'utf8'))
    } catch {
      usage = undefined
    }
    return usage !== undefined
  }
  await waitUntil(readUsage, 20_000, 'the service writes its memory usage')
  return { ...(usage as { heap: number; rss: number }), handles: readdirSync(`/proc/${pid}/fd`).length }
}
