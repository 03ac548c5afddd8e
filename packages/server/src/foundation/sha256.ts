/** SHA-256 hashes. */
import { hash } from 'node:crypto'

/** The hash in base64url, 43 characters. */
export function sha256(data: string | Uint8Array): string {
  return hash('sha256', data, 'base64url')
}
