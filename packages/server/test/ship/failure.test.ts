// A destination that is unreachable, slow, busy, or closes connections: after it recovers, it has every line.
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import type { Aggregator, Reply } from '@nomen/testing/log-server/aggregator'
import { lokiProtocol } from '@nomen/testing/log-server/loki'
import { openSearchProtocol } from '@nomen/testing/log-server/opensearch'
import { otlpProtocol } from '@nomen/testing/log-server/otlp'
import { describe, expect, it } from 'vitest'
import { aggregatorOf, fastRetries, line, numbers, range, shipping, temporaryLog, text } from './log-folder.ts'

const protocols = { loki: lokiProtocol, otlp: otlpProtocol, opensearch: openSearchProtocol }

const respondWith = (status: number, more: Partial<Reply> = {}) =>
  ({ kind: 'answer', reply: { status, ...more } }) as const

const distinct = (aggregator: Aggregator) => [...new Set(numbers(aggregator.lines))]

describe.each(Object.entries(protocols))('%s', (_, protocol) => {
  it('that is unreachable for a while has every line when it is back', async () => {
    const [log, aggregator] = [temporaryLog(), await aggregatorOf(protocol())]
    writeFileSync(log, text(0, 120))
    await aggregator.stopListening()
    const { shipper, notices } = shipping(log, aggregator.to)
    shipper.start()
    await expect.poll(() => shipper.figures().retried).toBeGreaterThan(100)
    appendFileSync(log, text(120, 200))
    expect(shipper.figures()).toMatchObject({ sent: 0 })
    expect(shipper.figures().lagSeconds).toBeGreaterThan(0)
    await aggregator.resumeListening()
    await expect.poll(() => distinct(aggregator)).toEqual(range(0, 200))
    await expect.poll(() => shipper.figures()).toMatchObject({ sent: 200, lagBytes: 0, lagSeconds: 0 })
    expect(notices).toEqual([
      expect.stringMatching(/^Access logs cannot be shipped: .* cannot be reached: .*ECONNREFUSED.*sent again\.$/),
      expect.stringMatching(/are shipped to .* again, after \d+ s\.$/),
    ])
  })

  it('that is killed before or after it stores a batch has every line in the end', async () => {
    const [log, aggregator] = [temporaryLog(), await aggregatorOf(protocol())]
    writeFileSync(log, text(0, 200))
    aggregator.faults.push({ kind: 'cut' }, { kind: 'cut after' }, { kind: 'cut' })
    const { shipper } = shipping(log, aggregator.to)
    expect(await shipper.once(5000)).toBe(true)
    expect(distinct(aggregator)).toEqual(range(0, 200))
    expect(shipper.figures()).toMatchObject({ sent: 200, retried: 150, rejected: 0 })
  })

  it('that responds with 429, 500 and 503, slowly, has every line once', async () => {
    const [log, aggregator] = [temporaryLog(), await aggregatorOf(protocol())]
    writeFileSync(log, text(0, 200))
    aggregator.faults.push(
      respondWith(429),
      { kind: 'slow', time: 50 },
      respondWith(500, { body: 'broken' }),
      respondWith(503),
    )
    expect(await shipping(log, aggregator.to).shipper.once(5000)).toBe(true)
    expect(numbers(aggregator.lines)).toEqual(range(0, 200))
  })

  it('that rejects is reported once, and has every line after it is fixed', async () => {
    const [log, aggregator] = [temporaryLog(), await aggregatorOf(protocol())]
    writeFileSync(log, text(0, 60))
    const rejection = respondWith(401, { body: '{"error":"no credentials"}' })
    aggregator.faults.push(rejection, rejection, rejection)
    const { shipper, notices } = shipping(log, aggregator.to)
    shipper.start()
    await expect.poll(() => numbers(aggregator.lines)).toEqual(range(0, 60))
    expect(notices).toEqual([
      expect.stringMatching(
        /responded with 401: \{"error":"no credentials"\}\. Set a user.* SHIP_HEADERS\. Lines are kept/,
      ),
      expect.stringMatching(/are shipped to .* again/),
    ])
  })
})

