/** Random identities of traces and spans, many from one draw. */
import { randomFillSync } from 'node:crypto'

const pool = Buffer.alloc(4096)
let used = pool.length

/** So many random bytes as hexadecimal digits, never all zero. */
export function randomId(bytes: 8 | 16): string {
  if (used + bytes > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const id = pool.toString('hex', used, used + bytes)
  used += bytes
  return /^0+$/.test(id) ? randomId(bytes) : id
}
