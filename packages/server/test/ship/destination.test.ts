// The requests that each destination gets, in its own format.
import { appendFileSync, writeFileSync } from 'node:fs'
import { writeLine } from '@nomen/core'
import { lokiProtocol } from '@nomen/testing/log-server/loki'
import { invalidText, openSearchProtocol } from '@nomen/testing/log-server/opensearch'
import { otlpProtocol, rejectedText } from '@nomen/testing/log-server/otlp'
import { describe, expect, it } from 'vitest'
import { readDestinationUrl } from '../../src/ship/destination-url.ts'
import { openShipper, ShipError } from '../../src/ship/index.ts'
import { aggregatorOf, line, numbers, range, shipping, temporaryLog, text } from './log-folder.ts'

const endpoints = [{ id: 'user.read', method: 'GET', path: '/user/{id}' }]

const time = Date.now() - 5000

/** A request with everything in it. */
const full = writeLine({
  address: '2001:db8::7',
  port: 4001,
  user: 'alice smith',
  time,
  method: 'GET',
  target: '/user/7?pageSize=1&search=a%20b',
  protocol: 'HTTP/1.1',
  status: 503,
  size: 512,
  referrer: 'https://desk.example/page',
  userAgent: 'shop/1.2 (x; y)',
})

describe('Loki', () => {
  it('gets unchanged lines, in one stream with labels of few values', async () => {
    const [log, protocol] = [temporaryLog(), lokiProtocol()]
    const aggregator = await aggregatorOf(protocol)
    writeFileSync(log, text(0, 120))
    const { shipper, notices } = shipping(log, aggregator.to, { labels: { 'cloud.region': 'eu', '1st': 'x' } })
    expect(await shipper.once(5000)).toBe(true)
    expect([numbers(aggregator.lines), aggregator.violations, notices]).toEqual([range(0, 120), [], []])
    expect([...protocol.streams.keys()]).toEqual([
      JSON.stringify([
        ['_1st', 'x'],
        ['cloud_region', 'eu'],
        ['instance', 'one'],
        ['service_name', 'directory'],
      ]),
    ])
    expect(shipper.figures()).toMatchObject({ lagBytes: 0, lagSeconds: 0, sent: 120, retried: 0, rejected: 0 })
  })

  it('stores equal lines of one second separately, and a line that is sent twice once', async () => {
    const [log, protocol] = [temporaryLog(), lokiProtocol()]
    const aggregator = await aggregatorOf(protocol)
    aggregator.faults.push({ kind: 'cut after' })
    writeFileSync(log, `${line(1, { time })}\n`.repeat(3))
    expect(await shipping(log, aggregator.to).shipper.once(5000)).toBe(true)
    const [stream] = protocol.streams.values()
    expect([aggregator.lines.length, stream?.entries.size]).toEqual([6, 3])
  })

  it('does not get lines that are too old for ever; they are counted and reported', async () => {
    const [log, aggregator] = [temporaryLog(), await aggregatorOf(lokiProtocol())]
    const old = Array.from({ length: 30 }, (_, index) => line(index, { time: time - 30 * 86_400_000 }))
    writeFileSync(log, `${old.join('\n')}\n${text(30, 40)}`)
    const { shipper, notices } = shipping(log, aggregator.to)
    expect(await shipper.once(5000)).toBe(true)
    expect([...new Set(numbers(aggregator.lines))]).toEqual(range(30, 40))
    expect(shipper.figures()).toMatchObject({ sent: 10, rejected: 30, lagBytes: 0 })
    expect(notices).toEqual([
      expect.stringMatching(/rejected 30 lines permanently.*30 errors like: .* has timestamp too old/),
    ])
  })
})

describe('an OpenTelemetry collector', () => {
  it('gets every value by the name of the semantic conventions', async () => {
    const [log, protocol] = [temporaryLog(), otlpProtocol()]
    const aggregator = await aggregatorOf(protocol)
    writeFileSync(log, `${full}\nno line\n${line(1, { method: 'BREW', target: '/pot', referrer: undefined })}\n`)
    const { shipper } = shipping(log, aggregator.to, { endpoints, labels: { 'deployment.environment.name': 'test' } })
    expect(await shipper.once(5000)).toBe(true)
    expect(aggregator.violations).toEqual([])
    const [first, second, third] = protocol.records
    expect(first?.resource).toEqual({
      'service.name': 'directory',
      'service.instance.id': 'one',
      'deployment.environment.name': 'test',
    })
    expect(first?.attributes).toEqual({
      'http.request.method': 'GET',
      'http.route': '/user/{id}',
      'url.path': '/user/7',
      'url.query': 'pageSize=1&search=a%20b',
      'http.response.status_code': 503,
      'http.response.body.size': 512,
      'client.address': '2001:db8::7',
      'client.port': 4001,
      'user.name': 'alice smith',
      'user_agent.original': 'shop/1.2 (x; y)',
      'http.request.header.referer': ['https://desk.example/page'],
      'network.protocol.name': 'http',
      'network.protocol.version': '1.1',
      'nomen.application': 'shop',
      'log.record.uid': expect.stringMatching(/^[\w-]{22}-0$/),
    })
    expect(first?.record).toMatchObject({ severityNumber: 17, severityText: 'ERROR', body: { stringValue: full } })
    expect(`${first?.record.timeUnixNano}`.slice(0, 10)).toBe(`${Math.floor(time / 1000)}`)
    expect(second?.attributes).toEqual({ 'log.record.uid': expect.any(String) })
    expect(third?.attributes).toMatchObject({
      'http.request.method': '_OTHER',
      'http.request.method_original': 'BREW',
      'url.path': '/pot',
    })
    expect(third?.attributes).not.toHaveProperty('http.route')
  })

  it('may accept only some records: the others are counted and reported', async () => {
    const [log, aggregator] = [temporaryLog(), await aggregatorOf(otlpProtocol())]
    writeFileSync(log, `${text(0, 5)}${line(5, { userAgent: rejectedText })}\n`)
    const { shipper, notices } = shipping(log, aggregator.to)
    expect(await shipper.once(5000)).toBe(true)
    expect(shipper.figures()).toMatchObject({ sent: 5, rejected: 1, retried: 0 })
    expect(notices).toEqual([expect.stringMatching(/rejected 1 line permanently: not wanted here/)])
  })
})