describe('shipping', () => {
  it('does not retry before the time in Retry-After', async () => {
    const [log, aggregator] = [temporaryLog(), await aggregatorOf(otlpProtocol())]
    writeFileSync(log, text(0, 1))
    aggregator.faults.push(respondWith(429, { headers: { 'retry-after': '1' } }))
    const begun = performance.now()
    expect(await shipping(log, aggregator.to).shipper.once(5000)).toBe(true)
    expect(performance.now() - begun).toBeGreaterThanOrEqual(1000)
  })

  it('sends smaller batches if a body is too large, and skips a single line that is too large', async () => {
    const [log, aggregator] = [temporaryLog(), await aggregatorOf(otlpProtocol())]
    writeFileSync(log, text(0, 8))
    // 8 lines, 4, 2, 1
    aggregator.faults.push(respondWith(413), respondWith(413), respondWith(413), respondWith(413))
    const { shipper, notices } = shipping(log, aggregator.to)
    expect(await shipper.once(5000)).toBe(true)
    expect(numbers(aggregator.lines)).toEqual(range(1, 8))
    expect(shipper.figures()).toMatchObject({ sent: 7, rejected: 1 })
    expect(notices).toEqual([expect.stringMatching(/rejected 1 line permanently.*responded with 413/)])
  })

  it('with --once gives up if nothing arrives, and keeps its position', async () => {
    const [log, aggregator] = [temporaryLog(), await aggregatorOf(otlpProtocol())]
    writeFileSync(log, text(0, 60))
    aggregator.faults.push({ kind: 'slow', time: 0 }, respondWith(403))
    expect(await shipping(log, aggregator.to).shipper.once(60_000)).toBe(false)
    expect(numbers(aggregator.lines)).toEqual(range(0, 50))
    await aggregator.stopListening()
    expect(await shipping(log, aggregator.to).shipper.once(50)).toBe(false)
    await aggregator.resumeListening()
    expect(await shipping(log, aggregator.to).shipper.once(5000)).toBe(true)
    expect(numbers(aggregator.lines)).toEqual(range(0, 60))
  })

  it('that is stopped waits for the response, and sends the remaining lines when the log has ended', async () => {
    const [log, aggregator] = [temporaryLog(), await aggregatorOf(otlpProtocol())]
    writeFileSync(log, text(0, 10))
    aggregator.faults.push({ kind: 'slow', time: 300 })
    const { shipper } = shipping(log, aggregator.to)
    shipper.start()
    await expect.poll(() => aggregator.faults.length).toBe(0)
    appendFileSync(log, text(10, 200))
    await shipper.stop({ isLast: true })
    expect(numbers(aggregator.lines)).toEqual(range(0, 200))
    const { shipper: next } = shipping(log, aggregator.to)
    expect([await next.once(5000), aggregator.lines.length]).toEqual([true, 200])
  })

  it('saves its position after the acknowledgment, never before', async () => {
    const [log, aggregator] = [temporaryLog(), await aggregatorOf(otlpProtocol())]
    writeFileSync(log, text(0, 120))
    aggregator.faults.push({ kind: 'slow', time: 0 }, respondWith(403))
    expect(await shipping(log, aggregator.to).shipper.once(1000)).toBe(false)
    const [{ offset }] = JSON.parse(readFileSync(`${log}.shipped.json`, 'utf8')).files
    expect(readFileSync(log, 'utf8').slice(0, offset).split('\n')).toHaveLength(51)
  })

  it('holds at most one batch in memory, whatever the size of the log', async () => {
    const [log, aggregator] = [temporaryLog(), await aggregatorOf(otlpProtocol())]
    writeFileSync(log, text(0, 3000))
    const tuning = { ...fastRetries, limit: { bytes: 64 * 1024, lines: 5000 } }
    const { shipper } = shipping(log, aggregator.to, { tuning })
    expect(await shipper.once(5000)).toBe(true)
    expect(aggregator.lines).toHaveLength(3000)
    const longest = Math.max(...aggregator.requests.map(({ body }) => (body.match(/"timeUnixNano"/g) ?? []).length))
    expect(longest * line(0).length).toBeLessThan(64 * 1024)
  })

  it('sends its credentials, and never reports them', async () => {
    const [log, aggregator] = [temporaryLog(), await aggregatorOf(lokiProtocol())]
    writeFileSync(log, text(0, 1))
    const to = aggregator.to.replace('://', '://alice:s%40cret@')
    aggregator.faults.push(respondWith(401), respondWith(500))
    const { shipper, notices } = shipping(log, to, { headers: 'X-Scope-OrgID=team%20one, x-key=k' })
    shipper.start()
    await expect.poll(() => numbers(aggregator.lines)).toEqual([0])
    const [{ headers } = { headers: {} }] = aggregator.requests
    expect(headers).toMatchObject({
      authorization: `Basic ${Buffer.from('alice:s@cret').toString('base64')}`,
      'x-scope-orgid': 'team one',
      'x-key': 'k',
    })
    expect(notices.join('\n')).not.toMatch(/alice|cret/)
  })
})
