/** Invalid or ambiguous HTTP, which parsers treat differently and attackers use. */
import type { Random } from '../request/random.ts'
import { pick, type SendOptions } from './mutable-request.ts'
import type { WireRequest } from './wire-request.ts'

type RequestWriter = (target: string, host: string, random: Random) => string

const brokenRequests = {
  'a method alone': () => 'GET\r\n\r\n',
  'no version': (target) => `GET ${target}\r\n\r\n`,
  'HTTP/0.9': (target) => `GET ${target} HTTP/0.9\r\n\r\n`,
  'HTTP/1.0': (target) => `GET ${target} HTTP/1.0\r\n\r\n`,
  'HTTP/9.9': (target, host) => `GET ${target} HTTP/9.9\r\nhost: ${host}\r\n\r\n`,
  'the preface of HTTP/2': () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'a TLS ClientHello': () => '\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03',
  'no host': (target) => `GET ${target} HTTP/1.1\r\n\r\n`,
  'two hosts': (target, host) => `GET ${target} HTTP/1.1\r\nhost: ${host}\r\nhost: evil.example\r\n\r\n`,
  'bare line feeds': (target, host) => `GET ${target} HTTP/1.1\nhost: ${host}\n\n`,
  'a space in the target': (target, host) => `GET ${target} a HTTP/1.1\r\nhost: ${host}\r\n\r\n`,
  'an absolute target': (target, host) =>
    `GET http://evil.example${target} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`,
  'a star': (_, host) => `OPTIONS * HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`,
  CONNECT: (_, host) => `CONNECT evil.example:443 HTTP/1.1\r\nhost: ${host}\r\n\r\n`,
  'a header without a colon': (target, host) => `GET ${target} HTTP/1.1\r\nhost: ${host}\r\nabc\r\n\r\n`,
  'a space before the colon': (target, host) => `GET ${target} HTTP/1.1\r\nhost : ${host}\r\n\r\n`,
  'a folded header': (target, host) =>
    `GET ${target} HTTP/1.1\r\nhost: ${host}\r\nx-a: b\r\n c\r\nconnection: close\r\n\r\n`,
  'NUL in a header': (target, host) => `GET ${target} HTTP/1.1\r\nhost: ${host}\r\nx-a: \0\r\n\r\n`,
  'a nameless header': (target, host) => `GET ${target} HTTP/1.1\r\nhost: ${host}\r\n: a\r\n\r\n`,
  'a very long method': (target, host) => `${'A'.repeat(5000)} ${target} HTTP/1.1\r\nhost: ${host}\r\n\r\n`,
  'a very long target': (target, host) => `GET ${target}?${'a'.repeat(40_000)} HTTP/1.1\r\nhost: ${host}\r\n\r\n`,
  'two lengths': (target, host) =>
    `POST ${target} HTTP/1.1\r\nhost: ${host}\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}`,
  'both Content-Length and chunks': (target, host) =>
    `POST ${target} HTTP/1.1\r\nhost: ${host}\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\nGET ${target} HTTP/1.1\r\nhost: ${host}\r\n\r\n`,
  'a chunk without a size': (target, host) =>
    `POST ${target} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nxyz\r\n{}\r\n0\r\n\r\n`,
  'a chunk that is too large': (target, host) =>
    `POST ${target} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nfffffffffffffffff\r\n{}\r\n0\r\n\r\n`,
  'chunks that end too early': (target, host) =>
    `POST ${target} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{`,
  'a body that ends too early': (target, host) =>
    `POST ${target} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"a":`,
  'headers that end too early': (target, host) => `GET ${target} HTTP/1.1\r\nhost: ${host}\r\nx-a`,
  'bytes after the body': (target, host) =>
    `POST ${target} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}garbage\r\n\r\n`,
  noise: (_, __, random) => String.fromCharCode(...Array.from({ length: 60 }, () => random.below(256))),
  'empty lines first': (target, host) => `\r\n\r\nGET ${target} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`,
} satisfies Readonly<Record<string, RequestWriter>>

/** Requests that may be incomplete: the connection is closed after the last byte. */
const incompleteRequests: readonly string[] = [
  'a TLS ClientHello',
  'chunks that end too early',
  'a body that ends too early',
  'headers that end too early',
  'noise',
] satisfies readonly (keyof typeof brokenRequests)[]

/** A random request that is not valid HTTP, for an existing path. */
export function brokenHttp(
  target: string,
  { host, isWriting }: SendOptions,
  subject: string,
  random: Random,
): WireRequest {
  const [mutation, write] = pick(random, Object.entries(brokenRequests))
  const text = write(target, host, random)
  const bytes = Buffer.from(isWriting ? text : text.replace(/^POST /, 'GET '), 'latin1')
  const mode = incompleteRequests.includes(mutation) ? 'half-closed' : 'separate'
  return { method: '', path: target, query: [], headers: [], bytes, mode, subject, mutations: [mutation] }
}
