/** Mixed load on a service for a long time, and what its process holds meanwhile. */
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { Agent } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { type Random, randomFrom } from '@nomen/testing/random'
import { type Answer, type Asked, ask } from './ask.ts'
import { type Served, until } from './nomen.ts'

/** What was seen of one stretch of the run. */
export interface Stretch {
  readonly requests: number
  /** Of all answers, in milliseconds. */
  readonly p50: number
  readonly p99: number
  /** What is left after a collection of garbage, in bytes. */
  readonly heap: number
  readonly rss: number
  /** Open files and connections, when the clients have closed theirs. */
  readonly handles: number
}

export interface SoakOptions {
  readonly stretches: number
  /** The length of each, in milliseconds. */
  readonly length: number
  readonly clients: number
  /** Where the service's tap writes to. */
  readonly tap: string
  readonly onStretch?: (stretch: Stretch) => void
}

export async function soak(served: Served, options: SoakOptions): Promise<Stretch[]> {
  const found: Stretch[] = []
  for (let at = 0; at < options.stretches; at++) {
    const end = performance.now() + options.length
    const clients = Array.from({ length: options.clients }, (_, client) => client)
    const times = (await Promise.all(clients.map((client) => load(served, at * 100 + client, end)))).flat()
    times.sort((one, other) => one - other)
    const held = await holding(served, options.tap)
    const share = (part: number) => times[Math.floor(times.length * part)] ?? 0
    const stretch = { requests: times.length, p50: share(0.5), p99: share(0.99), ...held }
    found.push(stretch)
    options.onStretch?.(stretch)
  }
  return found
}

/** One client: reads, lists, searches, writes, what is refused, and connections that come and go. */
async function load(served: Served, seed: number, end: number): Promise<number[]> {
  const random = randomFrom(seed)
  const times: number[] = []
  let agent = new Agent({ keepAlive: true, maxSockets: 1 })
  for (let count = 0; performance.now() < end; count++) {
    const began = performance.now()
    await step(served.base, random, `${seed}.${count}.${Math.trunc(end)}`, agent)
    times.push(performance.now() - began)
    if (random.below(200) > 0) continue
    agent.destroy()
    agent = new Agent({ keepAlive: true, maxSockets: 1 })
    leave(served.port)
  }
  agent.destroy()
  return times
}

async function step(base: string, random: Random, mark: string, agent: Agent): Promise<void> {
  const id = 1 + random.below(100)
  const send = async (path: string, statuses: readonly number[], asked: Asked = {}): Promise<Answer> => {
    const answer = await ask(base + path, { ...asked, agent })
    if (!statuses.includes(answer.status)) throw new Error(`${path} was answered ${answer.status}: ${answer.bytes}`)
    return answer
  }
  const kind = random.below(20)
  if (kind < 8) await send(`/user/${id}`, [200])
  else if (kind < 12) await send(`/user?pageSize=20&pageNumber=${1 + random.below(5)}`, [200])
  else if (kind < 13) await send(`/user?search=${random.pick(['a', 'son', 'example'])}`, [200])
  else if (kind < 16) await send(`/user/${id}`, [200], { method: 'PATCH', body: { phone: mark } })
  else if (kind < 17) await send(`/user/${id}/preference?x=1`, [400])
  else if (kind < 18) await send('/user', [400], { method: 'POST', body: '{"broken' })
  else {
    const body = { firstName: 'Soak', lastName: mark, email: `soak.${mark}@example.com`, department: 1 }
    // few of them: what is answered by a key is kept for a day, by design
    const headers: Record<string, string> = random.below(10) === 0 ? { 'idempotency-key': mark } : {}
    const { headers: given } = await send('/user', [201], { method: 'POST', body, headers })
    await send(`${given.location}`, [200], { method: 'DELETE' })
  }
}

/** A client that goes before its answer comes. */
function leave(port: number): void {
  const socket = connect(port, '127.0.0.1', () => {
    socket.write('GET /user?pageSize=100 HTTP/1.1\r\nhost: localhost\r\n\r\n', () => socket.resetAndDestroy())
  })
  socket.on('error', () => undefined)
}

async function holding({ pid, kill }: Served, tap: string): Promise<Pick<Stretch, 'heap' | 'rss' | 'handles'>> {
  // connections that were closed a moment ago are gone by then
  await pause(200)
  rmSync(tap, { force: true })
  kill('SIGUSR2')
  let found: { heap: number; rss: number } | undefined
  const look = () => {
    try {
      found = JSON.parse(readFileSync(tap, 'utf8'))
    } catch {
      found = undefined
    }
    return found !== undefined
  }
  await until(look, 20_000, 'the service says what it holds')
  return { ...(found as { heap: number; rss: number }), handles: readdirSync(`/proc/${pid}/fd`).length }
}
