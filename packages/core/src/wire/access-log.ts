/** Reads and writes access-log lines in the combined format. */

/** An access-log entry: one request. */
export interface AccessEntry {
  /** IP address or host name of the client; empty when unknown. */
  address: string
  port: number | undefined
  /** Name of the authenticated user. */
  user: string | undefined
  /** Milliseconds since the epoch. A log line has whole seconds only. */
  time: number
  /** Empty, like `protocol`, if the request line is malformed. `target` then has the whole line. */
  method: string
  /** The request target (path and query) as sent. */
  target: string
  protocol: string
  status: number
  /** Bytes of the response body. */
  size: number
  referrer: string | undefined
  userAgent: string | undefined
}

/**
 * Writes an access-log entry as a line in the combined log format, without a newline. The line is printable ASCII, so
 * requests cannot inject log lines.
 *
 * Quotes, backslashes and everything unprintable become `\xHH`, byte by byte in UTF-8, and so does a space outside
 * referrer and user agent. An empty value is `-`; a value that is itself `-` is `\x2D`.
 *
 * @example
 * ```ts
 * const line = '127.0.0.1:54321 - alice [15/11/2026:03:29:00 +0000] "GET /user HTTP/1.1" 200 512 "-" "curl/8"'
 * writeLine(parseLine(line) as AccessEntry) === line // true
 * ```
 */
export function writeLine(entry: AccessEntry): string {
  const { port, status, size } = entry
  const client = port === undefined ? writeHost(entry.address) : `${writeHost(entry.address)}:${port}`
  const request = `${writeMethod(entry.method)}${writeWord(entry.target)}${writeProtocol(entry.protocol)}`
  const end = `${writeReferrer(entry.referrer)}${writeAgent(entry.userAgent)}`
  return `${client}${writeUser(entry.user)}${writeTime(Math.floor(entry.time / 1000))}${request}${status} ${size}${end}`
}

const timeLength = '15/11/2026:03:29:00 +0000'.length
const namedMonthTimeLength = '15/Nov/2026:03:29:00 +0000'.length

/**
 * Parses an access-log line in the combined log format, of `writeLine`, Apache or nginx; undefined if it is malformed. It
 * accepts named months, any UTC offset, a missing port, `-` as size, and further fields after the user agent.
 *
 * @example
 * ```ts
 * parseLine('127.0.0.1 - - [15/Nov/2026:03:29:00 +0000] "GET /user HTTP/1.1" 200 512 "-" "curl/8"')?.target // '/user'
 * ```
 */
export function parseLine(line: string): AccessEntry | undefined {
  const clientEnd = line.indexOf(' ')
  const userStart = line.indexOf(' ', clientEnd + 1) + 1
  // A user name of another server may have spaces and brackets, but no bare quote: the first `] "` ends the time.
  const timeEnd = line.indexOf('] "', userStart)
  const hasMonthNumber = line[timeEnd - timeLength - 1] === '['
  const timeStart = timeEnd - (hasMonthNumber ? timeLength : namedMonthTimeLength)
  const userEnd = timeStart - 2
  if (clientEnd < 1 || userStart < clientEnd + 2 || userEnd <= userStart) return undefined
  if (!line.startsWith(' [', userEnd)) return undefined

  const requestEnd = closingQuote(line, timeEnd + 3)
  const statusEnd = line.indexOf(' ', requestEnd + 2)
  const sizeEnd = line.indexOf(' "', statusEnd + 1)
  if (requestEnd < 0 || statusEnd < 0 || sizeEnd < 0 || line[requestEnd + 1] !== ' ') return undefined

  const referrerEnd = closingQuote(line, sizeEnd + 2)
  if (referrerEnd < 0 || !line.startsWith('" "', referrerEnd)) return undefined
  const agentEnd = closingQuote(line, referrerEnd + 3)
  if (agentEnd < 0 || line.charCodeAt(agentEnd + 1) > 32) return undefined

  const time = readTime(line.slice(timeStart, timeEnd))
  const status = readNumber(line, requestEnd + 2, statusEnd)
  const size = line.slice(statusEnd + 1, sizeEnd) === '-' ? 0 : readNumber(line, statusEnd + 1, sizeEnd)
  if (time === undefined || status === undefined || size === undefined) return undefined

  const { address, port } = readClient(line.slice(0, clientEnd))
  const { method, target, protocol } = readRequest(line.slice(timeEnd + 3, requestEnd))
  return {
    address,
    port,
    user: readText(line.slice(userStart, userEnd)),
    time,
    method,
    target,
    protocol,
    status,
    size,
    referrer: readText(line.slice(sizeEnd + 2, referrerEnd)),
    userAgent: readText(line.slice(referrerEnd + 3, agentEnd)),
  }
}

/** Parses a line in the common log format (NCSA), which has no referrer and no user agent; undefined if it is malformed. */
export function parseCommonLine(line: string): AccessEntry | undefined {
  return parseLine(`${line.trimEnd()} "-" "-"`)
}

function readClient(raw: string): Pick<AccessEntry, 'address' | 'port'> {
  const bracket = raw.startsWith('[') ? raw.lastIndexOf(']') : -1
  const colon = raw.indexOf(':', bracket + 1)
  // An IPv6 address without brackets has no number after its first colon, and no port.
  const port = colon < 0 ? undefined : readNumber(raw, colon + 1, raw.length)
  const host = port === undefined ? raw : raw.slice(0, colon)
  return { address: unmapIpv4(readText(bracket > 0 ? host.slice(1, bracket) : host) ?? ''), port }
}

function unmapIpv4(address: string): string {
  return address.startsWith('::') ? address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '') : address
}

