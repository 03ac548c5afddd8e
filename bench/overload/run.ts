/** `npm run bench:overload`: the behavior of a service at five times its capacity. */
import { once } from 'node:events'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import compile from '@nomen/testing/compile'
import autocannon from 'autocannon'
import { end, usageOf } from '../child.ts'
import { type RunningContender, service, start } from '../contender.ts'
import { percentile } from '../load/percentile.ts'
import { machine } from '../report.ts'
import { say, session } from '../session.ts'
import { positive } from '../settings.ts'

const help = `npm run bench:overload -- [options]

Measures how many lists per second the service serves with a few connections, then sends five times as many over
many connections, and polls /health/live: once with load shedding, once without.

  --users <number>    records in the database (default: 10000)
  --seconds <number>  length of each part (default: 6)
  --factor <number>   load as a multiple of the capacity (default: 5)`

/** A list that reads every record: some milliseconds of CPU time in the serving process. */
const path = '/user?search=nobody'

const limits = { goodput: 0.8, health: 100 }

/** Less than the backlog of a listening socket, because dropped connections would be retried seconds later. */
const overloadConnections = 400

interface LoadResult {
  /** Responses per second. */
  readonly successes: number
  readonly rejections: number
  /** Milliseconds, of the successful responses. */
  readonly p50: number
  readonly p99: number
  /** Responses per second of the server's CPU time, which other programs do not affect. */
  readonly successesPerCpuSecond: number | undefined
}

/** As many requests as the connections allow, or at a total rate per second. */
async function load(
  { url, child }: RunningContender,
  connections: number,
  seconds: number,
  rate?: number,
): Promise<LoadResult> {
  const before = usageOf(child)?.processor
  const times: number[] = []
  let rejections = 0
  const options = { url: `${url}${path}`, connections, duration: seconds, timeout: 30 }
  await new Promise<void>((resolve, reject) => {
    const finish = (error: unknown) => (error ? reject(error) : resolve())
    const instance = autocannon({ ...options, ...(rate !== undefined && { overallRate: rate }) }, finish)
    instance.on('response', (_, status, _bytes, time) => {
      if (status === 200) times.push(time)
      else rejections++
    })
  })
  const after = usageOf(child)?.processor
  const successesPerCpuSecond = before && after ? times.length / (after - before) : undefined
  times.sort((a, b) => a - b)
  return {
    successes: times.length / seconds,
    rejections: rejections / seconds,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    successesPerCpuSecond,
  }
}

/** Measures `/health/live` every 50 ms on a separate thread until it is stopped, in milliseconds. */
async function probe(url: string): Promise<{ stop(): Promise<readonly number[]> }> {
  const worker = new Worker(new URL('./probe.ts', import.meta.url), { workerData: `${url}/health/live` })
  await once(worker, 'message')
  return {
    stop: () =>
      new Promise((resolve, reject) => {
        worker.once('message', resolve).once('error', reject)
        worker.postMessage('stop')
      }),
  }
}

function line(name: string, { successes, rejections, p50, p99, successesPerCpuSecond }: LoadResult): string {
  const rates = `${successes.toFixed(0).padStart(6)} served per second, ${rejections.toFixed(0).padStart(5)} refused`
  const share =
    successesPerCpuSecond === undefined ? '' : `, ${successesPerCpuSecond.toFixed(0)} served per second of CPU time`
  return `${name.padEnd(30)} ${rates}, p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms${share}`
}

/** The ratio of successful responses, by CPU time if it is known. */
function goodput(overload: LoadResult, capacity: LoadResult): number {
  const [overloaded, normal] = [overload.successesPerCpuSecond, capacity.successesPerCpuSecond]
  return overloaded !== undefined && normal !== undefined
    ? overloaded / normal
    : overload.successes / capacity.successes
}

function healthLine(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b)
  const [p50, p99, maximum] = [0.5, 0.99, 1].map((share) => percentile(sorted, share).toFixed(0))
  return `${'  /health/live'.padEnd(30)} p50 ${p50} ms, p99 ${p99} ms, maximum ${maximum} ms, ${sorted.length} requests`
}

await session('bench:overload', async (folder) => {
  const text = { type: 'string' } as const
  const { values } = parseArgs({ options: { users: text, seconds: text, factor: text, help: { type: 'boolean' } } })
  if (values.help) return console.log(help)
  const seconds = positive('seconds', values.seconds, 6)
  const factor = positive('factor', values.factor, 5)
  const users = positive('users', values.users, 10_000)
  await compile()
  console.log(machine())
  for (const isShedding of [true, false]) {
    const contender = await start(service, join(folder, `${isShedding}.db`), folder, {
      SAMPLE_USERS: `${users}`,
      WAIT_LIMIT: isShedding ? '' : '0',
    })
    say('capacity')
    await load(contender, 8, 1)
    const capacity = await load(contender, 8, seconds)
    say('overload')
    const health = await probe(contender.url)
    // In the first second, the service rejects no requests yet.
    await load(contender, overloadConnections, 1, Math.round(capacity.successes * factor))
    const overload = await load(contender, overloadConnections, seconds, Math.round(capacity.successes * factor))
    const times = await health.stop()
    say('')
    console.log(isShedding ? '\nwith load shedding' : '\nwithout')
    console.log(line('8 connections, full speed', capacity))
    console.log(line(`${factor} times the capacity`, overload))
    console.log(healthLine(times))
    const share = goodput(overload, capacity)
    const slowest = Math.max(...times)
    const isWithinLimits = share >= limits.goodput && slowest <= limits.health
    console.log(
      `goodput ${share.toFixed(2)} of capacity (bar ${limits.goodput}), health within ${slowest.toFixed(0)} ms (bar ${limits.health})`,
    )
    if (isShedding && !isWithinLimits) console.log('Below the bars.')
    await end(contender.child)
  }
})
