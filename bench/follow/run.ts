/** `npm run bench:follow`: the cost of many open streams of changes. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startPostgres } from '@nomen/testing/postgres'
import { end, startNode, type Usage, usageOf } from '../child.ts'
import { databaseNames } from '../database-name.ts'
import { markdownTable } from '../markdown.ts'
import { machine } from '../report.ts'
import { say, session } from '../session.ts'
import { positive } from '../settings.ts'
import { spread } from '../statistic.ts'

const help = `npm run bench:follow -- [options]

Opens many streams of changes, and measures memory, CPU without changes, and the time and CPU until a change has reached every stream.

  --streams <number>   open streams (default: 10000)
  --changes <number>   changes, one after the other (default: 20)
  --seconds <number>   length of the measurement without changes (default: 30)`

/** Connections that are opened at the same time. */
const atOnce = 100

interface Stream {
  readonly socket: Socket
  /** The number of events with data that were received. */
  received: number
}

async function openStream(url: URL, streams: Stream[]): Promise<void> {
  const socket = connect(Number(url.port), url.hostname)
  const stream = { socket, received: 0 }
  streams.push(stream)
  await once(socket, 'connect')
  const first = once(socket, 'data')
  socket.on('data', (data: Buffer) => {
    if (data.includes('data: ')) stream.received++
  })
  socket.write(`GET /change HTTP/1.1\r\nhost: ${url.host}\r\naccept: text/event-stream\r\n\r\n`)
  const [head] = await first
  if (!`${head}`.startsWith('HTTP/1.1 200')) throw new Error(`A stream was refused: ${`${head}`.slice(0, 200)}`)
}

async function openStreams(url: URL, number: number): Promise<readonly Stream[]> {
  const streams: Stream[] = []
  while (streams.length < number)
    await Promise.all(Array.from({ length: Math.min(atOnce, number - streams.length) }, () => openStream(url, streams)))
  return streams
}

/** Makes a change and waits until every stream has it. Returns the time in milliseconds. */
async function reachAll(url: URL, streams: readonly Stream[], number: number): Promise<number> {
  const start = performance.now()
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(new URL('/note', url), { method: 'POST', headers, body: '{"line":"x"}' })
  if (response.status !== 201) throw new Error(`The change was refused: ${response.status}.`)
  while (streams.some(({ received }) => received < number)) await pause(5)
  return performance.now() - start
}

function usage(child: ChildProcess): Usage {
  const figures = usageOf(child)
  if (!figures) throw new Error('Memory and CPU time can be measured on Linux only.')
  return figures
}

await session('bench:follow', async (folder) => {
  const option = { type: 'string' } as const
  const options = { streams: option, changes: option, seconds: option, help: { type: 'boolean' } } as const
  const { values } = parseArgs({ options })
  if (values.help) return console.log(help)
  const number = positive('streams', values.streams, 10_000)
  const changes = positive('changes', values.changes, 20)
  const seconds = positive('seconds', values.seconds, 30)
  console.log(machine())
  const lines: string[][] = []
  for (const kind of ['sqlite', 'postgres'] as const) {
    say(`${databaseNames[kind]}: ${number} streams`)
    const server = kind === 'postgres' ? await startPostgres() : undefined
    const database = (await server?.createDatabase()) ?? `sqlite:${join(folder, 'notes.db')}`
    const child = startNode([fileURLToPath(import.meta.resolve('./service.ts')), database])
    const [line] = await once(child.stdout as NodeJS.ReadableStream, 'data')
    const url = new URL(`${line}`.trim())
    await reachAll(url, [], 0)
    const before = usage(child)
    const streams = await openStreams(url, number)
    const opened = usage(child)
    await pause(seconds * 1000)
    const idle = usage(child)
    const times: number[] = []
    for (let at = 1; at <= changes; at++) times.push(await reachAll(url, streams, at))
    const after = usage(child)
    const perStream = ((idle.memory - before.memory) * 1024) / number
    lines.push([
      databaseNames[kind],
      `${perStream.toFixed(1)} KiB`,
      `${(((idle.processor - opened.processor) / seconds) * 100).toFixed(1)} %`,
      `${Math.round(spread(times).median)} ms`,
      `${Math.round(((after.processor - idle.processor) / changes) * 1000)} ms`,
    ])
    for (const { socket } of streams) socket.destroy()
    await end(child)
    await server?.remove()
  }
  say('')
  const heads = ['', 'memory per stream', 'CPU without changes', 'change reaches all', 'CPU per change']
  console.log(`\n${number} streams:\n\n${markdownTable(heads, lines)}`)
})
