/** A strict parser of HTTP responses: it reports faults that lenient clients accept. */
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib'
import type { Json } from '../../document/read-document.ts'

export interface WireResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Undefined if the body is not valid JSON. */
  readonly json: Json | undefined
}

/** The bytes are not a valid HTTP response. */
export class WireError extends Error {
  override readonly name = 'WireError'
}

interface ParsedResponse {
  readonly response: WireResponse
  /** The offset of the next response. */
  readonly end: number
}

/** The first complete response; undefined while bytes are missing. `hasNoBody` is true for a response to HEAD. */
export function readResponse(bytes: Buffer, hasNoBody: boolean, isClosed: boolean): ParsedResponse | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const head = headOf(bytes.toString('latin1', 0, headEnd))
  const start = headEnd + 4
  const body = bodyOf(bytes, start, head, hasNoBody, isClosed)
  return body && { response: responseOf(head, body.content), end: body.end }
}

/** Whether the service closes the connection after this response. */
export function closesConnection(response: WireResponse | undefined): boolean {
  return /\bclose\b/i.test(response?.headers.get('connection') ?? '')
}

/** Skips interim responses such as `100 Continue`. */
export function withoutInterim(bytes: Buffer): Buffer {
  const end = bytes.indexOf('\r\n\r\n')
  return end < 0 || !/^HTTP\/1\.1 1\d\d /.test(bytes.toString('latin1', 0, 13))
    ? bytes
    : withoutInterim(bytes.subarray(end + 4))
}

interface Head {
  readonly status: number
  readonly headers: Headers
}

function headOf(text: string): Head {
  const [line = '', ...lines] = text.split('\r\n')
  const status = /^HTTP\/1\.[01] (\d{3}) [\x20-\x7e]*$/.exec(line)?.[1]
  if (status === undefined) throw new WireError(`the first line is ${JSON.stringify(line.slice(0, 200))}`)
  const headers = new Headers()
  for (const headerLine of lines) {
    const [, name, value = ''] = /^([!#$%&'*+.^_`|~\w-]+): ?(.*)$/.exec(headerLine) ?? []
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are not allowed
    if (name === undefined || /[\x00-\x08\x0a-\x1f\x7f]/.test(value))
      throw new WireError(`a header is ${JSON.stringify(headerLine.slice(0, 200))}`)
    headers.append(name, value)
  }
  return { status: Number(status), headers }
}

function bodyOf(bytes: Buffer, start: number, { status, headers }: Head, hasNoBody: boolean, isClosed: boolean) {
  if (hasNoBody || status === 204 || status === 304) return { content: Buffer.alloc(0), end: start }
  if (/\bchunked$/i.test(headers.get('transfer-encoding') ?? '')) return chunksOf(bytes, start)
  const length = headers.get('content-length')
  if (length === null) return isClosed ? { content: bytes.subarray(start), end: bytes.length } : undefined
  if (!/^\d+$/.test(length)) throw new WireError(`content-length is "${length}"`)
  const end = start + Number(length)
  return bytes.length < end ? undefined : { content: bytes.subarray(start, end), end }
}

function chunksOf(bytes: Buffer, bodyStart: number): { content: Buffer; end: number } | undefined {
  const chunks: Buffer[] = []
  for (let position = bodyStart; ; ) {
    const lineEnd = bytes.indexOf('\r\n', position)
    if (lineEnd < 0) return undefined
    const size = /^([\da-f]+)[ \t]*(;.*)?$/i.exec(bytes.toString('latin1', position, lineEnd))?.[1]
    if (size === undefined) throw new WireError('a chunk has no size')
    const start = lineEnd + 2
    const end = start + Number.parseInt(size, 16)
    if (end === start) {
      // The last chunk is empty. Trailer fields may follow it.
      const trailerEnd = bytes.indexOf('\r\n\r\n', lineEnd)
      return trailerEnd < 0 ? undefined : { content: Buffer.concat(chunks), end: trailerEnd + 4 }
    }
    if (bytes.length < end + 2) return undefined
    if (bytes.toString('latin1', end, end + 2) !== '\r\n') throw new WireError('a chunk has no end')
    chunks.push(bytes.subarray(start, end))
    position = end + 2
  }
}

const decoders: Readonly<Record<string, (content: Buffer) => Buffer>> = {
  gzip: gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
}

function responseOf({ status, headers }: Head, content: Buffer): WireResponse {
  const coding = headers.get('content-encoding')?.toLowerCase() ?? ''
  const text = decodeBody(content, coding).toString()
  return { status, headers, text, json: parseJson(text) }
}

function decodeBody(content: Buffer, coding: string): Buffer {
  const decode = content.length === 0 ? undefined : decoders[coding]
  if (!decode) return content
  try {
    return decode(content)
  } catch {
    throw new WireError(`the body is not valid ${coding}`)
  }
}

function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