describe('OpenSearch', () => {
  it('gets a document for every line, with its time and its values', async () => {
    const [log, protocol] = [temporaryLog(), openSearchProtocol()]
    const aggregator = await aggregatorOf(protocol)
    writeFileSync(log, `${full}\n`)
    expect(await shipping(log, aggregator.to, { endpoints }).shipper.once(5000)).toBe(true)
    expect([...protocol.documents.values()]).toEqual([
      expect.objectContaining({
        '@timestamp': new Date(Math.floor(time / 1000) * 1000).toISOString(),
        message: full,
        'service.name': 'directory',
        'http.route': '/user/{id}',
        'http.response.status_code': 503,
        'nomen.application': 'shop',
      }),
    ])
  })

  it('stores a line once however often it is sent, and two equal lines twice', async () => {
    const [log, protocol] = [temporaryLog(), openSearchProtocol()]
    const aggregator = await aggregatorOf(protocol)
    aggregator.faults.push({ kind: 'cut after' })
    writeFileSync(log, `${line(1, { time })}\n`.repeat(3))
    expect(await shipping(log, aggregator.to).shipper.once(5000)).toBe(true)
    // and by another process that knows of no position
    expect(await shipping(log, aggregator.to, { position: `${log}.other.json` }).shipper.once(5000)).toBe(true)
    expect(aggregator.requests).toHaveLength(3)
    expect(protocol.documents.size).toBe(3)
  })

  it('gets only the lines again that it was too busy for, and never those that it rejected', async () => {
    const [log, protocol] = [temporaryLog(), openSearchProtocol()]
    const aggregator = await aggregatorOf(protocol)
    writeFileSync(log, `${line(0, { userAgent: invalidText })}\n${text(1, 20)}`)
    protocol.busyDocuments = 7
    const { shipper, notices } = shipping(log, aggregator.to)
    expect(await shipper.once(5000)).toBe(true)
    expect(numbers(aggregator.lines).toSorted((a, b) => a - b)).toEqual(range(1, 20))
    const sizes = aggregator.requests.map(({ body }) => body.split('\n').length >> 1)
    expect(sizes).toEqual([20, 7])
    expect(shipper.figures()).toMatchObject({ sent: 19, retried: 7, rejected: 1, lagBytes: 0 })
    expect(notices.join('\n')).toMatch(
      /rejected 1 line permanently.*400 mapper_parsing_exception: failed to parse field/,
    )
  })

  it('gets further lines after a rejected one', async () => {
    const [log, aggregator] = [temporaryLog(), await aggregatorOf(openSearchProtocol())]
    writeFileSync(log, `${line(0, { userAgent: invalidText })}\n`)
    const { shipper } = shipping(log, aggregator.to)
    shipper.start()
    await expect.poll(() => shipper.figures().rejected).toBe(1)
    appendFileSync(log, text(1, 3))
    await expect.poll(() => numbers(aggregator.lines)).toEqual([1, 2])
  })
})

describe('an address', () => {
  it.each([
    [
      { to: 'kafka://me:secret@host' },
      'The destination scheme "kafka" is not supported.\n  Use syslog+tls://host:6514',
    ],
    [{ to: 'host:3100' }, 'The URL of the log destination has no scheme.'],
    [{ to: 'loki+http://me:secret@ho st' }, 'The URL after loki+http:// is invalid.'],
    [{ to: 'opensearch+http://me:secret@host' }, 'opensearch+http://host:9200 has no index.'],
    [{ to: 'syslog+tcp://host', facility: 'nine' }, 'Unknown syslog facility "nine".'],
    [{ to: 'syslog+tls://host', ca: 'none.pem' }, 'none.pem cannot be read: ENOENT'],
    [{ to: 'syslog+tls://host', cert: 'cert.pem' }, 'Only one of --cert and --key is set'],
    [{ to: 'otlp+http://host', headers: 'secret' }, 'A header has no value.'],
    [{ to: 'otlp+http://host', headers: 'token=secret%' }, 'A header contains invalid percent-encoding.'],
    [{ to: 'otlp+http://me:secret%@host' }, 'The URL contains invalid percent-encoding.'],
  ])('that cannot be used is rejected: %j', (options, message) => {
    const open = () => openShipper({ log: 'access.log', service: 'directory', ...options }, () => undefined)
    expect(open).toThrow(ShipError)
    expect(open).toThrow(message)
    expect(open).not.toThrow('secret')
  })

  it.each([
    ['syslog+tcp://host', 'syslog+tcp://host:601'],
    ['syslog+tls://[::1]', 'syslog+tls://[::1]:6514'],
    ['loki+http://me:secret@host/push', 'loki+http://host:3100/push'],
    ['loki+http://host:80', 'loki+http://host'],
    ['loki+https://host', 'loki+https://host'],
    ['otlp+http://host', 'otlp+http://host:4318'],
    ['opensearch+https://host:9200/a', 'opensearch+https://host:9200/a'],
  ])('has the default port of its kind, and is shown without a password: %s', (to, shown) => {
    expect(readDestinationUrl(to).redactedUrl).toBe(shown)
  })
})
