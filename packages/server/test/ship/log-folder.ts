/** A log in a folder of its own, and lines to write into it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AccessEntry, writeLine } from '@nomen/core'
import { type Aggregator, type Protocol, startAggregator } from '@nomen/testing/log-server/aggregator'
import { onTestFinished } from 'vitest'
import { openShipper, type ShipOptions } from '../../src/ship/open-shipper.ts'
import type { Shipper } from '../../src/ship/shipper.ts'

export function temporaryLog(): string {
  const folder = mkdtempSync(join(tmpdir(), 'nomen-ship-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  return join(folder, 'access.log')
}

/** Where the lines go, gone when the test is. */
export async function aggregatorOf(protocol: Protocol): Promise<Aggregator> {
  const aggregator = await startAggregator(protocol)
  onTestFinished(() => aggregator.stopListening())
  return aggregator
}

/** A line that no other is like, as the service writes it. */
export function line(number: number, more: Partial<AccessEntry> = {}): string {
  const base = { address: '10.0.0.1', port: 4000, user: undefined, time: Date.now(), method: 'GET' }
  const response = { protocol: 'HTTP/1.1', status: 200, size: 7, referrer: undefined, userAgent: 'shop/1.2' }
  return writeLine({ ...base, target: `/user/${number}`, ...response, ...more })
}

/** Lines of such numbers, each with its end. */
export function text(from: number, to: number): string {
  return Array.from({ length: to - from }, (_, index) => `${line(from + index)}\n`).join('')
}

/** The numbers of lines that arrived. */
export function numbers(lines: readonly string[]): number[] {
  return lines.map((line) => Number(/\/user\/(\d+)/.exec(line)?.[1]))
}

export const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, index) => from + index)

/** Does not wait for long, and sends little at once. */
export const fastRetries = {
  limit: { bytes: 16 * 1024, lines: 50 },
  lingerMs: 10,
  backoff: { firstMs: 5, maxMs: 40, rejectedMs: 60 },
}

export interface Shipping {
  readonly shipper: Shipper
  readonly notices: string[]
}

export function shipping(log: string, to: string, more: Partial<ShipOptions> = {}): Shipping {
  const notices: string[] = []
  const shipper = openShipper(
    { log, to, service: 'directory', instance: 'one', tuning: fastRetries, ...more },
    (notice) => notices.push(notice),
  )
  onTestFinished(() => shipper.stop())
  return { shipper, notices }
}
