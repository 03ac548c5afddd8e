/** Positions in the log of a PostgreSQL server: what a primary has written and a standby has replayed. */

/** Later than every position. */
export const beyond = 2n ** 64n

/** Reads `16/B374D848`; undefined for anything else. */
export function readPosition(text: string | undefined | null): bigint | undefined {
  const [, high, low] = /^([\dA-F]{1,8})\/([\dA-F]{1,8})$/i.exec(text ?? '') ?? []
  return high === undefined || low === undefined ? undefined : (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}

/** As PostgreSQL writes it. */
export function writePosition(position: bigint): string {
  const half = (part: bigint) => part.toString(16).toUpperCase()
  return `${half(position >> 32n)}/${half(position & 0xffffffffn)}`
}

export function later(one: bigint, other: bigint): bigint {
  if (one > other) return one
  return other
}