const timePattern = /^(\d\d)\/(\d\d|[A-Z][a-z]{2})\/(\d{4}):((?:[01]\d|2[0-3]):\d\d:\d\d) ([+-]\d\d)(\d\d)$/

/** As Apache and nginx write them. */
export const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

let lastTimeText = ''
let lastTime: number | undefined

function readTime(raw: string): number | undefined {
  if (raw !== lastTimeText) {
    const [, day, month = '', year, clock, hours, minutes] = timePattern.exec(raw) ?? []
    const number = monthNames.includes(month) ? String(monthNames.indexOf(month) + 1).padStart(2, '0') : month
    const date = `${year}-${number}-${day}`
    const time = isDate(date) ? Date.parse(`${date}T${clock}${hours}:${minutes}`) : Number.NaN
    lastTime = Number.isNaN(time) ? undefined : time
    lastTimeText = raw
  }
  return lastTime
}

/** Date.parse reads 2026-02-31 as 3 March. */
function isDate(date: string): boolean {
  const midnight = Date.parse(`${date}T00:00:00Z`)
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(date)
}

function readRequest(raw: string): Pick<AccessEntry, 'method' | 'target' | 'protocol'> {
  const first = raw.indexOf(' ')
  const second = raw.indexOf(' ', first + 1)
  const isSpaced = raw.indexOf(' ', second + 1) > second
  const last = isSpaced ? raw.lastIndexOf(' ') : second
  // A target of another server may have spaces; the protocol after it then marks its end.
  const isMalformed = second <= first || (isSpaced && !raw.startsWith('HTTP/', last + 1))
  if (isMalformed) return { method: '', target: readText(raw) ?? '', protocol: '' }
  return {
    method: readText(raw.slice(0, first)) ?? '',
    target: readText(raw.slice(first + 1, last)) ?? '',
    protocol: readText(raw.slice(last + 1)) ?? '',
  }
}

function readNumber(raw: string, start: number, end: number): number | undefined {
  let number = 0
  for (let index = start; index < end; index++) {
    const digit = raw.charCodeAt(index) - 48
    if (digit < 0 || digit > 9) return undefined
    number = number * 10 + digit
  }
  return start < end ? number : undefined
}

function closingQuote(line: string, start: number): number {
  let quote = line.indexOf('"', start)
  while (quote > start && line[quote - 1] === '\\' && isEscaped(line, quote)) quote = line.indexOf('"', quote + 1)
  return quote
}

function isEscaped(line: string, index: number): boolean {
  let first = index
  while (line[first - 1] === '\\') first--
  return (index - first) % 2 === 1
}

const unsafeInWord = /[^\x21\x23-\x5b\x5d-\x7e]/
const unsafeInText = /[^\x20\x21\x23-\x5b\x5d-\x7e]/

function writeWord(value: string | undefined): string {
  if (!value) return '-'
  if (unsafeInWord.test(value)) return escapeText(value).replaceAll(' ', '\\x20')
  return value === '-' ? '\\x2D' : value
}

function writeText(value: string | undefined): string {
  if (!value) return '-'
  if (unsafeInText.test(value)) return escapeText(value)
  return value === '-' ? '\\x2D' : value
}

/**
 * Writers of the parts of a line, with the separators around them. Each caches its last string, because most parts equal those
 * of the line before.
 */
const writeHost = cacheLast((address: string) => {
  const host = writeWord(unmapIpv4(address))
  // Brackets separate the colons of an IPv6 address from the one before the port.
  return host.includes(':') || host.startsWith('[') ? `[${host}]` : host
})
const writeUser = cacheLast((user: string | undefined) => ` - ${writeWord(user)}`)
const writeTime = cacheLast((second: number) => {
  const iso = new Date(second * 1000).toISOString()
  return ` [${iso.slice(8, 10)}/${iso.slice(5, 7)}/${iso.slice(0, 4)}:${iso.slice(11, 19)} +0000] "`
})
const writeMethod = cacheLast((method: string) => `${writeWord(method)} `)
const writeProtocol = cacheLast((protocol: string) => ` ${writeWord(protocol)}" `)
const writeReferrer = cacheLast((referrer: string | undefined) => ` "${writeText(referrer)}"`)
const writeAgent = cacheLast((agent: string | undefined) => ` "${writeText(agent)}"`)

function cacheLast<Part>(write: (part: Part) => string): (part: Part) => string {
  let last: { readonly part: Part; readonly text: string } | undefined
  return (part) => {
    if (last === undefined || last.part !== part) last = { part, text: write(part) }
    return last.text
  }
}

function escapeText(value: string): string {
  // An unpaired surrogate cannot be encoded and becomes U+FFFD.
  const text = value.toWellFormed()
  return text.replace(/[^\x20\x21\x23-\x5b\x5d-\x7e]+/g, (run) => encodeURIComponent(run).replaceAll('%', '\\x'))
}

function readText(raw: string): string | undefined {
  if (raw === '-' || raw === '') return undefined
  return raw.includes('\\') ? raw.replace(/(?:\\x[\da-fA-F]{2})+|\\["\\bfnrtv]/g, unescapeText) : raw
}

function unescapeText(run: string): string {
  if (!run.startsWith('\\x')) return escapedCharacters[run.charAt(1)] ?? run.charAt(1)
  const bytes = run.replaceAll('\\x', '%')
  try {
    return decodeURIComponent(bytes)
  } catch {
    // Bytes of another server that are not UTF-8 are read as Latin-1.
    return bytes.replace(/%(..)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  }
}

const escapedCharacters: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }
