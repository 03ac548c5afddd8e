/** Checks the targets of webhooks, so that they cannot be used to reach the internal network (SSRF). */
import { lookup as resolveName } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { isPublicAddress } from '../foundation/public-address.ts'

const privateTarget =
  'The URL resolves to a private, loopback or link-local address. To allow it, start the service with --webhook-private-targets on.'

/** No name server is queried for these names. `nomen check` creates webhooks with them. */
const reservedName = /\.invalid\.?$/i

/** Why the URL cannot be the target of a webhook; undefined if it can. Names are resolved for each connection. */
export function targetError(text: string, allowsPrivate: boolean): string | undefined {
  const url = new URL(text)
  if (url.username !== '' || url.password !== '')
    return 'The URL must not contain a user name or a password. Deliveries are signed instead.'
  if (url.protocol !== 'https:' && !allowsPrivate) return 'The URL must begin with https://.'
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'The URL must begin with https:// or http://.'
  const host = hostOf(url)
  return isIP(host) !== 0 && !allowsPrivate && !isPublicAddress(host) ? privateTarget : undefined
}

/** The host without the brackets of an IPv6 address. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '')
}

/**
 * Resolves the host name of a connection, and refuses it if one of its addresses is not public. The connection uses the
 * addresses that were checked, so that a later answer of the name server cannot change them.
 */
export const lookupPublic: LookupFunction = (name, options, callback) => {
  if (reservedName.test(name))
    return process.nextTick(
      callback,
      new Error(`${name} cannot be resolved: the top-level domain .invalid is reserved.`),
      '',
    )
  resolveName(name, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, '')
    if (!addresses.every(({ address }) => isPublicAddress(address))) return callback(new Error(privateTarget), '')
    const [first] = addresses
    if (options.all) callback(null, addresses)
    else if (first) callback(null, first.address, first.family)
    else callback(new Error(`${name} has no address.`), '')
  })
}
