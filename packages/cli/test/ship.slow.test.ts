// Shipping as an operator does it: by a command of its own, from cron, and beside a service.
import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Aggregator, startAggregator } from '@nomen/testing/log-server/aggregator'
import { openSearchProtocol } from '@nomen/testing/log-server/opensearch'
import { type OtlpProtocol, otlpProtocol } from '@nomen/testing/log-server/otlp'
import { describe, expect, it } from 'vitest'
import { ask } from './ask.ts'
import { temporaryFolder } from './folder.ts'
import { nomen, serve, start, until } from './nomen.ts'
import { forTest } from './over.ts'

async function collector(): Promise<Aggregator & Pick<OtlpProtocol, 'records'>> {
  const protocol = otlpProtocol()
  const aggregator = await startAggregator(protocol)
  forTest(() => aggregator.leave())
  return { ...aggregator, records: protocol.records }
}

const line = (number: number) =>
  `10.0.0.1:4000 - - [15/11/2026:03:29:00 +0000] "GET /user/${number} HTTP/1.1" 200 7 "-" "shop/1.2"\n`

const lines = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => line(from + at)).join('')

/** The users that the shipped lines name; scrapes of the metrics have lines, too. */
const numbers = ({ lines: arrived }: Aggregator) =>
  arrived.flatMap((line) => /\/user\/(\d+)/.exec(line)?.slice(1).map(Number) ?? [])

const range = (to: number) => Array.from({ length: to }, (_, at) => at)

