// Log shipping by a separate command, by cron, and by a service.
import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Aggregator, startAggregator } from '@nomen/testing/log-server/aggregator'
import { openSearchProtocol } from '@nomen/testing/log-server/opensearch'
import { type OtlpProtocol, otlpProtocol } from '@nomen/testing/log-server/otlp'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from './folder.ts'
import { nomen, serve, start, waitUntil } from './nomen.ts'
import { forTest } from './over.ts'
import { sendRequest } from './send-request.ts'

async function collector(): Promise<Aggregator & Pick<OtlpProtocol, 'records'>> {
  const protocol = otlpProtocol()
  const aggregator = await startAggregator(protocol)
  forTest(() => aggregator.stopListening())
  return { ...aggregator, records: protocol.records }
}

const line = (number: number) =>
  `10.0.0.1:4000 - - [15/11/2026:03:29:00 +0000] "GET /user/${number} HTTP/1.1" 200 7 "-" "shop/1.2"\n`

const lines = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => line(from + index)).join('')

/** The users of the shipped lines. Requests to /metrics have lines too. */
const numbers = ({ lines: arrived }: Aggregator) =>
  arrived.flatMap((line) => /\/user\/(\d+)/.exec(line)?.slice(1).map(Number) ?? [])

const range = (to: number) => Array.from({ length: to }, (_, index) => index)

describe('nomen ship', () => {
  it('sends the existing lines once, and continues there in the next run', async () => {
    const [log, aggregator] = [join(temporaryFolder(), 'access.log'), await collector()]
    writeFileSync(log, lines(0, 20))
    const args = ['ship', log, '--to', aggregator.to, '--once', '--api', 'apps/directory', '--label', 'region=eu']
    const first = await nomen(args)
    expect([first.code, first.errors]).toEqual([0, ''])
    expect(first.output).toMatch(/^20 lines shipped in [\d.]+ s\n$/)
    renameSync(log, `${log}.1`)
    writeFileSync(log, lines(20, 21))
    expect((await nomen(args)).output).toMatch(/^1 line shipped/)
    expect(numbers(aggregator)).toEqual(range(21))
    expect(aggregator.records[0]?.attributes).toMatchObject({ 'http.route': '/user/{id}' })
    expect(aggregator.records[0]?.resource).toMatchObject({ 'service.name': 'access', region: 'eu' })
  })

  it('follows the log, reports its metrics, and ends gracefully', async () => {
    const [log, aggregator] = [join(temporaryFolder(), 'access.log'), await collector()]
    const running = start(['ship', log, '--metrics', '0', '--service', 'directory'], {
      environment: { SHIP_TO: aggregator.to, SHIP_HEADERS: 'x-key=secret' },
    })
    await waitUntil(() => running.stdout().includes('Stop with Ctrl+C'), 10_000, 'the start is reported')
    await aggregator.stopListening()
    writeFileSync(log, lines(0, 3))
    await waitUntil(() => running.stderr().includes('Access logs cannot be shipped'), 10_000, 'the failure is reported')
    const address = /Metrics: (\S+)/.exec(running.stdout())?.[1] ?? ''
    const figure = async (name: string) =>
      Number(new RegExp(`^nomen_ship_${name} (\\S+)$`, 'm').exec(`${(await sendRequest(address)).bytes}`)?.[1])
    expect(await figure('lag_bytes')).toBe(lines(0, 3).length)
    expect(await figure('lag_seconds')).toBeGreaterThan(0)
    await aggregator.resumeListening()
    appendFileSync(log, lines(3, 5))
    await expect.poll(() => numbers(aggregator)).toEqual(range(5))
    await expect.poll(() => figure('lines_sent_total')).toBe(5)
    expect(await figure('lines_retried_total')).toBeGreaterThanOrEqual(3)
    expect(await figure('lines_rejected_total')).toBe(0)
    running.kill('SIGTERM')
    const { code, output, errors } = await running.exit
    expect([code, output]).toEqual([0, expect.stringMatching(/5 lines shipped in/)])
    expect(errors).toMatch(
      /^nomen: Access logs cannot be shipped: .*ECONNREFUSED.*\nnomen: Access logs are shipped to .*\n$/,
    )
    expect(`${output}${errors}`).not.toContain('secret')
    expect(aggregator.requests[0]?.headers['x-key']).toBe('secret')
    expect(readFileSync(`${log}.shipped.json`, 'utf8')).toContain(`"offset":${lines(0, 5).length}`)
  })

  it('delivers every line in the next run if it is killed, and at most one batch twice', async () => {
    const [log, aggregator] = [join(temporaryFolder(), 'access.log'), await collector()]
    writeFileSync(log, lines(0, 20_000))
    const running = start(['ship', log, '--to', aggregator.to])
    await waitUntil(() => aggregator.lines.length > 5000, 20_000, 'some lines have arrived')
    running.kill('SIGKILL')
    await running.exit
    const { code } = await nomen(['ship', log, '--to', aggregator.to, '--once'])
    expect([code, [...new Set(numbers(aggregator))]]).toEqual([0, range(20_000)])
    expect(aggregator.lines.length).toBeLessThanOrEqual(22_500)
  })

  it('sends every log of a folder, each from its own position', async () => {
    const [folder, aggregator] = [temporaryFolder(), await collector()]
    writeFileSync(join(folder, 'one.log'), lines(0, 2))
    writeFileSync(join(folder, 'two.log'), lines(2, 4))
    writeFileSync(join(folder, 'notes.txt'), lines(9, 10))
    const { code, output } = await nomen(['ship', folder, '--to', aggregator.to, '--once'])
    expect([code, output]).toEqual([0, expect.stringMatching(/^4 lines shipped/)])
    expect(numbers(aggregator).toSorted()).toEqual(range(4))
    expect(new Set(aggregator.records.map(({ resource }) => resource['service.name']))).toEqual(new Set(['one', 'two']))
    expect(existsSync(join(folder, 'two.log.shipped.json'))).toBe(true)
  })

  it('exits with 1 if the destination rejects the lines, and reports the reason', async () => {
    const log = join(temporaryFolder(), 'access.log')
    const aggregator = await startAggregator(openSearchProtocol('other'))
    forTest(() => aggregator.stopListening())
    writeFileSync(log, lines(0, 3))
    const to = aggregator.to.replace('/other', '/access-log').replace('://', '://alice:secret@')
    const { code, output, errors } = await nomen(['ship', log, '--to', to, '--once'])
    expect([code, output]).toEqual([1, expect.stringMatching(/^0 lines shipped in .*, \d+ bytes not sent\n$/)])
    expect(errors).toMatch(/^nomen: Access logs cannot be shipped: .* responded with 400: .*is not the bulk API.*\n$/)
    expect(errors).not.toMatch(/alice|secret/)
  })

  it('reports an invalid flag with a hint', async () => {
    const log = join(temporaryFolder(), 'access.log')
    writeFileSync(log, lines(0, 1))
    const invalidFlags: readonly (readonly [string[], number, RegExp])[] = [
      [[], 2, /needs a destination\.\n {2}Set --to or SHIP_TO/],
      [
        ['--to', 'kafka://me:secret@host'],
        1,
        /^nomen: The destination scheme "kafka" is not supported\.\n {2}Use syslog\+tls:/,
      ],
      [['--to', 'loki+http://host', '--label', 'region'], 2, /"region" is not a label/],
      [
        ['--to', 'loki+http://host', '--metrics', 'many'],
        2,
        /--metrics must be a whole number from 0 to 65535, but is "many"/,
      ],
    ]
    const results = await Promise.all(invalidFlags.map(([flags]) => nomen(['ship', log, ...flags])))
    for (const [index, { code, errors }] of results.entries()) {
      expect([code, errors]).toEqual([
        invalidFlags[index]?.[1],
        expect.stringMatching(invalidFlags[index]?.[2] as RegExp),
      ])
      expect(errors).not.toMatch(/secret|\n {4}at /)
    }
  })
})

