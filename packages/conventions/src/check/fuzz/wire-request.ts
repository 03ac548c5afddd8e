/** A request as it goes over the wire: in parts, so that it can be bent, made smaller and shown. */
import type { DocumentOperation } from '@nomen/core/openapi'
import { quoted } from '../request/exchange.ts'

/** Names and values may hold anything; each character is one byte. */
export type Header = readonly [name: string, value: string]

/**
 * How it is sent: over a connection that is kept; in pieces; over one of its own; over one that says its end at once,
 * since the request may want more; twice at once; or left half way.
 */
export type Manner = 'plain' | 'slow' | 'own' | 'cut' | 'twice' | 'left'

export interface WireRequest {
  readonly method: string
  /** As it is sent, percent-encoding and all. */
  readonly path: string
  /** The parts between `&`, as they are sent. */
  readonly query: readonly string[]
  readonly headers: readonly Header[]
  readonly body?: Buffer | undefined
  /** In place of all else: bytes that may be no HTTP at all. */
  readonly bytes?: Buffer | undefined
  readonly manner: Manner
  /** Whose promises bind the answer; absent where something else is asked for. */
  readonly operation?: DocumentOperation | undefined
  /** Where what is found is reported. */
  readonly subject: string
  /** What is wrong with it, in words. */
  readonly tricks: readonly string[]
}

/** Text as it stands on the wire, each byte a character. */
export function wireText(text: string): string {
  return Buffer.from(text).toString('latin1')
}

export function wireBytes(request: WireRequest): Buffer {
  const { method, headers, body, bytes } = request
  if (bytes) return bytes
  const isFramed = headers.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name))
  const framed: Header[] = body === undefined || isFramed ? [] : [['content-length', `${body.length}`]]
  const head = [
    `${method} ${wireTarget(request)} HTTP/1.1`,
    ...[...headers, ...framed].map(([name, value]) => `${name}: ${value}`),
  ]
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), body ?? Buffer.alloc(0)])
}

function wireTarget({ path, query }: Pick<WireRequest, 'path' | 'query'>): string {
  return query.length === 0 ? path : `${path}?${query.join('&')}`
}

/** So many bytes are shown of a request that cannot be made short. */
const shown = 2000

/** What repeats it in a shell: curl where that can say it, else the bytes themselves. */
export function shellLine(request: WireRequest, base: string, tokenVariable?: string): string {
  const { origin, hostname, port, protocol } = new URL(base)
  const { method, headers, body = Buffer.alloc(0), bytes } = request
  const said = `${method}${wireTarget(request)}${headers.flat().join('')}${body.toString('latin1')}`
  const isPlain = /^[\x20-\x7e]*$/.test(said) && request.path.startsWith('/') && said.length <= shown && !bytes
  const isKnown = (name: string) => headers.filter(([other]) => other.toLowerCase() === name).length === 1
  if (!isPlain || !isKnown('host') || request.manner === 'left' || request.manner === 'twice') {
    const all = wireBytes(request)
    const more = all.length > shown ? ` # and ${all.length - shown} bytes more` : ''
    const text = hidden(escaped(all.subarray(0, shown)), tokenVariable)
    const peer = protocol === 'https:' ? `openssl s_client -quiet -connect ${hostname}:${port || 443}` : undefined
    return `printf ${text} | ${peer ?? `nc ${hostname} ${port || 80}`}${more}`
  }
  const own = headers.filter(([name, value]) => name.toLowerCase() !== 'host' || value !== new URL(base).host)
  const given = own.map(([name, value]) =>
    tokenVariable && name === 'authorization' && value.startsWith('Bearer ')
      ? `-H "authorization: Bearer $${tokenVariable}"`
      : `-H ${quoted(value === '' ? `${name};` : `${name}: ${value}`)}`,
  )
  return [
    'curl -i --path-as-is',
    ...(method === 'GET' && body.length === 0 ? [] : [method === 'HEAD' ? '--head' : `-X ${quoted(method)}`]),
    quoted(`${origin}${wireTarget(request)}`),
    ...given,
    ...(body.length === 0 ? [] : [`--data-raw ${quoted(body.toString('latin1'))}`]),
  ].join(' ')
}

/** For printf, in quotes that leave a variable its meaning. */
function escaped(bytes: Buffer): string {
  const text = bytes.toString('latin1').replaceAll(/[^\x20-\x7e]|["\\%$`!]/g, (one) => {
    if (one === '%') return '%%'
    return `\\${one.charCodeAt(0).toString(8).padStart(3, '0')}`
  })
  return `"${text.replaceAll('\\015\\012', '\\r\\n')}"`
}

function hidden(text: string, tokenVariable: string | undefined): string {
  return tokenVariable === undefined
    ? text
    : text.replace(/(authorization: Bearer ).*?(?=\\r\\n)/, `$1$${tokenVariable}`)
}
