import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type AccessEntry, parseLine, writeLine } from '../index.ts'
import { parseCommonLine } from '../wire/access-log.ts'
import {
  type CallerDay,
  callerOf,
  type Endpoint,
  EndpointTree,
  LineReader,
  RollupReader,
  type UsageReport,
  usageReport,
} from './index.ts'

const endpoints: readonly Endpoint[] = [
  { id: 'user.list', method: 'GET', path: '/user' },
  { id: 'user.read', method: 'GET', path: '/user/{id}' },
  { id: 'user.lookup.email', method: 'GET', path: '/user/by-email/{email}' },
  { id: 'user.update', method: 'PATCH', path: '/user/{id}' },
  { id: 'preference.list', method: 'GET', path: '/user/{userId}/preference' },
  { id: 'v1.user.list', method: 'GET', path: '/v1/user' },
]

const base: AccessEntry = {
  address: '10.0.0.1',
  port: 4711,
  user: undefined,
  time: Date.parse('2026-11-15T03:29:00Z'),
  method: 'GET',
  target: '/user',
  protocol: 'HTTP/1.1',
  status: 200,
  size: 10,
  referrer: undefined,
  userAgent: 'shop/1.2',
}

function reported(lines: readonly string[] | string, quietAfter = 30): UsageReport {
  const reader = new LineReader(endpoints)
  reader.read(new TextEncoder().encode(typeof lines === 'string' ? lines : lines.map((line) => `${line}\n`).join('')))
  reader.end()
  return usageReport(endpoints, reader, quietAfter)
}

const entries = (...changes: Partial<AccessEntry>[]) => changes.map((change) => writeLine({ ...base, ...change }))

/** The callers of an endpoint, as `kind name requests`. */
function callers(report: UsageReport, id: string): string[] {
  const endpointReport = report.endpoints.find((endpoint) => endpoint.id === id)
  return (endpointReport?.callers ?? []).map(({ kind, name, requests }) => `${kind} ${name} ${requests}`)
}

it('counts requests of the requested period, and reports the period of the requests outside', () => {
  const times = ['2026-11-01T00:00:00Z', '2026-11-02T00:00:00Z', '2026-11-02T23:59:59Z', '2026-11-03T00:00:00Z']
  const lines = entries(...times.map((time) => ({ time: Date.parse(time) })))
  const reader = new LineReader(endpoints, { from: Date.parse('2026-11-02'), to: Date.parse('2026-11-03') })
  reader.read(new TextEncoder().encode(lines.map((line) => `${line}\n`).join('')))
  reader.end()
  const { requests, window, outside } = usageReport(endpoints, reader, 30)
  expect([requests, window]).toEqual([2, { first: times[1], last: times[2], gaps: [] }])
  expect(outside).toEqual({ requests: 2, first: times[0], last: times[3] })
})

describe('a request', () => {
  it.each<[string, string, string | undefined]>([
    ['GET', '/user', 'user.list'],
    ['GET', '/user?search=x', 'user.list'],
    ['HEAD', '/user/7', 'user.read'],
    ['PATCH', '/user/7', 'user.update'],
    ['GET', '/user/by-email/a@b', 'user.lookup.email'],
    ['GET', '/user/by-email', 'user.read'],
    ['GET', '/user/7/preference', 'preference.list'],
    ['GET', '/%75ser/a%2Fb', 'user.read'],
    ['GET', '/v1/user', 'v1.user.list'],
    ['GET', '/user#top', 'user.list'],
    ['GET', 'http://a.example:80/user/7?x=1', 'user.read'],
    ['GET', 'http://a.example', undefined],
    ['OPTIONS', '*', undefined],
    ['GET', '/user/', undefined],
    ['GET', '/user/7/nothing', undefined],
    ['DELETE', '/user/7', undefined],
    ['GET', '/', undefined],
    ['GET', '/User', undefined],
  ])('%s %s counts for %s', (method, target, id) => {
    const report = reported(entries({ method, target }))
    expect(report.endpoints.filter(({ requests }) => requests === 1).map((endpoint) => endpoint.id)).toEqual(
      id ? [id] : [],
    )
    expect(report.others).toBe(id ? 0 : 1)
  })
})