describe('nomen ship', () => {
  it('sends what is there once, and goes on from there the next time', async () => {
    const [log, aggregator] = [join(temporaryFolder(), 'access.log'), await collector()]
    writeFileSync(log, lines(0, 20))
    const given = ['ship', log, '--to', aggregator.to, '--once', '--api', 'apps/directory', '--label', 'region=eu']
    const first = await nomen(given)
    expect([first.code, first.errors]).toEqual([0, ''])
    expect(first.output).toMatch(/^20 lines shipped in [\d.]+ s\n$/)
    renameSync(log, `${log}.1`)
    writeFileSync(log, lines(20, 21))
    expect((await nomen(given)).output).toMatch(/^1 line shipped/)
    expect(numbers(aggregator)).toEqual(range(21))
    expect(aggregator.records[0]?.attributes).toMatchObject({ 'http.route': '/user/{id}' })
    expect(aggregator.records[0]?.resource).toMatchObject({ 'service.name': 'access', region: 'eu' })
  })

  it('follows the log, tells its figures, and ends in order', async () => {
    const [log, aggregator] = [join(temporaryFolder(), 'access.log'), await collector()]
    const running = start(['ship', log, '--metrics', '0', '--service', 'directory'], {
      environment: { SHIP_TO: aggregator.to, SHIP_HEADERS: 'x-key=secret' },
    })
    await until(() => running.said().includes('Stop with Ctrl+C'), 10_000, 'it says that it ships')
    await aggregator.leave()
    writeFileSync(log, lines(0, 3))
    await until(() => running.complained().includes('do not arrive'), 10_000, 'it says that nothing arrives')
    const address = /told at (\S+)/.exec(running.said())?.[1] ?? ''
    const figure = async (name: string) =>
      Number(new RegExp(`^nomen_ship_${name} (\\S+)$`, 'm').exec(`${(await ask(address)).bytes}`)?.[1])
    expect(await figure('lag_bytes')).toBe(lines(0, 3).length)
    expect(await figure('lag_seconds')).toBeGreaterThan(0)
    await aggregator.comeBack()
    appendFileSync(log, lines(3, 5))
    await expect.poll(() => numbers(aggregator), { timeout: 10_000 }).toEqual(range(5))
    await expect.poll(() => figure('lines_sent_total'), { timeout: 5000 }).toBe(5)
    expect(await figure('lines_retried_total')).toBeGreaterThanOrEqual(3)
    expect(await figure('lines_rejected_total')).toBe(0)
    running.kill('SIGTERM')
    const { code, output, errors } = await running.ended
    expect([code, output]).toEqual([0, expect.stringMatching(/5 lines shipped in/)])
    expect(errors).toMatch(/^nomen: Access logs do not arrive: .*ECONNREFUSED.*\nnomen: Access logs arrive at .*\n$/)
    expect(`${output}${errors}`).not.toContain('secret')
    expect(aggregator.requests[0]?.headers['x-key']).toBe('secret')
    expect(readFileSync(`${log}.shipped.json`, 'utf8')).toContain(`"offset":${lines(0, 5).length}`)
  })

  it('that is killed has every line delivered by the next one, and no more than a batch twice', async () => {
    const [log, aggregator] = [join(temporaryFolder(), 'access.log'), await collector()]
    writeFileSync(log, lines(0, 20_000))
    const running = start(['ship', log, '--to', aggregator.to])
    await until(() => aggregator.lines.length > 5000, 20_000, 'some lines have arrived')
    running.kill('SIGKILL')
    await running.ended
    const { code } = await nomen(['ship', log, '--to', aggregator.to, '--once'])
    expect([code, [...new Set(numbers(aggregator))]]).toEqual([0, range(20_000)])
    expect(aggregator.lines.length).toBeLessThanOrEqual(22_500)
  })

  it('sends every log of a folder, each from its own place', async () => {
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

  it('exits with 1 where a destination refuses, and says why', async () => {
    const log = join(temporaryFolder(), 'access.log')
    const aggregator = await startAggregator(openSearchProtocol('other'))
    forTest(() => aggregator.leave())
    writeFileSync(log, lines(0, 3))
    const to = aggregator.to.replace('/other', '/access-log').replace('://', '://alice:secret@')
    const { code, output, errors } = await nomen(['ship', log, '--to', to, '--once'])
    expect([code, output]).toEqual([1, expect.stringMatching(/^0 lines shipped in .*, \d+ bytes are left\n$/)])
    expect(errors).toMatch(/^nomen: Access logs do not arrive: .* answers 400: .*is not the bulk API.*\n$/)
    expect(errors).not.toMatch(/alice|secret/)
  })

  it('says what is wrong with a flag, and what to give', async () => {
    const log = join(temporaryFolder(), 'access.log')
    writeFileSync(log, lines(0, 1))
    const wrong: readonly (readonly [string[], number, RegExp])[] = [
      [[], 2, /needs to know where to\.\n {2}Such as: --to loki/],
      [['--to', 'kafka://me:secret@host'], 1, /^nomen: Lines cannot be shipped to "kafka"\.\n {2}Give syslog\+tls:/],
      [['--to', 'loki+http://host', '--label', 'region'], 2, /"region" is no label/],
      [['--to', 'loki+http://host', '--metrics', 'many'], 2, /--metrics is "many"/],
    ]
    const ended = await Promise.all(wrong.map(([given]) => nomen(['ship', log, ...given])))
    for (const [index, { code, errors }] of ended.entries()) {
      expect([code, errors]).toEqual([wrong[index]?.[1], expect.stringMatching(wrong[index]?.[2] as RegExp)])
      expect(errors).not.toMatch(/secret|\n {4}at /)
    }
  })
})

describe('nomen serve --ship', () => {
  it.each(['1', '2'])('sends every request of %s processes, the last ones at the end', async (workers) => {
    const [folder, aggregator] = [temporaryFolder(), await collector()]
    const served = await serve(
      ['apps/directory', '--database', `sqlite:${folder}/directory.db`, '--access-log', `${folder}/access.log`],
      { environment: { SAMPLE_USERS: '5', SHIP_TO: aggregator.to, SHIP_INSTANCE: 'one', WORKERS: workers } },
    )
    for (let number = 1; number <= 20; number++) await ask(`${served.base}/user/${number}`)
    await until(() => aggregator.lines.length >= 20, 10_000, 'the lines have arrived')
    const scraped = async () => `${(await ask(`${served.base}/metrics`)).bytes}`
    await expect.poll(scraped, { timeout: 5000 }).toMatch(/^nomen_ship_lines_sent_total ([2-9]\d|\d{3,})$/m)
    for (let number = 21; number <= 40; number++) await ask(`${served.base}/user/${number}`)
    served.kill('SIGTERM')
    expect((await served.ended).code).toBe(0)
    expect(numbers(aggregator).toSorted((one, other) => one - other)).toEqual(range(41).slice(1))
    const [first] = aggregator.records
    expect(first?.resource).toEqual({ 'service.name': 'directory', 'service.instance.id': 'one' })
    expect(first?.attributes).toMatchObject({ 'http.route': '/user/{id}' })
    expect(aggregator.violations).toEqual([])
  })

  it('serves though nothing can be delivered, and does not start where it never could', async () => {
    const folder = temporaryFolder()
    const given = ['apps/directory', '--database', 'sqlite::memory:', '--access-log', `${folder}/access.log`]
    const served = await serve([...given, '--ship', 'loki+http://127.0.0.1:9'], { environment: { SAMPLE_USERS: '5' } })
    expect((await ask(`${served.base}/user/1`)).status).toBe(200)
    await until(() => served.complained().includes('Access logs do not arrive'), 10_000, 'it is told')
    expect((await ask(`${served.base}/user/2`)).status).toBe(200)
    served.kill('SIGTERM')
    expect((await served.ended).code).toBe(0)
    const standard = ['serve', 'apps/directory', '--database', 'sqlite::memory:', '--access-log', '-']
    for (const [more, message] of [
      [['--ship', 'loki+http://127.0.0.1:9'], /goes to standard output, and only a file can be shipped/],
      [['--ship', 'carrier-pigeon://home', '--access-log', `${folder}/access.log`], /shipped to "carrier-pigeon"/],
    ] as const) {
      const { code, errors } = await nomen([...standard, ...more])
      expect([code, errors]).toEqual([1, expect.stringMatching(message)])
    }
  })
})
