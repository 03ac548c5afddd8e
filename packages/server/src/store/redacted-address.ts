/** Database URLs for messages. */
import { isPostgresUrl, readPostgresUrl } from './postgres-url.ts'

/** The URL without its password. */
export function redactedAddress(address: string): string {
  return isPostgresUrl(address) ? readPostgresUrl(address).redactedUrl : address
}
