// A log is followed through rotations, from the last shipped position.
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { Aggregator } from '@nomen/testing/log-server/aggregator'
import { otlpProtocol } from '@nomen/testing/log-server/otlp'
import { describe, expect, it } from 'vitest'
import { aggregatorOf, line, numbers, range, shipping, temporaryLog, text } from './log-folder.ts'

/** Ships the existing lines as a new process would: it knows only the position file. */
async function shipOnce(log: string, aggregator: Aggregator): Promise<number[]> {
  const before = aggregator.lines.length
  const { shipper, notices } = shipping(log, aggregator.to)
  expect(await shipper.once(5000)).toBe(true)
  await shipper.stop()
  expect([notices, aggregator.violations]).toEqual([[], []])
  return numbers(aggregator.lines.slice(before))
}

function gzip(path: string): void {
  writeFileSync(`${path}.gz`, gzipSync(readFileSync(path)))
  rmSync(path)
}

describe('a log', () => {
  it('is shipped from the last position', async () => {
    const [log, aggregator] = [temporaryLog(), await aggregatorOf(otlpProtocol())]
    writeFileSync(log, text(0, 120))
    expect(await shipOnce(log, aggregator)).toEqual(range(0, 120))
    expect(await shipOnce(log, aggregator)).toEqual([])
    appendFileSync(log, text(120, 130))
    expect(await shipOnce(log, aggregator)).toEqual(range(120, 130))
  })

  it('is shipped with all rotated files, the oldest first', async () => {
    const [log, aggregator] = [temporaryLog(), await aggregatorOf(otlpProtocol())]
    writeFileSync(`${log}.2026-11-14.10`, text(20, 30))
    writeFileSync(`${log}.2026-11-14.2.gz`, gzipSync(text(10, 20)))
    writeFileSync(`${log}.2026-11-14.gz`, gzipSync(text(0, 10)))
    writeFileSync(log, text(30, 40))
    writeFileSync(`${log}.rotating`, text(90, 91))
    writeFileSync(`${log}.2026-11-14.10.part`, text(90, 91))
    expect(await shipOnce(log, aggregator)).toEqual(range(0, 40))
    expect(await shipOnce(log, aggregator)).toEqual([])
  })

  it('is found again under another name, and after it was compressed', async () => {
    const [log, aggregator] = [temporaryLog(), await aggregatorOf(otlpProtocol())]
    writeFileSync(log, text(0, 10))
    expect(await shipOnce(log, aggregator)).toEqual(range(0, 10))
    appendFileSync(log, text(10, 20))
    renameSync(log, `${log}.1`)
    writeFileSync(log, text(20, 30))
    gzip(`${log}.1`)
    expect(await shipOnce(log, aggregator)).toEqual(range(10, 30))
    renameSync(`${log}.1.gz`, `${log}.2.gz`)
    renameSync(log, `${log}.1`)
    writeFileSync(log, text(30, 31))
    expect(await shipOnce(log, aggregator)).toEqual([30])
  })

  it('is shipped once if a compressed copy exists', async () => {
    const [log, aggregator] = [temporaryLog(), await aggregatorOf(otlpProtocol())]
    writeFileSync(`${log}.1`, text(0, 10))
    writeFileSync(`${log}.1.gz`, gzipSync(readFileSync(`${log}.1`)).subarray(0, -20))
    expect(await shipOnce(log, aggregator)).toEqual(range(0, 10))
    writeFileSync(`${log}.1.gz`, gzipSync(readFileSync(`${log}.1`)))
    rmSync(`${log}.1`)
    expect(await shipOnce(log, aggregator)).toEqual([])
  })

  it('may be copied and truncated', async () => {
    const [log, aggregator] = [temporaryLog(), await aggregatorOf(otlpProtocol())]
    writeFileSync(log, text(0, 10))
    expect(await shipOnce(log, aggregator)).toEqual(range(0, 10))
    appendFileSync(log, text(10, 15))
    copyFileSync(log, `${log}.1`)
    truncateSync(log)
    // longer than what was shipped of it, so that only the beginning tells
    appendFileSync(log, text(15, 60))
    expect(await shipOnce(log, aggregator)).toEqual(range(10, 60))
  })

  it('is recognized by its beginning, not by its inode, which may be reused', async () => {
    const [log, aggregator] = [temporaryLog(), await aggregatorOf(otlpProtocol())]
    writeFileSync(log, text(0, 10))
    await shipOnce(log, aggregator)
    writeFileSync(log, text(10, 30))
    expect(await shipOnce(log, aggregator)).toEqual(range(10, 30))
  })

  it('waits for the end of an incomplete line, unless the file is no longer written', async () => {
    const [log, aggregator] = [temporaryLog(), await aggregatorOf(otlpProtocol())]
    const last = line(2)
    writeFileSync(log, `${text(0, 2)}${last.slice(0, 60)}`)
    expect(await shipOnce(log, aggregator)).toEqual([0, 1])
    appendFileSync(log, `${last.slice(60)}\n`)
    expect(await shipOnce(log, aggregator)).toEqual([2])
    writeFileSync(`${log}.1`, line(3))
    expect(await shipOnce(log, aggregator)).toEqual([])
    const before = new Date(Date.now() - 60_000)
    appendFileSync(`${log}.1`, `\n${line(4)}`)
    utimesSync(`${log}.1`, before, before)
    expect(await shipOnce(log, aggregator)).toEqual([3, 4])
  })

  it('may have lines of any length, also blank ones', async () => {
    const [log, aggregator] = [temporaryLog(), await aggregatorOf(otlpProtocol())]
    const [first, long] = [line(0), line(1, { userAgent: 'x'.repeat(100_000) })]
    writeFileSync(log, `${first}\r\n\n${long}\n\nno line of a log ü\n${line(2)}\n`)
    await shipOnce(log, aggregator)
    expect(aggregator.lines[0]).toBe(first)
    expect(aggregator.lines.slice(1, -2).join('')).toBe(long)
    expect(aggregator.lines.slice(-2, -1)).toEqual(['no line of a log ü'])
  })

  it('that is damaged is shipped as far as it can be read', async () => {
    const [log, aggregator] = [temporaryLog(), await aggregatorOf(otlpProtocol())]
    writeFileSync(`${log}.1.gz`, gzipSync(text(0, 500)).subarray(0, -300))
    const before = new Date(Date.now() - 120_000)
    utimesSync(`${log}.1.gz`, before, before)
    writeFileSync(log, text(500, 510))
    const { shipper, notices } = shipping(log, aggregator.to)
    expect(await shipper.once(5000)).toBe(true)
    const arrived = numbers(aggregator.lines)
    expect(arrived.slice(-10)).toEqual(range(500, 510))
    expect(arrived.length).toBeGreaterThan(20)
    expect(notices).toEqual([expect.stringMatching(/access\.log\.1\.gz is damaged: unexpected end of file/)])
  })

  it('may be skipped, and shipped from then on', async () => {
    const [log, aggregator] = [temporaryLog(), await aggregatorOf(otlpProtocol())]
    writeFileSync(`${log}.1.gz`, gzipSync(text(0, 10)))
    writeFileSync(log, text(10, 20))
    const first = shipping(log, aggregator.to, { isNewOnly: true })
    expect([await first.shipper.once(5000), aggregator.lines]).toEqual([true, []])
    appendFileSync(log, text(20, 22))
    const second = shipping(log, aggregator.to, { isNewOnly: true })
    expect([await second.shipper.once(5000), numbers(aggregator.lines)]).toEqual([true, [20, 21]])
  })

  it('is shipped again if the position is unknown, with a report', async () => {
    const [log, aggregator] = [temporaryLog(), await aggregatorOf(otlpProtocol())]
    writeFileSync(log, text(0, 3))
    writeFileSync(`${log}.shipped.json`, '{ "version": 1, "files": [{}] }')
    const { shipper, notices } = shipping(log, aggregator.to)
    expect(await shipper.once(5000)).toBe(true)
    expect(numbers(aggregator.lines)).toEqual([0, 1, 2])
    expect(notices).toEqual([
      `The positions in ${log}.shipped.json cannot be read: {} is not a position. All lines are sent again.`,
    ])
    expect(await shipOnce(log, aggregator)).toEqual([])
  })

  it('is shipped although the position cannot be saved, with a report', async () => {
    const [log, aggregator] = [temporaryLog(), await aggregatorOf(otlpProtocol())]
    writeFileSync(log, text(0, 200))
    const { shipper, notices } = shipping(log, aggregator.to, { position: `${log}.none/position.json` })
    expect(await shipper.once(5000)).toBe(true)
    expect(numbers(aggregator.lines)).toEqual(range(0, 200))
    expect(notices).toEqual([expect.stringMatching(/cannot be saved: ENOENT/)])
    expect(existsSync(`${log}.shipped.json`)).toBe(false)
  })
})
