/** The client address of a request, from the headers of trusted proxies. */
import type { IncomingHttpHeaders } from 'node:http'
import { BlockList, isIP, isIPv6 } from 'node:net'

/**
 * Trusted proxies, whose forwarding headers name the client: the number of proxies in front of the service, or their addresses
 * and networks.
 *
 * @example
 * trustProxy: 1
 * trustProxy: ['10.0.0.0/8', '192.0.2.7']
 */
export type TrustProxy = number | readonly string[]

export interface Client {
  readonly address: string
  readonly port: number | undefined
}

/** Returns the client of a request, for the access log, rate limits and read-after consistency. */
export type ClientAddress = (headers: IncomingHttpHeaders, peer: Client) => Client

/** Without trusted proxies, the client is the peer of the connection. */
export function clientAddress(trust: TrustProxy | undefined): ClientAddress {
  if (trust === undefined || trust === 0) return (_, peer) => peer
  const isTrusted = typeof trust === 'number' ? (_: Client, hop: number) => hop < trust : isInNetworks(trust)
  return ({ forwarded, 'x-forwarded-for': list }, peer) => {
    if (forwarded === undefined && list === undefined) return peer
    const fromList = list === undefined ? undefined : clientBeyondProxies(peer, `${list}`.split(','), isTrusted)
    const fromForwarded =
      forwarded === undefined ? undefined : clientBeyondProxies(peer, forwardedFor(forwarded), isTrusted)
    // A proxy sets one of the headers and may pass on the other from the client, so neither is trusted if they differ.
    if (fromList && fromForwarded && fromList.address !== fromForwarded.address) return peer
    return fromList ?? fromForwarded ?? peer
  }
}

/** Whether the peer of a connection is a trusted proxy. */
export function trustedPeer(trust: TrustProxy | undefined): (address: string) => boolean {
  if (typeof trust !== 'object') return () => trust !== undefined && trust > 0
  const isTrusted = isInNetworks(trust)
  return (address) => isTrusted({ address, port: undefined })
}

/** Goes back from the connection: a trusted proxy names the hop before it. */
function clientBeyondProxies(
  peer: Client,
  names: readonly string[],
  isTrusted: (client: Client, hop: number) => boolean,
): Client {
  let client = peer
  for (let hop = 0; hop < names.length && isTrusted(client, hop); hop++) {
    const previousHop = clientIn(names[names.length - 1 - hop] as string)
    if (!previousHop) break
    client = previousHop
  }
  return client
}

/** One pair of a Forwarded header (RFC 7239), and its delimiter. */
const forwardedPair = /\s*([\w!#$%&'*+.^`|~-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s",;]*))\s*(;|,|$)/y

/**
 * The `for` of each element of a Forwarded header; '' if an element has none. Empty if the header is malformed: a quote that a
 * client has opened could swallow the part that the proxy appended.
 */
function forwardedFor(text: string): readonly string[] {
  const clients: string[] = []
  let client = ''
  forwardedPair.lastIndex = 0
  while (forwardedPair.lastIndex < text.length) {
    const match = forwardedPair.exec(text)
    if (!match) return []
    const [, name = '', quoted, plain = '', delimiter] = match
    if (name.toLowerCase() === 'for') client = quoted ?? plain
    if (delimiter === ';') continue
    clients.push(client)
    client = ''
  }
  return clients
}

/** `192.0.2.1`, `192.0.2.1:4711`, `2001:db8::1`, `[2001:db8::1]:4711`. Undefined for obfuscated names such as `unknown`. */
function clientIn(text: string): Client | undefined {
  const [, inBrackets, plain, port] =
    /^\s*(?:\[([^\]]*)\]|([\d.]+(?=:\d+\s*$)|[^\s[\]]+))(?::(\d{1,5}))?\s*$/.exec(text) ?? []
  const address = inBrackets ?? plain ?? ''
  return isIP(address) === 0 ? undefined : { address, port: port === undefined ? undefined : Number(port) }
}

function isInNetworks(networks: readonly string[]): (client: Client) => boolean {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return ({ address }) => {
    // A dual-stack socket writes IPv4 addresses in this form.
    const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
    return isIP(plain) !== 0 && list.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4')
  }
}

/** Names of networks that are not reachable from outside. */
const namedNetworks = new Map([
  ['loopback', ['127.0.0.0/8', '::1']],
  ['private', ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']],
])

/** Parses the setting: a number of proxies, or a comma-separated list of addresses, networks, `loopback` and `private`. */
export function readTrustProxy(text: string): TrustProxy | undefined {
  if (/^\d{1,2}$/.test(text.trim())) return Number(text)
  const names = text.split(',').map((item) => item.trim())
  const networks = names.flatMap((name) => namedNetworks.get(name) ?? [name])
  return networks.every(isNetwork) ? networks : undefined
}

function isNetwork(text: string): boolean {
  const [address = '', bits, extra] = text.split('/')
  const maxBits = isIP(address) === 6 ? 128 : 32
  return (
    isIP(address) !== 0 &&
    extra === undefined &&
    (bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= maxBits))
  )
}
