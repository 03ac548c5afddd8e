// Random faults of the log, the shipper and the destination: in the end every line has arrived.
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
import { gzipSync } from 'node:zlib'
import type { Aggregator, Fault } from '@nomen/testing/log-server/aggregator'
import { lokiProtocol } from '@nomen/testing/log-server/loki'
import { openSearchProtocol } from '@nomen/testing/log-server/opensearch'
import { otlpProtocol } from '@nomen/testing/log-server/otlp'
import { array, asyncProperty, assert as check, constant, constantFrom, integer, oneof, record } from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Destination } from '../../src/ship/destination/destination.ts'
import { openDestination } from '../../src/ship/destination/open.ts'
import { Shipper } from '../../src/ship/shipper.ts'
import { PositionFile } from '../../src/ship/tail/position-file.ts'
import { Tail } from '../../src/ship/tail/tail.ts'
import { aggregatorOf, fastRetries, line, numbers, range, temporaryLog } from './log-folder.ts'

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
  record({ kind: constant('ship' as const), count: integer({ min: 1, max: 200 }) }),
  record({ kind: constant('ship' as const), count: integer({ min: 1, max: 200 }) }),
)

type Step = typeof step extends { generate: (...args: never[]) => { value: infer Value } } ? Value : never

/** The log, the shipper, which can be killed at any moment, and where the lines go. */
class World {
  written = 0
  unanswered = 0
  readonly #log: string
  readonly #aggregator: Aggregator
  #isAway = false
  #rest = ''
  #life: Life | undefined

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
    else if (next.kind === 'leave') await this.#leave()
    else if (next.kind === 'come back') await this.comeBack()
    else if (next.kind === 'kill') this.kill()
    else if (next.kind === 'start') this.start()
    else if (next.kind === 'ship') await this.#ship(next.count)
    // lines that were accepted although the sender got no response
    const isUnanswered = next.kind === 'fault' && next.fault.kind === 'cut after'
    if (isUnanswered || next.kind === 'leave' || next.kind === 'kill') this.unanswered++
  }

  start(): void {
    this.#life ??= begun(this.#log, this.#aggregator.to)
  }

  kill(): void {
    if (this.#life) this.#life.isOver = true
    this.#life = undefined
  }

  /** Until something has arrived, where something can. */
  async #ship(count: number): Promise<void> {
    const { lines } = this.#aggregator
    const enough = Math.min(this.written, lines.length + count)
    const end = performance.now() + (this.#life && !this.#isAway ? 300 : 30)
    while (lines.length < enough && performance.now() < end) await pause(1)
  }

  async #leave(): Promise<void> {
    this.#isAway = true
    await this.#aggregator.stopListening()
  }

  async comeBack(): Promise<void> {
    this.#isAway = false
    await this.#aggregator.resumeListening()
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
      .sort((a, b) => a.number - b.number)
  }
}

interface Life {
  isOver: boolean
}

/** A shipper that does nothing after the end of its life: it receives no response and saves no position. */
function begun(log: string, to: string): Life {
  const life: Life = { isOver: false }
  const never = new Promise<never>(() => undefined)
  const unlessOver = async <Value>(begin: () => Promise<Value>): Promise<Value> => {
    if (life.isOver) return never
    const result = await begin()
    return life.isOver ? never : result
  }
  const origin = { service: 'model', instance: 'one', labels: {}, route: () => undefined }
  const destination = openDestination({ to }, origin)
  const positions = new PositionFile(`${log}.shipped.json`)
  const notices: string[] = []
  const onNotice = (notice: string) => notices.push(notice)
  const tail = new Tail({
    log,
    positions: {
      load: () => unlessOver(() => positions.load()),
      save: (all) => unlessOver(() => positions.save(all)),
    },
    onFault: onNotice,
  })
  const mortal: Destination = { ...destination, send: (...args) => unlessOver(() => destination.send(...args)) }
  const shipper = new Shipper({ tail, destination: mortal, onNotice, ...fastRetries })
  shipper.start()
  return life
}

describe('shipping', () => {
  it.each(Object.entries(protocols))(
    'delivers every line to %s, in order, and few of them twice',
    async (_, protocol) => {
      const steps = array(step, { minLength: 15, maxLength: 50, size: 'max' })
      const property = asyncProperty(steps, async (chosen) => {
        const aggregator = await aggregatorOf(protocol())
        const world = new World(temporaryLog(), aggregator)
        onTestFinished(() => world.kill())
        world.start()
        for (const next of chosen) await world.take(next)
        world.endLine()
        aggregator.faults.length = 0
        await aggregator.resumeListening()
        world.start()
        const arrived = () => new Set(numbers(aggregator.lines))
        await expect.poll(() => arrived().size, { timeout: 15_000, interval: 10 }).toBe(world.written)
        expect([...arrived()]).toEqual(range(0, world.written))
        expect(aggregator.violations).toEqual([])
        expect(aggregator.lines.length - world.written).toBeLessThanOrEqual(world.unanswered * fastRetries.limit.lines)
        await world.kill()
        await aggregator.stopListening()
      })
      await check(property, { numRuns: Number(process.env.SHIP_RUNS ?? 8), endOnFailure: true })
    },
  )
})
