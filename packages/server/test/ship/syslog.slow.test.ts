// Syslog over TCP and TLS, received by a real rsyslog.
import { appendFileSync, renameSync, writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { fastRetries, line, numbers, range, shipping, temporaryLog, text } from './log-folder.ts'
import { certificates, startRsyslog } from './rsyslog.ts'

const time = Date.parse('2026-11-15T03:29:00Z')
const distinct = (lines: readonly string[]) => [...new Set(numbers(lines))]

// The first run may have to install rsyslog.
describe('rsyslog', { timeout: 300_000 }, () => {
  it('gets messages with priority, time, host and name, for every line', async () => {
    const log = temporaryLog()
    const rsyslog = await startRsyslog('%pri%|%timereported:::date-rfc3339%|%hostname%|%app-name%|%msgid%|%msg%')
    const long = line(3, { time, userAgent: 'x'.repeat(20_000) })
    const lines = [line(0, { time }), line(1, { time, status: 404 }), line(2, { time, status: 500 }), long, 'other ü']
    writeFileSync(log, `${lines.join('\n')}\n`)
    const { shipper, notices } = shipping(log, `syslog+tcp://127.0.0.1:${rsyslog.port}`, {
      service: 'my directory',
      instance: 'host.example',
      facility: 'local3',
      tuning: { ...fastRetries, limit: { bytes: 1e6, lines: 1000 } },
    })
    expect(await shipper.once(5000)).toBe(true)
    const rest = '2026-11-15T03:29:00Z|host.example|my_directory|access|'
    expect(rsyslog.lines()).toEqual([
      `158|${rest}${lines[0]}`,
      `156|${rest}${lines[1]}`,
      `155|${rest}${lines[2]}`,
      `158|${rest}${long}`,
      `158|${rest}\ufeffother ü`,
    ])
    expect(notices).toEqual([])
    expect(shipper.figures()).toMatchObject({ sent: 5, lagBytes: 0 })
  })

  it('has every line after it was unreachable, stopped, killed within batches, and slow', async () => {
    const log = temporaryLog()
    const rsyslog = await startRsyslog()
    const tuning = { ...fastRetries, limit: { bytes: 64 * 1024, lines: 200 } }
    const { shipper, notices } = shipping(log, `syslog+tcp://127.0.0.1:${rsyslog.port}`, { tuning })
    shipper.start()
    let written = 0
    const write = (count: number) => {
      appendFileSync(log, text(written, written + count))
      written += count
    }
    for (const [round, signal] of (['SIGKILL', 'SIGTERM', 'SIGKILL', 'SIGSTOP', 'SIGKILL'] as const).entries()) {
      write(3000)
      const before = rsyslog.lines().length
      await expect.poll(() => rsyslog.lines().length, { interval: 1 }).toBeGreaterThan(before)
      rsyslog.kill(signal)
      if (round === 2) renameSync(log, `${log}.1`)
      write(100)
      if (signal === 'SIGSTOP') {
        await pause(200)
        rsyslog.kill('SIGCONT')
      } else {
        await rsyslog.ended()
        await rsyslog.start()
      }
    }
    await expect.poll(() => shipper.figures().sent).toBe(written)
    expect(distinct(rsyslog.lines())).toEqual(range(0, written))
    // no more than the batch that was under way comes twice
    expect(rsyslog.lines().length - written).toBeLessThanOrEqual(5 * 200)
    expect(notices.join('\n')).toMatch(/Access logs cannot be shipped: .*\n.*again, after/)
  })

  it('is trusted over TLS by its certificate authority, and otherwise gets nothing', async () => {
    const log = temporaryLog()
    const tls = certificates()
    const rsyslog = await startRsyslog('%msg%', tls)
    writeFileSync(log, text(0, 500))
    const to = `syslog+tls://127.0.0.1:${rsyslog.port}`
    const distrusting = shipping(log, to)
    expect(await distrusting.shipper.once(1000)).toBe(false)
    expect(distrusting.notices).toEqual([expect.stringMatching(/is not trusted: .*Set the certificate.*--ca/)])
    expect(rsyslog.lines()).toEqual([])
    const { shipper, notices } = shipping(log, to, { ca: tls.ca })
    shipper.start()
    await expect.poll(() => rsyslog.lines().length, { interval: 1 }).toBeGreaterThan(0)
    rsyslog.kill('SIGKILL')
    await rsyslog.ended()
    appendFileSync(log, text(500, 600))
    await rsyslog.start()
    await expect.poll(() => shipper.figures().sent).toBe(600)
    expect(distinct(rsyslog.lines())).toEqual(range(0, 600))
    expect(notices).toHaveLength(2)
  })
})
