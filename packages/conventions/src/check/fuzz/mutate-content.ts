/** Mutations of the headers and the body of a request. */
import { gzipSync } from 'node:zlib'
import { bodies, jsonTexts, numerals, texts, timestamps } from './hostile-value.ts'
import { type Mutation, pick, setHeader, useOwnConnection } from './mutable-request.ts'
import { type Header, wireText } from './wire-request.ts'

const changeField: Mutation = (request, random) => {
  if (!request.fields || request.fields.length === 0) return undefined
  const index = random.below(request.fields.length)
  const [name] = request.fields[index] as [string, string]
  const randomJson = () => JSON.stringify(pick(random, pick(random, [texts, texts, numerals, timestamps])))
  request.fields[index] = [name, random.below(2) === 0 ? pick(random, jsonTexts) : randomJson()]
  return `another ${name}`
}

const removeField: Mutation = (request, random) => {
  if (!request.fields || request.fields.length === 0) return undefined
  const [[name] = ['']] = request.fields.splice(random.below(request.fields.length), 1)
  return `no ${name}`
}

const addField: Mutation = (request, random) => {
  if (!request.fields) return undefined
  const names = [
    ...request.fields.map(([name]) => name),
    'id',
    '__proto__',
    'constructor',
    '',
    'created',
    'a\0',
    'x'.repeat(3000),
  ]
  const name = pick(random, names)
  request.fields.push([name, pick(random, jsonTexts)])
  return `${JSON.stringify(name.slice(0, 40))} as well`
}

const replaceBody: Mutation = (request, random) => {
  if (!request.original.operation.body) return undefined
  request.body = pick(random, bodies)
  return 'a body that is not an object'
}

const truncateBody: Mutation = (request, random) => {
  if (!request.fields) return undefined
  const text = `{${request.fields.map(([name, json]) => `${JSON.stringify(name)}:${json}`)}}`
  request.body = Buffer.from(text.slice(0, random.below(text.length)))
  return 'a truncated body'
}

/** A media type without a body. */
const removeBody: Mutation = (request) => {
  if (!request.fields && request.headers.some(([name]) => name === 'content-type')) return undefined
  request.fields = undefined
  setHeader(request, 'content-type', 'application/json')
  return 'a media type and no body'
}

/** Larger than the usual limit of services. */
const sendLargeBody: Mutation = (request, random) => {
  if (!request.original.operation.body || random.below(12) > 0) return undefined
  request.body = Buffer.from(`{"a":"${'x'.repeat(1_200_000)}"}`)
  useOwnConnection(request)
  request.operation = undefined
  return 'a body of 1.2 MB'
}

const addUnexpectedBody: Mutation = (request, random) => {
  if (request.original.operation.body) return undefined
  request.body = pick(random, bodies)
  setHeader(request, 'content-type', 'application/json')
  return 'an unexpected body'
}

const mediaTypes = [
  '',
  'text/plain',
  'text/html',
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json; charset=utf-16',
  'application/json; charset=utf-8; a=b',
  'application/json;',
  'application/json, text/plain',
  'APPLICATION/JSON',
  'application/merge-patch+json',
  'application/json-patch+json',
  'json',
  '*/*',
  'a/b/c',
  '\xff',
]

const changeMediaType: Mutation = (request, random) => {
  if (!request.original.operation.body) return undefined
  const type = pick(random, mediaTypes)
  if (random.below(8) === 0) request.headers = request.headers.filter(([name]) => name !== 'content-type')
  else setHeader(request, 'content-type', type)
  return `the media type "${type}"`
}

const changeContentEncoding: Mutation = (request, random) => {
  if (!request.fields) return undefined
  const coding = pick(random, ['gzip', 'br', 'identity', 'x'])
  if (coding === 'gzip' && random.below(2) === 0) request.body = gzipSync('{}')
  setHeader(request, 'content-encoding', coding)
  return `a body in ${coding}`
}

