/** Where a request comes from, as far as the proxies before the service are believed. */
import type { IncomingHttpHeaders } from 'node:http'
import { BlockList, isIP, isIPv6 } from 'node:net'

/**
 * Whose word counts: that of so many proxies, one before the other, or that of proxies at these addresses and networks,
 * `10.0.0.0/8`.
 */
export type TrustProxy = number | readonly string[]

export interface Client {
  readonly address: string
  readonly port: number | undefined
}

/** Gives the client of a request: of the log, of read-after, and of whatever counts requests. */
export type ClientAddress = (headers: IncomingHttpHeaders, peer: Client) => Client

/** Without trust, the other end of the connection. */
export function clientAddress(trust: TrustProxy | undefined): ClientAddress {
  if (trust === undefined || trust === 0) return (_, peer) => peer
  const isTrusted = typeof trust === 'number' ? (_: Client, hop: number) => hop < trust : among(trust)
  return ({ forwarded, 'x-forwarded-for': list }, peer) => {
    if (forwarded === undefined && list === undefined) return peer
    const one = list === undefined ? undefined : furthest(peer, `${list}`.split(','), isTrusted)
    const other = forwarded === undefined ? undefined : furthest(peer, forwardedFor(forwarded), isTrusted)
    // A proxy writes one of the two and may pass the other on as the client wrote it: nobody knows which.
    if (one && other && one.address !== other.address) return peer
    return one ?? other ?? peer
  }
}

/** Tells whether the other end of a connection is a trusted proxy. */
export function trustedPeer(trust: TrustProxy | undefined): (address: string) => boolean {
  if (typeof trust !== 'object') return () => trust !== undefined && trust > 0
  const isTrusted = among(trust)
  return (address) => isTrusted({ address, port: undefined })
}

/** From the connection backwards: each proxy that is trusted is believed the one before it. */
function furthest(peer: Client, names: readonly string[], isTrusted: (client: Client, hop: number) => boolean): Client {
  let client = peer
  for (let hop = 0; hop < names.length && isTrusted(client, hop); hop++) {
    const before = clientIn(names[names.length - 1 - hop] as string)
    if (!before) break
    client = before
  }
  return client
}

/** One pair of RFC 7239, and what ends it. */
const pair = /\s*([\w!#$%&'*+.^`|~-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s",;]*))\s*(;|,|$)/y

/**
 * The `for` of each element of RFC 7239; '' where an element has none. Nothing where some of it is not as it should be:
 * a quote that a client has opened may swallow what the proxy has appended.
 */
function forwardedFor(text: string): readonly string[] {
  const all: string[] = []
  let own = ''
  pair.lastIndex = 0
  while (pair.lastIndex < text.length) {
    const found = pair.exec(text)
    if (!found) return []
    const [, name = '', quoted, plain = '', end] = found
    if (name.toLowerCase() === 'for') own = quoted ?? plain
    if (end === ';') continue
    all.push(own)
    own = ''
  }
  return all
}

/** `192.0.2.1`, `192.0.2.1:4711`, `2001:db8::1`, `[2001:db8::1]:4711`. A name that says nothing is undefined. */
function clientIn(text: string): Client | undefined {
  const [, inBrackets, plain, port] =
    /^\s*(?:\[([^\]]*)\]|([\d.]+(?=:\d+\s*$)|[^\s[\]]+))(?::(\d{1,5}))?\s*$/.exec(text) ?? []
  const address = inBrackets ?? plain ?? ''
  return isIP(address) === 0 ? undefined : { address, port: port === undefined ? undefined : Number(port) }
}

function among(trusted: readonly string[]): (client: Client) => boolean {
  const list = new BlockList()
  for (const one of trusted) {
    const [address = '', bits] = one.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return ({ address }) => {
    // So an address of version 4 is written by a socket that takes both.
    const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
    return isIP(plain) !== 0 && list.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4')
  }
}

/** Names for networks that nobody outside can be in. */
const networks = new Map([
  ['loopback', ['127.0.0.0/8', '::1']],
  ['private', ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']],
])

/** Reads a setting: a number of proxies, or addresses, networks, `loopback` and `private` with commas between them. */
export function readTrustProxy(text: string): TrustProxy | undefined {
  if (/^\d{1,2}$/.test(text.trim())) return Number(text)
  const named = text.split(',').map((part) => part.trim())
  const all = named.flatMap((part) => networks.get(part) ?? [part])
  return all.every(isNetwork) ? all : undefined
}

function isNetwork(text: string): boolean {
  const [address = '', bits, more] = text.split('/')
  const most = isIP(address) === 6 ? 128 : 32
  return (
    isIP(address) !== 0 && more === undefined && (bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= most))
  )
}
