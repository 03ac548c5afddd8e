/** Database addresses as they may be shown. */
import { isPostgresAddress, readAddress } from './postgres-address.ts'

/** The address without its password. */
export function redactedAddress(address: string): string {
  return isPostgresAddress(address) ? readAddress(address).shown : address
}