const headerValues: Readonly<Record<string, readonly string[]>> = {
  accept: ['text/html', 'application/xml', '*/*;q=0', ',;', 'a'],
  'accept-encoding': ['gzip', 'br', 'zstd', 'gzip;q=0, *;q=0', 'identity;q=0', ';;;', 'gzip;q=x', '*'],
  'accept-language': ['ar', '*'],
  'if-match': ['*', '"x"', 'W/"x"', 'x', '""', '"', '"a", "b"', `"${'a'.repeat(3000)}"`, ','],
  'if-none-match': ['*', '"x"', 'W/"x"', 'x', '"', ',,,'],
  'if-modified-since': ['Thu, 01 Jan 1970 00:00:00 GMT', 'x'],
  'idempotency-key': ['', 'a', '"a"', 'x'.repeat(256), 'x'.repeat(3000), '\xff', "' or 1=1"],
  'x-request-id': ['', 'x'.repeat(129), 'a b', '\xc3\xa9', "'", '{{7*7}}'],
  'x-transaction-id': ['', 'x'.repeat(5000), '\xff\xfe', 'a\tb'],
  'x-read-after': ['x', '1-0/0', '4294967295-FFFFFFFF/FFFFFFFF', '1-0/FFFFFFFFFFFFFFFFFF', "'"],
  authorization: [
    '',
    'Bearer',
    'Bearer ',
    'Bearer x',
    'Bearer a.b.c',
    'Basic YTpi',
    'bearer\tx',
    `Bearer ${'x'.repeat(5000)}`,
  ],
  host: ['', 'a', 'evil.example', '127.0.0.1:0', 'localhost:99999', '[::1', 'a b', '\xff', '../..'],
  origin: ['http://evil.example', 'null', 'x'],
  range: ['bytes=0-0', 'bytes=-1', 'bytes=1-0,2-', 'x'],
  cookie: ['a=b', ';;;', 'x'.repeat(4000)],
  referer: ['\xff\xfe', '"\\', 'a" "b', 'javascript:alert(1)'],
  'user-agent': ['', '"', '\\x', 'a" 200 0 "-" "b', '\xff', '\t', 'x'.repeat(5000), '{{7*7}}'],
  forwarded: ['for=1.2.3.4;host=evil.example;proto=https'],
  'x-forwarded-for': ['1.2.3.4', 'x', '127.0.0.1, ::1', 'x'.repeat(1000)],
  'x-forwarded-host': ['evil.example'],
  'x-forwarded-proto': ['https', 'x'],
  'x-http-method-override': ['DELETE'],
  'x-original-url': ['/admin'],
  'x-rewrite-url': ['/etc/passwd'],
  traceparent: ['00-0-0-0', 'x'],
  prefer: ['return=minimal', 'x'],
  te: ['trailers', 'x'],
}

/** Headers that determine the length of the request or the state of the connection. */
const framingHeaders: readonly Header[] = [
  ['connection', 'close'],
  ['connection', 'upgrade'],
  ['connection', 'x'],
  ['expect', '100-continue'],
  ['expect', 'x'],
  ['upgrade', 'websocket'],
  ['upgrade', 'h2c'],
  ['content-length', '0'],
  ['content-length', '1'],
  ['content-length', '99999999'],
  ['content-length', '-1'],
  ['content-length', 'x'],
  ['content-length', '18446744073709551616'],
  ['transfer-encoding', 'chunked'],
  ['transfer-encoding', 'gzip, chunked'],
  ['transfer-encoding', 'identity'],
  ['transfer-encoding', 'x'],
]

const changeHeader: Mutation = (request, random) => {
  const names = Object.keys(headerValues).filter((name) => request.isWriting || name !== 'x-http-method-override')
  const name = pick(random, names)
  const value = pick(random, headerValues[name] ?? [])
  if (random.below(6) === 0) request.headers = [...request.headers, [name, value], [name, value]]
  else setHeader(request, name, value)
  // The service checks these headers before it selects the operation.
  if (name === 'host' || name === 'authorization') request.operation = undefined
  return `${name}: ${value.slice(0, 40)}`
}

const addOddHeader: Mutation = (request, random) => {
  const name = pick(
    random,
    Object.keys(headerValues).filter((header) => header !== 'host' && header !== 'authorization'),
  )
  setHeader(request, name, wireText(pick(random, texts)).replaceAll(/[\r\n\0]/g, ''))
  return `an odd ${name}`
}

const addFramingHeader: Mutation = (request, random) => {
  const [name, value] = pick(random, framingHeaders)
  request.headers = [...request.headers, [name, value]]
  if (name === 'content-length' || name === 'transfer-encoding') request.mode = 'half-closed'
  else useOwnConnection(request)
  request.operation = undefined
  return `${name}: ${value}`
}

const addManyHeaders: Mutation = (request, random) => {
  const count = pick(random, [50, 150, 1500])
  for (let index = 0; index < count; index++) request.headers.push([`x-many-${index}`, 'x'])
  useOwnConnection(request)
  request.operation = undefined
  return `${count} headers`
}

const addLargeHeader: Mutation = (request, random) => {
  request.headers.push(['x-large', 'x'.repeat(pick(random, [8000, 16_000, 40_000]))])
  useOwnConnection(request)
  request.operation = undefined
  return 'a large header'
}

const changeSendMode: Mutation = (request, random) => {
  if (request.mode !== 'plain') return undefined
  request.mode = pick(random, ['slow', 'slow', 'aborted', ...(request.method === 'GET' ? (['twice'] as const) : [])])
  return `sent ${request.mode}`
}

export const contentMutations: readonly Mutation[] = [
  changeField,
  changeField,
  changeField,
  changeField,
  removeField,
  addField,
  replaceBody,
  truncateBody,
  removeBody,
  sendLargeBody,
  addUnexpectedBody,
  changeMediaType,
  changeContentEncoding,
  changeHeader,
  changeHeader,
  addOddHeader,
  addFramingHeader,
  addManyHeaders,
  addLargeHeader,
  changeSendMode,
]
