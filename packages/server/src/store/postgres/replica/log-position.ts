/** Positions in the write-ahead log: written by a primary, replayed by a standby. */

/** Greater than every position: stands for a position that is not known. */
export const unknownPosition = 2n ** 64n

/** Reads `16/B374D848`; undefined for anything else. */
export function readPosition(text: string | undefined | null): bigint | undefined {
  const [, high, low] = /^([\dA-F]{1,8})\/([\dA-F]{1,8})$/i.exec(text ?? '') ?? []
  return high === undefined || low === undefined ? undefined : (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}

/** Formats a position as PostgreSQL does. */
export function writePosition(position: bigint): string {
  const half = (part: bigint) => part.toString(16).toUpperCase()
  return `${half(position >> 32n)}/${half(position & 0xffffffffn)}`
}

export function laterOf(first: bigint, second: bigint): bigint {
  if (first > second) return first
  return second
}