describe('nomen serve --ship', () => {
  it.each(['1', '2'])('sends every request of %s processes, the last ones at the end', async (workers) => {
    const [folder, aggregator] = [temporaryFolder(), await collector()]
    const server = await serve(
      ['apps/directory', '--database', `sqlite:${folder}/directory.db`, '--access-log', `${folder}/access.log`],
      { environment: { SAMPLE_USERS: '5', SHIP_TO: aggregator.to, SHIP_INSTANCE: 'one', WORKERS: workers } },
    )
    for (let number = 1; number <= 20; number++) await sendRequest(`${server.base}/user/${number}`)
    await waitUntil(() => aggregator.lines.length >= 20, 10_000, 'the lines have arrived')
    const scraped = async () => `${(await sendRequest(`${server.base}/metrics`)).bytes}`
    await expect.poll(scraped).toMatch(/^nomen_ship_lines_sent_total ([2-9]\d|\d{3,})$/m)
    for (let number = 21; number <= 40; number++) await sendRequest(`${server.base}/user/${number}`)
    server.kill('SIGTERM')
    expect((await server.exit).code).toBe(0)
    expect(numbers(aggregator).toSorted((a, b) => a - b)).toEqual(range(41).slice(1))
    const [first] = aggregator.records
    expect(first?.resource).toEqual({ 'service.name': 'directory', 'service.instance.id': 'one' })
    expect(first?.attributes).toMatchObject({ 'http.route': '/user/{id}' })
    expect(aggregator.violations).toEqual([])
  })

  it('does not start with several processes if the destination is invalid', async () => {
    const folder = temporaryFolder()
    const files = ['--database', `sqlite:${folder}/directory.db`, '--access-log', `${folder}/access.log`]
    const args = ['serve', 'apps/directory', '--port', '0', '--workers', '2', ...files]
    expect(await nomen([...args, '--ship', 'carrier-pigeon://home'])).toMatchObject({
      code: 1,
      errors: expect.stringMatching(
        /^nomen: The destination scheme "carrier-pigeon" is not supported\.\n {2}Use .*\n$/,
      ),
    })
  })

  it('serves if the destination is not available, and does not start if the destination is invalid', async () => {
    const folder = temporaryFolder()
    const args = ['apps/directory', '--database', 'sqlite::memory:', '--access-log', `${folder}/access.log`]
    const server = await serve([...args, '--ship', 'loki+http://127.0.0.1:9'], { environment: { SAMPLE_USERS: '5' } })
    expect((await sendRequest(`${server.base}/user/1`)).status).toBe(200)
    await waitUntil(() => server.stderr().includes('Access logs cannot be shipped'), 10_000, 'the error is reported')
    expect((await sendRequest(`${server.base}/user/2`)).status).toBe(200)
    server.kill('SIGTERM')
    expect((await server.exit).code).toBe(0)
    const standard = ['serve', 'apps/directory', '--database', 'sqlite::memory:', '--access-log', '-']
    for (const [more, message] of [
      [['--ship', 'loki+http://127.0.0.1:9'], /can be shipped, but it goes to standard output/],
      [
        ['--ship', 'carrier-pigeon://home', '--access-log', `${folder}/access.log`],
        /destination scheme "carrier-pigeon" is not supported/,
      ],
    ] as const) {
      const { code, errors } = await nomen([...standard, ...more])
      expect([code, errors]).toEqual([1, expect.stringMatching(message)])
    }
  })
})
