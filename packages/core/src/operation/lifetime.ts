/** The version of an operation, and whether it is to be called any more: what is said nearest to it counts. */
import type { AnyApi } from '../api/api.ts'
import type { Deprecation } from '../declaration/deprecation.ts'
import type { AnyResource, Offer, ResourceOptions } from '../resource/resource.ts'

/** The operation's own version, else the nearest one above it, else the api's. */
export function versionOf(
  api: AnyApi,
  resources: readonly AnyResource[],
  offer: Offer | undefined,
): number | undefined {
  const own = (resources.at(-1) as AnyResource).options.version as ResourceOptions['version']
  if (offer && typeof own === 'object' && own[offer] !== undefined) return own[offer]
  for (const resource of [...resources].reverse()) {
    const { version } = resource.options as ResourceOptions
    if (typeof version === 'number') return version
  }
  return api.options.version
}

/** The operation's own deprecation, else the nearest one above it, else the api's. */
export function deprecationOf(
  api: AnyApi,
  resources: readonly AnyResource[],
  offer: Offer | undefined,
): Deprecation | undefined {
  const own = (resources.at(-1) as AnyResource).options.deprecated as ResourceOptions['deprecated']
  if (offer && own && !('since' in own) && own[offer]) return own[offer]
  for (const resource of [...resources].reverse()) {
    const { deprecated } = resource.options as ResourceOptions
    if (deprecated && 'since' in deprecated) return deprecated
  }
  return api.options.deprecated
}
