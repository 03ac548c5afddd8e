import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type AccessEntry, parseLine, writeLine } from './access-log.ts'

const entry: AccessEntry = {
  address: '127.0.0.1',
  port: 54321,
  user: 'alice',
  time: Date.UTC(2026, 10, 15, 3, 29, 0),
  method: 'GET',
  target: '/user?pageSize=1',
  protocol: 'HTTP/1.1',
  status: 200,
  size: 512,
  referrer: undefined,
  userAgent: 'curl/8',
}
const line = '127.0.0.1:54321 - alice [15/11/2026:03:29:00 +0000] "GET /user?pageSize=1 HTTP/1.1" 200 512 "-" "curl/8"'

const attacks = [
  '-',
  ' ',
  '\\x2D',
  '\\',
  '"',
  '\\"',
  '" 200 1 "-" "-"',
  '] "',
  ' [15/11/2026:03:29:00 +0000] "',
  `x"\n${line}`,
  `\r\n${line}\r\n`,
  '\u001b[2J\u001b]0;owned\u0007',
  '\u0000\u007f\u0085\u2028\ufeff',
  'Zoë Łukasz 日本 👩‍👩‍👧',
  '\ud800',
  'a\udc00b',
  'HTTP/1.1',
  '[::1]:80',
  '%0d%0a',
]
const hostile = fc.oneof(
  fc.constantFrom(...attacks),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
  fc
    .array(fc.constantFrom('"', '\\', ' ', '-', '[', ']', ':', 'x', '2', 'D', '\n', 'é'))
    .map((parts) => parts.join('')),
  fc.array(fc.constantFrom(...attacks), { maxLength: 4 }).map((parts) => parts.join('')),
)
/** Longer than any request. */
const endless = fc
  .constantFrom('a', '"', '\\', '\n', 'é', '\u001b[2J', ' - ')
  .map((part) => part.repeat(65_536 / part.length))
const hostileOrEndless = fc.oneof({ arbitrary: hostile, weight: 200 }, { arbitrary: endless, weight: 1 })
const address = fc.oneof(
  fc.ipV4(),
  fc.ipV6(),
  fc.constantFrom('', '1234', '::1', 'fe80::1%eth0', '::ffff:ab', '::ffff:1.2.3.4', '[', '[x]'),
  hostile,
)
const entries: fc.Arbitrary<AccessEntry> = fc.record({
  address,
  port: fc.option(fc.integer({ min: 0, max: 65535 }), { nil: undefined }),
  user: fc.option(hostileOrEndless, { nil: undefined }),
  time: fc.integer({ min: 0, max: Date.UTC(9999, 11, 31) }),
  method: hostile,
  target: hostileOrEndless,
  protocol: hostile,
  status: fc.integer({ min: 100, max: 599 }),
  size: fc.maxSafeNat(),
  referrer: fc.option(hostile, { nil: undefined }),
  userAgent: fc.option(hostileOrEndless, { nil: undefined }),
})

// The form of an entry in a line: IPv4 instead of mapped IPv6, whole seconds, UTF-8, no empty values.
function storedForm(input: AccessEntry): AccessEntry {
  const optional = (value: string | undefined) => value?.toWellFormed() || undefined
  return {
    ...input,
    address: input.address.toWellFormed().replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, ''),
    user: optional(input.user),
    time: Math.floor(input.time / 1000) * 1000,
    method: input.method.toWellFormed(),
    target: input.target.toWellFormed(),
    protocol: input.protocol.toWellFormed(),
    referrer: optional(input.referrer),
    userAgent: optional(input.userAgent),
  }
}

