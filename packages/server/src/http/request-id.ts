/** Request IDs for requests without one. */
import { randomUUID } from 'node:crypto'

let stem = ''
let count = 0

/**
 * A globally unique GUID. Random numbers are expensive, so a random GUID is used for 65,536 requests, which differ in its last
 * four digits.
 */
export function requestId(): string {
  if (count === 0) stem = randomUUID().slice(0, -4)
  const id = stem + (0x10000 + count).toString(16).slice(1)
  count = (count + 1) % 0x10000
  return id
}

/** Whether the request ID of a client is valid: up to 128 visible ASCII characters. */
export function isRequestId(text: unknown): text is string {
  return typeof text === 'string' && /^[\x21-\x7e]{1,128}$/.test(text)
}