describe('a caller', () => {
  it.each<[Partial<AccessEntry>, string]>([
    [{ userAgent: 'shop/1.2 (linux)' }, 'agent shop 1'],
    [{ userAgent: 'curl' }, 'agent curl 1'],
    [{ userAgent: 'shop/1', referrer: 'https://a.example', user: 'eve' }, 'agent shop 1'],
    [{ userAgent: 'Mozilla/5.0 (X11)', referrer: 'https://a.example:8443/x?y' }, 'referrer https://a.example:8443 1'],
    [{ userAgent: 'Mozilla/5.0 (X11)', referrer: 'https://a.example' }, 'referrer https://a.example 1'],
    [{ userAgent: 'Mozilla/5.0 (X11)' }, 'agent Mozilla 1'],
    [{ userAgent: 'MozillaX/5.0' }, 'agent MozillaX 1'],
    [{ userAgent: undefined, referrer: 'https://a.example/x' }, 'referrer https://a.example 1'],
    [{ userAgent: undefined, referrer: 'android-app', user: 'eve' }, 'user eve 1'],
    [{ userAgent: undefined, user: 'eve' }, 'user eve 1'],
    [{ userAgent: undefined }, 'unattributed  1'],
    [{ userAgent: 'Mozilla/5.0 (X11)', referrer: 'https://a.example/console/?nomen-console' }, 'console console 1'],
    [{ userAgent: 'Mozilla/5.0 "\\', referrer: 'https://a.example/"/?nomen-console' }, 'console console 1'],
    [{ userAgent: 'Mozilla/5.0', referrer: 'https://a.example/console/' }, 'referrer https://a.example 1'],
    [{ userAgent: 'shop/1', referrer: 'https://a.example/console/?nomen-console' }, 'agent shop 1'],
    [{ userAgent: 'Bücher/1' }, 'agent Bücher 1'],
    [{ userAgent: '-/1' }, 'agent - 1'],
    [{ userAgent: undefined, referrer: 'android-app://com.example/x', user: 'eve' }, 'user eve 1'],
    [{ userAgent: undefined, referrer: 'https:///x', user: 'eve' }, 'user eve 1'],
    [{ userAgent: undefined, referrer: 'http://a.example#top' }, 'referrer http://a.example 1'],
    [{ userAgent: undefined, user: 'Eve Moore' }, 'user Eve Moore 1'],
    [{ userAgent: undefined, user: 'a\0b\ud800' }, 'user a\ufffdb\ufffd 1'],
    [{ userAgent: `${'x'.repeat(200)}/1` }, `agent ${'x'.repeat(200)} 1`],
    [{ userAgent: `${'x'.repeat(201)}/1` }, 'others  1'],
  ])('with the User-Agent %j is %s', (change, caller) => {
    expect(callers(reported(entries(change)), 'user.list')).toEqual([caller])
  })

  it('is counted under "others" after too many names', () => {
    const many = entries(...Array.from({ length: 10_050 }, (_, index) => ({ userAgent: `made-up-${index}/1` })))
    const names = callers(reported(many), 'user.list')
    expect(names).toHaveLength(10_001)
    expect(names[0]).toBe('others  50')
  })
})