describe('writeLine', () => {
  it('writes the fields in the order of the conventions', () => {
    expect(writeLine(entry)).toBe(line)
  })

  it('writes every field of any request once, in printable ASCII', () => {
    const shape =
      /^[!-~]+ - [!-~]+ \[\d\d\/\d\d\/\d{4}:\d\d:\d\d:\d\d \+0000\] "[!#-~]+ [!#-~]+ [!#-~]+" \d{3} \d+ "[ !#-~]+" "[ !#-~]+"$/
    fc.assert(
      fc.property(entries, (input) => {
        const output = writeLine(input)
        expect(output).toMatch(shape)
        expect(output.match(/"/g)).toHaveLength(6)
      }),
      { numRuns: 2000 },
    )
  })

  it('writes an empty value as a dash, and escapes a value that is a dash', () => {
    const empty = { ...entry, address: '', user: '', method: '', target: '', protocol: '', userAgent: '' }
    expect(writeLine(empty)).toBe('-:54321 - - [15/11/2026:03:29:00 +0000] "- - -" 200 512 "-" "-"')
    expect(writeLine({ ...entry, user: '-', userAgent: '-' })).toMatch(/ - \\x2D \[.* "\\x2D"$/)
  })

  it('escapes quotes, backslashes and unprintable text as bytes', () => {
    expect(writeLine({ ...entry, userAgent: 'a "b" \\ é\n' })).toMatch(/"a \\x22b\\x22 \\x5C \\xC3\\xA9\\x0A"$/)
  })

  it('escapes spaces in the user name and in the request line', () => {
    expect(writeLine({ ...entry, user: 'Ann Lee', target: '/a b' })).toContain(' Ann\\x20Lee [')
    expect(writeLine({ ...entry, user: 'Ann Lee', target: '/a b' })).toContain('"GET /a\\x20b HTTP/1.1"')
  })

  it.each([
    ['::1', '[::1]:54321'],
    ['fe80::1%eth0', '[fe80::1%eth0]:54321'],
    ['::ffff:1.2.3.4', '1.2.3.4:54321'],
    ['::FFFF:1.2.3.4', '1.2.3.4:54321'],
    ['::ffff:1234', '[::ffff:1234]:54321'],
  ])('writes the address %s as %s', (address, client) => {
    expect(writeLine({ ...entry, address }).split(' ')[0]).toBe(client)
  })

  it('writes the second of each entry, in any order', () => {
    const times = [0, 999, 1000, 999, Date.UTC(2028, 1, 29, 23, 59, 59, 999), Date.UTC(2028, 2, 1)]
    const stamps = times.map((time) => writeLine({ ...entry, time }).split(/[[\]]/)[1])
    expect(stamps).toEqual([
      '01/01/1970:00:00:00 +0000',
      '01/01/1970:00:00:00 +0000',
      '01/01/1970:00:00:01 +0000',
      '01/01/1970:00:00:00 +0000',
      '29/02/2028:23:59:59 +0000',
      '01/03/2028:00:00:00 +0000',
    ])
  })
})

describe('parseLine', () => {
  it('reads every written line back exactly', () => {
    fc.assert(
      fc.property(entries, (input) => {
        expect(parseLine(writeLine(input))).toEqual(storedForm(input))
      }),
      { numRuns: 5000 },
    )
  })

  it.each(['a', '"', '\\', '\u0000', 'é', '👩', '\\"\n'])('reads a user agent of 64 KiB of %j back', (part) => {
    const input = { ...entry, userAgent: part.repeat(65536 / part.length) }
    expect(parseLine(writeLine(input))).toEqual(input)
  })

  it('reads a line with its line end', () => {
    expect(parseLine(`${line}\n`)).toEqual(entry)
    expect(parseLine(`${line}\r\n`)).toEqual(entry)
  })

  it('reads combined lines of Apache', () => {
    const apache =
      'host.example.com - frank [15/Nov/2026:05:29:00 +0200] "GET /apache_pb.gif HTTP/1.0" 304 - "http://a/\\"b\\"" "M\\\\4\\t\\xc3\\xa9"'
    expect(parseLine(apache)).toEqual({
      address: 'host.example.com',
      port: undefined,
      user: 'frank',
      time: entry.time,
      method: 'GET',
      target: '/apache_pb.gif',
      protocol: 'HTTP/1.0',
      status: 304,
      size: 0,
      referrer: 'http://a/"b"',
      userAgent: 'M\\4\té',
    })
  })

  it('reads combined lines of nginx, with an extra field', () => {
    const nginx = '::1 - - [14/Nov/2026:19:29:00 -0800] "GET /a HTTP/2.0" 200 5 "" "curl/8" "203.0.113.7"'
    expect(parseLine(nginx)).toMatchObject({ address: '::1', port: undefined, user: undefined, time: entry.time })
    expect(parseLine(nginx)).toMatchObject({ protocol: 'HTTP/2.0', referrer: undefined, userAgent: 'curl/8' })
  })

  it.each([
    ['1.2.3.4', { address: '1.2.3.4', port: undefined }],
    ['1.2.3.4:80', { address: '1.2.3.4', port: 80 }],
    ['host:80', { address: 'host', port: 80 }],
    ['[::1]', { address: '::1', port: undefined }],
    ['2001:db8::2:80', { address: '2001:db8::2:80', port: undefined }],
    ['::ffff:1.2.3.4', { address: '1.2.3.4', port: undefined }],
  ])('reads the client %s', (client, expected) => {
    expect(parseLine(line.replace('127.0.0.1:54321', client))).toMatchObject(expected)
  })

  it.each([
    ['-', { method: '', target: '', protocol: '' }],
    ['', { method: '', target: '', protocol: '' }],
    ['GET /', { method: '', target: 'GET /', protocol: '' }],
    ['\\x16\\x03\\x01', { method: '', target: '\u0016\u0003\u0001', protocol: '' }],
    ['a b c d', { method: '', target: 'a b c d', protocol: '' }],
    ['GET /a b HTTP/1.1', { method: 'GET', target: '/a b', protocol: 'HTTP/1.1' }],
  ])('reads the request line "%s" of another server', (request, expected) => {
    expect(parseLine(line.replace('GET /user?pageSize=1 HTTP/1.1', request))).toMatchObject({
      ...expected,
      status: 200,
    })
  })

  it('reads user names with spaces and brackets', () => {
    expect(parseLine(line.replace('alice', 'Ann [x] Lee'))).toMatchObject({ user: 'Ann [x] Lee', time: entry.time })
  })

  it('reads a value of another server that ends with a backslash', () => {
    const foreign = line.replace('"-"', '"C:\\\\"')
    expect(parseLine(foreign)).toMatchObject({ referrer: 'C:\\', userAgent: 'curl/8' })
  })

  it('reads bytes that are not UTF-8 as Latin-1, and keeps unknown escapes', () => {
    expect(parseLine(line.replace('curl/8', 'caf\\xe9 \\q'))).toMatchObject({ userAgent: 'café \\q' })
  })

  it('finds no entry in a truncated line', () => {
    for (let end = 0; end < line.length; end++) {
      expect(parseLine(line.slice(0, end))).toBeUndefined()
    }
  })

  it.each([
    ['no time', line.replace(/\[.*\] /, '')],
    ['a month that does not exist', line.replace('/11/', '/13/')],
    ['an unknown month name', line.replace('/11/', '/Nom/')],
    ['a day that its month does not have', line.replace('15/11/', '31/Feb/')],
    ['29 February of a common year', line.replace('15/11/', '29/02/')],
    ['an hour that does not exist', line.replace(':03:', ':24:')],
    ['the end of a day', line.replace('03:29:00', '24:00:00')],
    ['no user', line.replace('alice ', '')],
    ['no status', line.replace(' 200', ' ok')],
    ['a size that is not a number', line.replace(' 512', ' 5x')],
    ['an empty size', line.replace('512', '')],
    ['no space between the user and the time', line.replace(' [', '[')],
    ['text directly after the request line', line.replace('HTTP/1.1" ', 'HTTP/1.1"x')],
    ['text directly after the referrer', line.replace('"-" ', '"-"x')],
    ['words after the size', line.replace(' 512', ' - 512')],
    ['no user agent', line.replace(' "curl/8"', '')],
    ['text directly after the user agent', `${line}x`],
    ['another format', '{"time":"2026-11-15T03:29:00Z","msg":"GET /user"}'],
  ])('finds no entry in a line with %s', (_, foreign) => {
    expect(parseLine(foreign)).toBeUndefined()
  })

  it('accepts any string without throwing', () => {
    const text = fc.oneof(
      hostile,
      fc.tuple(hostile, fc.nat(line.length)).map(([part, offset]) => line.slice(0, offset) + part + line.slice(offset)),
    )
    fc.assert(
      fc.property(text, (input) => {
        const parsed = parseLine(input)
        if (parsed) expect(parseLine(writeLine(parsed))).toEqual(storedForm(parsed))
      }),
      { numRuns: 5000 },
    )
  })

  it('reads malicious lines of megabytes in linear time', () => {
    const head = line.slice(0, line.indexOf('"-"'))
    for (const part of ['\\"', '\\', '"', ' [', '] "', '\\x41', '" "']) {
      const long = part.repeat(1_000_000 / part.length)
      parseLine(long)
      parseLine(`${head}"-" "${long}"`)
      parseLine(line.replace('GET', long))
    }
  })
})
