/** The address by which a client is counted for rate limits, even if it has many addresses. */
import { isIPv6 } from 'node:net'

/** Prefixes of embedded IPv4 addresses: IPv4-mapped addresses of dual-stack sockets, and NAT64 (RFC 6052). */
const embeddedIpv4Prefixes = ['0,0,0,0,0,65535', '100,65435,0,0,0,0']

/**
 * An IPv6 address counts as its /64 network, because a single customer usually has all of it. An IPv4 address counts as itself,
 * in any notation.
 *
 * @example
 * countedAddress('2001:db8:0:7::1') // '2001:db8:0:7::/64'
 * countedAddress('::ffff:192.0.2.1') // '192.0.2.1'
 */
export function countedAddress(address: string): string {
  if (!isIPv6(address)) return address
  const groups = groupsOf(address)
  if (embeddedIpv4Prefixes.includes(groups.slice(0, 6).join())) return bytesOf(groups.slice(6)).join('.')
  const network = groups.slice(0, 4).map((group) => group.toString(16))
  return `${network.join(':')}::/64`
}

/** The eight groups as numbers. */
function groupsOf(address: string): readonly number[] {
  // Removes the zone ID, such as `%eth0`.
  const [plain = ''] = address.split('%')
  const [start = '', end] = plain.split('::')
  const before = numbersOf(start)
  if (end === undefined) return before
  const after = numbersOf(end)
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after]
}

function numbersOf(groups: string): readonly number[] {
  if (groups === '') return []
  return groups.split(':').flatMap((group) => (group.includes('.') ? pairsOf(group) : [Number.parseInt(group, 16)]))
}

/** The two groups of an IPv4 address at the end of an IPv6 address. */
function pairsOf(address: string): readonly number[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
  return [a * 256 + b, c * 256 + d]
}

function bytesOf(groups: readonly number[]): readonly number[] {
  return groups.flatMap((group) => [group >> 8, group & 255])
}
