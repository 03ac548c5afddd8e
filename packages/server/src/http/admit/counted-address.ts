/** By which address a caller is counted, whoever has many of them. */
import { isIPv6 } from 'node:net'

/** Before a version 4 address: as a socket that takes both versions has it, and as it is translated for networks without it (RFC 6052). */
const prefixes = ['0,0,0,0,0,65535', '100,65435,0,0,0,0']

/**
 * An address of version 6 counts as its network of 64 bits, since a single connection commonly has all of that; one of version 4
 * counts for itself, however it is written.
 *
 * ```ts
 * countedAddress('2001:db8:0:7::1') // '2001:db8:0:7::/64'
 * countedAddress('::ffff:192.0.2.1') // '192.0.2.1'
 * ```
 */
export function countedAddress(address: string): string {
  if (!isIPv6(address)) return address
  const groups = groupsOf(address)
  if (prefixes.includes(groups.slice(0, 6).join())) return bytesOf(groups.slice(6)).join('.')
  const network = groups.slice(0, 4).map((group) => group.toString(16))
  return `${network.join(':')}::/64`
}

/** The eight groups as numbers. */
function groupsOf(address: string): readonly number[] {
  // Behind a percent sign stands on which of our own interfaces it was met.
  const [plain = ''] = address.split('%')
  const [head = '', tail] = plain.split('::')
  const before = numbersOf(head)
  if (tail === undefined) return before
  const after = numbersOf(tail)
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after]
}

function numbersOf(groups: string): readonly number[] {
  if (groups === '') return []
  return groups.split(':').flatMap((group) => (group.includes('.') ? pairsOf(group) : [Number.parseInt(group, 16)]))
}

/** The two groups that an address of version 4 takes at the end of another. */
function pairsOf(address: string): readonly number[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
  return [a * 256 + b, c * 256 + d]
}

function bytesOf(groups: readonly number[]): readonly number[] {
  return groups.flatMap((group) => [group >> 8, group & 255])
}