describe('a report', () => {
  const timeOf = (day: string) => Date.parse(`${day}T12:00:00Z`)

  it('lists the callers of every endpoint', () => {
    const report = reported(
      entries(
        { time: timeOf('2026-10-01'), target: '/user/1', status: 404, size: 5 },
        { time: timeOf('2026-10-01'), target: '/user/2' },
        { time: timeOf('2026-11-15') },
        { time: timeOf('2026-11-14'), userAgent: 'billing/2' },
        { time: timeOf('2026-11-15') },
      ),
    )
    const [list, read, lookup] = report.endpoints
    expect([list?.verdict, read?.verdict, lookup?.verdict]).toEqual(['in use', 'quiet', 'never called'])
    expect(read).toMatchObject({ requests: 2, errors: 1, bytes: 15, last: '2026-10-01T12:00:00Z' })
    expect(callers(report, 'user.list')).toEqual(['agent shop 2', 'agent billing 1'])
    expect(list?.callers[0]?.days).toEqual({ '2026-11-15': 2 })
    expect(lookup).not.toHaveProperty('last')
  })

  it('reports the period that it covers and the missing days', () => {
    const days = ['2026-11-10', '2026-11-13', '2026-11-12']
    const lines = days.flatMap((day) => Array.from({ length: 10 }, () => entries({ time: timeOf(day) })).flat())
    expect(reported(lines).window).toEqual({
      first: '2026-11-10T12:00:00Z',
      last: '2026-11-13T12:00:00Z',
      gaps: ['2026-11-11'],
    })
    expect(reported('')).not.toHaveProperty('window')
  })

  it('reports missing days of the requested period, and none that has lines for pages of the service', () => {
    const lines = entries(...Array.from({ length: 100 }, () => ({ time: timeOf('2026-11-10') })), {
      time: timeOf('2026-11-12'),
      target: '/metrics',
    })
    const reader = new LineReader(endpoints, undefined, ['/metrics'])
    reader.read(new TextEncoder().encode(lines.map((line) => `${line}\n`).join('')))
    reader.end()
    const requested = { from: Date.parse('2026-11-09'), to: Date.parse('2026-11-14T23:59:59Z') }
    const { requests, window } = usageReport(endpoints, reader, 30, requested)
    expect([requests, window?.gaps]).toEqual([100, ['2026-11-09', '2026-11-11', '2026-11-13']])
  })

  it('does not count calls of the console in verdicts and totals', () => {
    const own = { userAgent: 'Mozilla/5.0', referrer: 'https://a.example/console/?nomen-console' }
    const later = Date.parse('2026-12-31T12:00:00Z')
    const report = reported(entries({ ...own, target: '/v1/user' }, {}, { ...own, time: later }))
    const [list, versioned] = ['user.list', 'v1.user.list'].map((id) =>
      report.endpoints.find((endpoint) => endpoint.id === id),
    )
    expect(versioned).toMatchObject({
      verdict: 'never called',
      requests: 0,
      callers: [{ kind: 'console', requests: 1 }],
    })
    expect(versioned?.last).toBeUndefined()
    expect(list).toMatchObject({ verdict: 'quiet', requests: 1, callers: [{ kind: 'console' }, { requests: 1 }] })
    expect(report).toMatchObject({ requests: 3, window: { last: '2026-12-31T12:00:00Z' } })
  })

  it('reads logs of Apache and nginx, and counts unreadable lines', () => {
    const report = reported([
      '10.0.0.1 - - [15/Nov/2026:04:29:00 +0100] "GET /user HTTP/1.1" 200 12 "-" "shop/1.2"',
      '10.0.0.1 - eve [15/11/2026:03:29:00 -0130] "GET /user HTTP/1.0" 200 - "https://a.example/" "-"',
      'nonsense',
      '',
      '10.0.0.1 - - [99/99/2026:03:29:00 +0000] "GET /user HTTP/1.1" 200 12 "-" "x"',
    ])
    expect([report.requests, report.unreadable]).toEqual([2, 2])
    expect(report.window).toMatchObject({ first: '2026-11-15T03:29:00Z', last: '2026-11-15T04:59:00Z' })
    expect(callers(report, 'user.list')).toEqual(['referrer https://a.example 1', 'agent shop 1'])
  })

  it('reads the common format: by user, or else as calls of an unknown application', () => {
    const report = reported([
      '10.0.0.1 - - [15/Nov/2026:03:29:00 +0000] "GET /user HTTP/1.1" 200 12',
      '10.0.0.1 - - [15/11/2026:03:29:01 +0000] "GET /user HTTP/1.1" 304 -',
      '10.0.0.1 - - [15/11/2026:03:29:01 +0000] "GET /%75ser HTTP/1.1" 404 7\r',
      '10.0.0.1 - eve [15/Nov/2026:03:29:02 +0000] "GET /user HTTP/1.1" 200 5',
      '10.0.0.1 - Eve\\x20Moore [15/Nov/2026:03:29:02 +0000] "GET /user HTTP/1.1" 200 5',
      '10.0.0.1 - - [15/Nov/2026:03:29:02 +0000] "GET /user HTTP/1.1" 200 ',
      '10.0.0.1 - - [15/Nov/2026:03:29:02 +0000] "GET /user HTTP/1.1" 200 5 0.003',
    ])
    expect([report.requests, report.unreadable]).toEqual([5, 2])
    expect(callers(report, 'user.list')).toEqual(['unattributed  3', 'user Eve Moore 1', 'user eve 1'])
    expect(report.endpoints[0]).toMatchObject({ errors: 1, bytes: 29 })
  })

  it.each(['31/Feb/2026', '31/02/2026', '29/Feb/2026', '00/Nov/2026', '31/Nov/2026', '15/nov/2026'])(
    'does not read the day %s',
    (day) => {
      const lines = ['', ' "-" "shop/1"'].map(
        (end) => `::1 - - [${day}:03:29:00 +0000] "GET /user HTTP/1.1" 200 5${end}`,
      )
      expect(reported(lines)).toMatchObject({ requests: 0, unreadable: 2 })
    },
  )
})

