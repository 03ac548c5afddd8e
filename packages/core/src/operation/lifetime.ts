/** Version and deprecation of an operation: the nearest declaration wins. */
import type { AnyApi } from '../api/api.ts'
import type { Deprecation } from '../declaration/deprecation.ts'
import type { AnyResource, Offer, ResourceOptions } from '../resource/resource.ts'

/** The version of the operation, of its nearest resource with a version, or of the api. */
export function versionOf(
  api: AnyApi,
  resources: readonly AnyResource[],
  offer: Offer | undefined,
): number | undefined {
  const ownVersion = (resources.at(-1) as AnyResource).options.version as ResourceOptions['version']
  if (offer && typeof ownVersion === 'object' && ownVersion[offer] !== undefined) return ownVersion[offer]
  const versions = resources.map(({ options }) => options.version as ResourceOptions['version'])
  return versions.findLast((version) => typeof version === 'number') ?? api.options.version
}

/** The deprecation of the operation, of its nearest deprecated resource, or of the api. */
export function deprecationOf(
  api: AnyApi,
  resources: readonly AnyResource[],
  offer: Offer | undefined,
): Deprecation | undefined {
  const ownDeprecation = (resources.at(-1) as AnyResource).options.deprecated as ResourceOptions['deprecated']
  if (offer && ownDeprecation && !('since' in ownDeprecation) && ownDeprecation[offer]) return ownDeprecation[offer]
  for (const resource of resources.toReversed()) {
    const { deprecated } = resource.options as ResourceOptions
    if (deprecated && 'since' in deprecated) return deprecated
  }
  return api.options.deprecated
}
