/** Identities of requests that bring none of their own. */
import { randomUUID } from 'node:crypto'

let stem = ''
let count = 0

/**
 * A guid that no other request has, here or elsewhere. Randomness costs more than all the rest of a request's metadata,
 * so a random guid lasts for 65,536 requests, which differ in its last four digits.
 */
export function requestId(): string {
  if (count === 0) stem = randomUUID().slice(0, -4)
  const id = stem + (0x10000 + count).toString(16).slice(1)
  count = (count + 1) % 0x10000
  return id
}

/** Whether a client's own identity of a request can be taken: visible ASCII, and not too much of it. */
export function isRequestId(text: unknown): text is string {
  return typeof text === 'string' && /^[\x21-\x7e]{1,128}$/.test(text)
}
