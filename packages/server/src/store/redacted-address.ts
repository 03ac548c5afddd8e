/** Database URLs for messages. */
import { isPostgresAddress, readAddress } from './postgres-address.ts'

/** The URL without its password. */
export function redactedAddress(address: string): string {
  return isPostgresAddress(address) ? readAddress(address).redactedUrl : address
}
