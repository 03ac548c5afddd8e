/**
 * Positions in the write-ahead log: written by a primary, replayed by a standby. A position includes the timeline, which
 * increases with every failover: later writes of a replaced primary are not part of the log of the new one.
 */

/** Greater than every position: stands for a position that is not known. */
export const unknownPosition = 2n ** 128n

const timelineShift = 64n

export function positionOf(timeline: number, offset: bigint): bigint {
  return (BigInt(timeline) << timelineShift) | offset
}

export function timelineNumber(position: bigint): number {
  return Number(position >> timelineShift)
}

/** Reads `16/B374D848`, an offset in the log of one timeline; undefined for anything else. */
export function readOffset(text: string | undefined | null): bigint | undefined {
  const [, high, low] = /^([\dA-F]{1,8})\/([\dA-F]{1,8})$/i.exec(text ?? '') ?? []
  return high === undefined || low === undefined ? undefined : (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}

/** Reads `3-16/B374D848`: a timeline and an offset. Undefined for anything else. */
export function readPosition(text: string | undefined): bigint | undefined {
  const [, timeline, offsetText] = /^(\d{1,10})-(.*)$/.exec(text ?? '') ?? []
  const offset = readOffset(offsetText)
  return offset === undefined ? undefined : positionOf(Number(timeline), offset)
}

export function writePosition(position: bigint): string {
  const hexText = (value: bigint) => (value & 0xffffffffn).toString(16).toUpperCase()
  return `${timelineNumber(position)}-${hexText(position >> 32n)}/${hexText(position)}`
}

export function laterOf(first: bigint, second: bigint): bigint {
  if (first > second) return first
  return second
}
