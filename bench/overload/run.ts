/** `npm run bench:overload`: what a service still does when five times as much is asked of it as it can do. */
import { once } from 'node:events'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import autocannon from 'autocannon'
import { end, usageOf } from '../child.ts'
import { type Served, service, start } from '../contender.ts'
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

/** Fewer than a listening socket holds that are not accepted yet: what is dropped there is tried again seconds later. */
const many = 400

interface Part {
  /** A second. */
  readonly answered: number
  readonly refused: number
  /** Milliseconds, of those that were answered. */
  readonly p50: number
  readonly p99: number
  /** Answers for each second of the server's processor time: what others take of the machine does not count. */
  readonly each: number | undefined
}

/** As many requests as the connections take, or so many a second in all. */
async function load({ url, child }: Served, connections: number, seconds: number, rate?: number): Promise<Part> {
  const before = usageOf(child)?.processor
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
  const after = usageOf(child)?.processor
  const each = before && after ? times.length / (after - before) : undefined
  times.sort((one, other) => one - other)
  const at = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN
  return { answered: times.length / seconds, refused: refused / seconds, p50: at(0.5), p99: at(0.99), each }
}

/** How long `/health/live` takes, asked every 50 ms on a thread of its own until it is stopped. In milliseconds. */
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

function line(name: string, { answered, refused, p50, p99, each }: Part): string {
  const rates = `${answered.toFixed(0).padStart(6)} answered a second, ${refused.toFixed(0).padStart(5)} refused`
  const share = each === undefined ? '' : `, ${each.toFixed(0)} answered a second of its processor time`
  return `${name.padEnd(30)} ${rates}, p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms${share}`
}

/** By processor time where that is known. */
function goodput(overload: Part, capacity: Part): number {
  const [one, other] = [overload.each, capacity.each]
  return one !== undefined && other !== undefined ? one / other : overload.answered / capacity.answered
}

function healthLine(times: readonly number[]): string {
  const sorted = times.toSorted((one, other) => one - other)
  const at = (share: number) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN).toFixed(0)
  return `${'  /health/live'.padEnd(30)} p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, most ${at(1)} ms, asked ${sorted.length} times`
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
    const served = await start(service, join(folder, `${isShedding}.db`), folder, {
      SAMPLE_USERS: `${users}`,
      WAIT_LIMIT: isShedding ? '' : '0',
    })
    say('capacity')
    await load(served, 8, 1)
    const capacity = await load(served, 8, seconds)
    say('overload')
    const health = await probe(served.url)
    // The first second is the burst that nothing is refused in.
    await load(served, many, 1, Math.round(capacity.answered * factor))
    const overload = await load(served, many, seconds, Math.round(capacity.answered * factor))
    const times = await health.stop()
    say('')
    console.log(isShedding ? '\nwith load shedding' : '\nwithout')
    console.log(line('8 connections, all they take', capacity))
    console.log(line(`${factor} times as much`, overload))
    console.log(healthLine(times))
    const share = goodput(overload, capacity)
    const slowest = Math.max(...times)
    const isHeld = share >= bars.goodput && slowest <= bars.health
    console.log(
      `goodput ${share.toFixed(2)} of capacity (bar ${bars.goodput}), health within ${slowest.toFixed(0)} ms (bar ${bars.health})`,
    )
    if (isShedding && !isHeld) console.log('Below the bars.')
    await end(served.child)
  }
})
