/** `npm run bench:overload`: what a service still does when five times as much is asked of it as it can do. */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import autocannon from 'autocannon'
import { end } from '../child.ts'
import { service, start } from '../contender.ts'
import { machine } from '../report.ts'
import { say, session } from '../session.ts'
import { positive } from '../settings.ts'

const help = `npm run bench:overload -- [options]

Measures how many lists a second the service answers with a few connections, then asks for five times as many over
many connections, and looks at /health/live meanwhile: once with load shedding, once without.

  --users <number>    records in the database, 10000 unless given
  --seconds <number>  length of each part, 6 unless given
  --factor <number>   how many times as much is asked, 5 unless given`

/** A list that looks at every record: some milliseconds of the processor, in the process that serves. */
const path = '/user?search=nobody'

const bars = { goodput: 0.8, health: 100 }

interface Part {
  /** A second. */
  readonly answered: number
  readonly refused: number
  /** Milliseconds, of those that were answered. */
  readonly p50: number
  readonly p99: number
}

/** As many requests as the connections take, or so many a second in all. */
async function load(url: string, connections: number, seconds: number, rate?: number): Promise<Part> {
  const times: number[] = []
  let refused = 0
  const options = { url: `${url}${path}`, connections, duration: seconds, timeout: 30 }
  await new Promise<void>((resolve, reject) => {
    const done = (error: unknown) => (error ? reject(error) : resolve())
    const running = autocannon({ ...options, ...(rate !== undefined && { overallRate: rate }) }, done)
    running.on('response', (_, status, _bytes, time) => {
      if (status === 200) times.push(time)
      else refused++
    })
  })
  times.sort((one, other) => one - other)
  const at = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN
  return { answered: times.length / seconds, refused: refused / seconds, p50: at(0.5), p99: at(0.99) }
}

/** How long `/health/live` takes, asked every 50 ms on a thread of its own until it is stopped. In milliseconds. */
function probe(url: string): { stop(): Promise<readonly number[]> } {
  const worker = new Worker(new URL('./probe.ts', import.meta.url), { workerData: `${url}/health/live` })
  return {
    stop: () =>
      new Promise((resolve, reject) => {
        worker.once('message', resolve).once('error', reject)
        worker.postMessage('stop')
      }),
  }
}

function line(name: string, { answered, refused, p50, p99 }: Part, capacity: number): string {
  const share = `${Math.round((answered / capacity) * 100)} %`
  return `${name.padEnd(26)} ${answered.toFixed(0).padStart(6)} a second (${share}), ${refused.toFixed(0)} refused, p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`
}

function healthLine(times: readonly number[]): string {
  const sorted = times.toSorted((one, other) => one - other)
  const at = (share: number) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN).toFixed(0)
  return `${'  /health/live'.padEnd(26)} p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, most ${at(1)} ms, asked ${sorted.length} times`
}

await session('bench:overload', async (folder) => {
  const text = { type: 'string' } as const
  const { values } = parseArgs({ options: { users: text, seconds: text, factor: text, help: { type: 'boolean' } } })
  if (values.help) return console.log(help)
  const seconds = positive('seconds', values.seconds, 6)
  const factor = positive('factor', values.factor, 5)
  const users = positive('users', values.users, 10_000)
  console.log(machine())
  for (const isShedding of [true, false]) {
    const { url, child } = await start(service, join(folder, `${isShedding}.db`), folder, {
      SAMPLE_USERS: `${users}`,
      WAIT_LIMIT: isShedding ? '' : '0',
    })
    say('capacity')
    await load(url, 8, 1)
    const capacity = await load(url, 8, seconds)
    say('overload')
    const health = probe(url)
    // The first second is the burst that nothing is refused in.
    await load(url, 200, 1, Math.round(capacity.answered * factor))
    const overload = await load(url, 200, seconds, Math.round(capacity.answered * factor))
    const times = await health.stop()
    say('')
    console.log(isShedding ? '\nwith load shedding' : '\nwithout')
    console.log(line('8 connections, all they take', capacity, capacity.answered))
    console.log(line(`${factor} times as much`, overload, capacity.answered))
    console.log(healthLine(times))
    const isHeld = overload.answered >= bars.goodput * capacity.answered && Math.max(...times) <= bars.health
    if (isShedding) console.log(isHeld ? 'The bars are held.' : `Below the bars: ${JSON.stringify(bars)}`)
    await end(child)
  }
})