describe('a log with any content, split into any chunks', () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.constantFrom(
      'shop/1.2',
      'Mozilla/5.0 (X)',
      '-',
      '',
      '"',
      '\\',
      'a b',
      'https://x.example/y',
      'https://x.example/y?nomen-console',
      '[15/11/2026',
      '/user',
      '\n',
    ),
  )
  const target = fc.oneof(
    fc.constantFrom('/user', '/user/7', '/user/7/preference?x=1', '/user/by-email/a', '/v1/user', '/%75ser', '*'),
    hostile,
  )
  const entry = fc.record({
    address: fc.oneof(fc.ipV4(), fc.ipV6(), hostile),
    port: fc.option(fc.integer({ min: 0, max: 65_535 }), { nil: undefined }),
    user: fc.option(hostile, { nil: undefined }),
    time: fc.integer({ min: 1.75e12, max: 1.8e12 }).map((time) => time - (time % 1000)),
    method: fc.constantFrom('GET', 'HEAD', 'PATCH', 'POST', 'BREW'),
    target,
    protocol: fc.constantFrom('HTTP/1.1', 'HTTP/1.0'),
    status: fc.integer({ min: 100, max: 599 }),
    size: fc.nat(),
    referrer: fc.option(hostile, { nil: undefined }),
    userAgent: fc.option(hostile, { nil: undefined }),
  })
  const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
  const withMonthName = (text: string) =>
    text.replace(/\[(\d\d)\/(\d\d)/, (_, day, month) => `[${day}/${months[Number(month) - 1]}`)
  const common = (text: string) => text.replace(/ "[^"]*" "[^"]*"$/, '')
  const form = fc.constantFrom(
    (text: string) => text,
    withMonthName,
    common,
    (text: string) => common(withMonthName(text)),
  )
  const line = fc.oneof(
    { weight: 5, arbitrary: fc.tuple(entry.map(writeLine), form).map(([text, change]) => change(text)) },
    { weight: 1, arbitrary: hostile.map((text) => text.replaceAll('\n', '')) },
  )

  /** The expected counts, from the parser of single lines and a plain loop. */
  function countLines(lines: readonly string[]) {
    const parsed = lines.filter((text) => text !== '').map((text) => parseLine(text) ?? parseCommonLine(text))
    const entries = parsed.filter((entry) => entry !== undefined)
    return {
      requests: entries.length,
      unreadable: parsed.length - entries.length,
      bytes: entries.reduce((sum, { size }) => sum + size, 0),
      errors: entries.filter(({ status }) => status >= 400).length,
      last: Math.max(...entries.map(({ time }) => time)),
    }
  }

  it('counts every line once, as the parser of single lines reads it', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), fc.array(fc.nat(200), { maxLength: 10 }), (lines, cuts) => {
        const everywhere: readonly Endpoint[] = ['GET', 'PATCH', 'POST', 'BREW'].flatMap((method) =>
          ['', '/{b}', '/{b}/{c}'].map((end) => ({ id: `${method}${end}`, method, path: `/{a}${end}` })),
        )
        const reader = new LineReader(everywhere)
        const bytes = new TextEncoder().encode(lines.map((text) => `${text}\n`).join(''))
        let from = 0
        for (const cut of cuts) {
          reader.read(bytes.subarray(from, from + cut))
          from += Math.min(cut, bytes.length - from)
        }
        reader.read(bytes.subarray(from))
        reader.end()
        const report = usageReport(everywhere, reader, 1)
        const expected = countLines(lines)
        expect([report.requests, report.unreadable]).toEqual([expected.requests, expected.unreadable])
        // The callers of an endpoint include the console, its totals do not.
        const all = report.endpoints.flatMap((endpoint) => endpoint.callers)
        expect(all.reduce((sum, caller) => sum + caller.requests, report.others)).toBe(expected.requests)
        if (expected.requests > 0) expect(Date.parse(report.window?.last ?? '')).toBe(expected.last)
        if (report.others > 0) return
        expect(all.reduce((sum, caller) => sum + caller.bytes, 0)).toBe(expected.bytes)
        expect(all.reduce((sum, caller) => sum + caller.errors, 0)).toBe(expected.errors)
      }),
      { numRuns: 100 },
    )
  })

  /** A request as a service counts it in its own rollup. */
  function dayOf(request: AccessEntry): CallerDay {
    const { method = '', path = '' } = endpoints[new EndpointTree(endpoints).at(request.method, request.target)] ?? {}
    const { kind, name: caller } = callerOf(request)
    const errors = request.status >= 400 ? 1 : 0
    return {
      method,
      path,
      kind,
      caller,
      requests: 1,
      errors,
      bytes: request.size,
      first: request.time,
      last: request.time,
    }
  }

  const recent = entry.map((request) => ({ ...request, time: base.time - (request.time % (20 * 86_400_000)) }))

  it('has the same counts as a service that counts the same requests itself', () => {
    fc.assert(
      fc.property(fc.array(recent, { maxLength: 8 }), (requests) => {
        const lines = reported(requests.map(writeLine), 1)
        const rollup = new RollupReader(endpoints)
        for (const request of requests) rollup.read(new Date(request.time).toISOString().slice(0, 10), [dayOf(request)])
        expect(usageReport(endpoints, rollup, 1)).toEqual(lines)
      }),
      { numRuns: 500 },
    )
  })
})
