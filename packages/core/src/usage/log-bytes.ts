/** Bytes of access logs: the characters that separate their parts, and numbers. */

export const newline = 0x0a
export const space = 0x20
export const quote = 0x22
export const hash = 0x23
export const percent = 0x25
export const hyphen = 0x2d
export const slash = 0x2f
const zero = 0x30
export const colon = 0x3a
export const question = 0x3f
export const bracket = 0x5b
export const backslash = 0x5c

/** The position after the next such byte; after the end if there is none. */
export function positionAfter(bytes: Uint8Array, byte: number, start: number, end: number): number {
  let position = start
  while (position < end && bytes[position] !== byte) position++
  return position + 1
}

/** A number of two digits. */
export function readTwoDigits(bytes: Uint8Array, index: number): number {
  const tens = (bytes[index] as number) - zero
  const onesDigit = (bytes[index + 1] as number) - zero
  return tens >= 0 && tens <= 9 && onesDigit >= 0 && onesDigit <= 9 ? tens * 10 + onesDigit : Number.NaN
}

/** A number; NaN if a byte is not a digit. */
export function readDigits(bytes: Uint8Array, start: number, end: number): number {
  let value = 0
  for (let position = start; position < end; position++) {
    const digit = (bytes[position] as number) - zero
    if (digit < 0 || digit > 9) return Number.NaN
    value = value * 10 + digit
  }
  return value
}
