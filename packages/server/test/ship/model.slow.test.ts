// Whatever is done to a log, to whoever ships it and to whoever it is shipped to: in the end every line has arrived.
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { gzipSync } from 'node:zlib'
import type { Aggregator, Fault } from '@nomen/testing/log-server/aggregator'
import { lokiProtocol } from '@nomen/testing/log-server/loki'
import { openSearchProtocol } from '@nomen/testing/log-server/opensearch'
import { otlpProtocol } from '@nomen/testing/log-server/otlp'
import { array, asyncProperty, assert as check, constant, constantFrom, integer, oneof, record } from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { ShipOptions } from '../../src/ship/open-shipper.ts'
import { aggregatorOf, hasty, line, numbers, range, temporaryLog } from './log-folder.ts'

const protocols = { loki: lokiProtocol, otlp: otlpProtocol, opensearch: openSearchProtocol }

const faults: readonly Fault[] = [
  { kind: 'cut' },
  { kind: 'cut after' },
  { kind: 'slow', time: 60 },
  { kind: 'answer', reply: { status: 429, headers: { 'retry-after': '0' } } },
  { kind: 'answer', reply: { status: 500 } },
  { kind: 'answer', reply: { status: 503 } },
]

/** One thing that happens. */
const step = oneof(
  record({ kind: constant('write' as const), count: integer({ min: 1, max: 130 }) }),
  record({ kind: constant('write half a line' as const) }),
  record({ kind: constantFrom('rename' as const, 'rename' as const, 'compress' as const, 'copy and empty' as const) }),
  record({ kind: constant('fault' as const), fault: constantFrom(...faults) }),
  record({ kind: constantFrom('leave' as const, 'come back' as const) }),
  record({ kind: constantFrom('kill' as const, 'start' as const) }),
  record({ kind: constant('wait' as const), time: integer({ min: 1, max: 80 }) }),
)

type Step = typeof step extends { generate: (...given: never[]) => { value: infer Value } } ? Value : never

/** The log, the shipper in a thread that can be killed at any moment, and where the lines go. */
class World {
  written = 0
  disturbances = 0
  readonly #log: string
  readonly #aggregator: Aggregator
  #rest = ''
  #worker: Worker | undefined

  constructor(log: string, aggregator: Aggregator) {
    this.#log = log
    this.#aggregator = aggregator
  }

  async take(next: Step): Promise<void> {
    if (next.kind === 'write') this.#write(next.count)
    else if (next.kind === 'write half a line') this.#writeHalf()
    else if (next.kind === 'rename') this.#putAside((aside) => renameSync(this.#log, aside))
    else if (next.kind === 'copy and empty') this.#putAside((aside) => this.#copy(aside))
    else if (next.kind === 'compress') this.#compress()
    else if (next.kind === 'fault') this.#aggregator.faults.push(next.fault)
    else if (next.kind === 'leave') await this.#aggregator.leave()
    else if (next.kind === 'come back') await this.#aggregator.comeBack()
    else if (next.kind === 'kill') await this.kill()
    else if (next.kind === 'start') this.start()
    else if (next.kind === 'wait') await pause(next.time)
    if (['fault', 'leave', 'kill'].includes(next.kind)) this.disturbances++
  }

  start(): void {
    const options: ShipOptions = { log: this.#log, to: this.#aggregator.to, service: 'model', pace: hasty }
    this.#worker ??= new Worker(new URL('../../src/ship/ship-thread.ts', import.meta.url), { workerData: options })
  }

  async kill(): Promise<void> {
    await this.#worker?.terminate()
    this.#worker = undefined
  }

  endLine(): void {
    if (this.#rest !== '') appendFileSync(this.#log, this.#rest)
    this.#rest = ''
  }

  #write(count: number): void {
    this.endLine()
    const lines = Array.from({ length: count }, () => `${line(this.written++)}\n`)
    appendFileSync(this.#log, lines.join(''))
  }

  #writeHalf(): void {
    this.endLine()
    const text = `${line(this.written++)}\n`
    appendFileSync(this.#log, text.slice(0, 40))
    this.#rest = text.slice(40)
  }

  /** As logrotate does: every number becomes the next. */
  #putAside(put: (aside: string) => void): void {
    this.endLine()
    if (!existsSync(this.#log)) return
    for (const { number, end } of this.#asides().toReversed())
      renameSync(`${this.#log}.${number}${end}`, `${this.#log}.${number + 1}${end}`)
    put(`${this.#log}.1`)
  }

  #copy(aside: string): void {
    copyFileSync(this.#log, aside)
    truncateSync(this.#log)
  }

  #compress(): void {
    const last = this.#asides().findLast(({ end }) => end === '')
    if (!last) return
    const path = `${this.#log}.${last.number}`
    writeFileSync(`${path}.gz`, gzipSync(readFileSync(path)))
    rmSync(path)
  }

  #asides(): { number: number; end: string }[] {
    const start = `${basename(this.#log)}.`
    return readdirSync(dirname(this.#log))
      .flatMap((name) => {
        const [, number, end = ''] = /^(\d+)(\.gz)?$/.exec(name.slice(start.length)) ?? []
        return name.startsWith(start) && number ? [{ number: Number(number), end }] : []
      })
      .sort((one, other) => one.number - other.number)
  }
}

describe('shipping', () => {
  it.each(Object.entries(protocols))(
    'brings every line to %s, in order, and few of them twice',
    async (_, protocol) => {
      const steps = array(step, { minLength: 12, maxLength: 30 })
      const property = asyncProperty(steps, async (given) => {
        const aggregator = await aggregatorOf(protocol())
        const world = new World(temporaryLog(), aggregator)
        onTestFinished(() => world.kill())
        world.start()
        for (const next of given) await world.take(next)
        world.endLine()
        aggregator.faults.length = 0
        await aggregator.comeBack()
        world.start()
        const arrived = () => new Set(numbers(aggregator.lines))
        await expect.poll(() => arrived().size, { timeout: 15_000, interval: 10 }).toBe(world.written)
        expect([...arrived()]).toEqual(range(0, world.written))
        expect(aggregator.violations).toEqual([])
        expect(aggregator.lines.length - world.written).toBeLessThanOrEqual(world.disturbances * hasty.limit.lines)
        await world.kill()
        await aggregator.leave()
      })
      await check(property, { numRuns: Number(process.env.SHIP_RUNS ?? 4), endOnFailure: true })
    },
  )
})
