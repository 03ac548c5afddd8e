/** A raw HTTP request in parts, so that it can be mutated, shrunk and printed. */
import type { DocumentOperation } from '@nomen/core/openapi'
import { quoteForShell } from '../request/exchange.ts'

/** Names and values may have any characters; each is one byte. */
export type Header = readonly [name: string, value: string]

/**
 * How it is sent: on a shared connection; in pieces; on a separate connection; on one that is half-closed at once,
 * because the request may be incomplete; twice; or aborted.
 */
export type SendMode = 'plain' | 'slow' | 'separate' | 'half-closed' | 'twice' | 'aborted'

export interface WireRequest {
  readonly method: string
  /** As sent, percent-encoded. */
  readonly path: string
  /** The parts between `&`, as sent. */
  readonly query: readonly string[]
  readonly headers: readonly Header[]
  readonly body?: Buffer | undefined
  /** Raw bytes instead of all other parts; may be invalid HTTP. */
  readonly bytes?: Buffer | undefined
  readonly mode: SendMode
  /** The operation that describes the response; undefined if the request addresses none. */
  readonly operation?: DocumentOperation | undefined
  /** The subject of findings. */
  readonly subject: string
  /** The mutations in words. */
  readonly mutations: readonly string[]
}

/** The request as a string; each byte is a character. */
export function wireText(text: string): string {
  return Buffer.from(text).toString('latin1')
}

export function wireBytes(request: WireRequest): Buffer {
  const { method, headers, body, bytes } = request
  if (bytes) return bytes
  const isFramed = headers.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name))
  const lengthHeader: Header[] = body === undefined || isFramed ? [] : [['content-length', `${body.length}`]]
  const head = [
    `${method} ${wireTarget(request)} HTTP/1.1`,
    ...[...headers, ...lengthHeader].map(([name, value]) => `${name}: ${value}`),
  ]
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), body ?? Buffer.alloc(0)])
}

function wireTarget({ path, query }: Pick<WireRequest, 'path' | 'query'>): string {
  return query.length === 0 ? path : `${path}?${query.join('&')}`
}

/** Maximum number of printed bytes. */
const maxPrintedBytes = 2000

/** The shell command that repeats the request: curl if possible, otherwise the raw bytes. */
export function shellLine(request: WireRequest, base: string, tokenVariable?: string): string {
  const { origin, hostname, port, protocol } = new URL(base)
  const { method, headers, body = Buffer.alloc(0), bytes } = request
  const requestText = `${method}${wireTarget(request)}${headers.flat().join('')}${body.toString('latin1')}`
  const isPlain =
    /^[\x20-\x7e]*$/.test(requestText) &&
    request.path.startsWith('/') &&
    requestText.length <= maxPrintedBytes &&
    !bytes
  const hasOne = (name: string) => headers.filter(([header]) => header.toLowerCase() === name).length === 1
  if (!isPlain || !hasOne('host') || request.mode === 'aborted' || request.mode === 'twice') {
    const requestBytes = wireBytes(request)
    const omittedNote =
      requestBytes.length > maxPrintedBytes ? ` # and ${requestBytes.length - maxPrintedBytes} bytes more` : ''
    const text = hideToken(quoteForPrintf(requestBytes.subarray(0, maxPrintedBytes)), tokenVariable)
    const tlsClient = protocol === 'https:' ? `openssl s_client -quiet -connect ${hostname}:${port || 443}` : undefined
    return `printf ${text} | ${tlsClient ?? `nc ${hostname} ${port || 80}`}${omittedNote}`
  }
  const shownHeaders = headers.filter(([name, value]) => name.toLowerCase() !== 'host' || value !== new URL(base).host)
  const headerFlags = shownHeaders.map(([name, value]) =>
    tokenVariable && name === 'authorization' && value.startsWith('Bearer ')
      ? `-H "authorization: Bearer $${tokenVariable}"`
      : `-H ${quoteForShell(value === '' ? `${name};` : `${name}: ${value}`)}`,
  )
  return [
    'curl -i --path-as-is',
    ...(method === 'GET' && body.length === 0 ? [] : [method === 'HEAD' ? '--head' : `-X ${quoteForShell(method)}`]),
    quoteForShell(`${origin}${wireTarget(request)}`),
    ...headerFlags,
    ...(body.length === 0 ? [] : [`--data-raw ${quoteForShell(body.toString('latin1'))}`]),
  ].join(' ')
}

/** For printf, in double quotes so that variables are expanded. */
function quoteForPrintf(bytes: Buffer): string {
  const text = bytes.toString('latin1').replaceAll(/[^\x20-\x7e]|["\\%$`!]/g, (character) => {
    if (character === '%') return '%%'
    return `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`
  })
  return `"${text.replaceAll('\\015\\012', '\\r\\n')}"`
}

function hideToken(text: string, tokenVariable: string | undefined): string {
  return tokenVariable === undefined
    ? text
    : text.replace(/(authorization: Bearer ).*?(?=\\r\\n)/, `$1$${tokenVariable}`)
}
