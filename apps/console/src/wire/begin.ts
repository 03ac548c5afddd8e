/** All that is fetched before the first view: which service it is, and the list that is looked at first. */
import type { QueryClient } from '@tanstack/react-query'
import { placeOf } from '../model/address.ts'
import { securityOf } from '../model/service/security.ts'
import type { Service } from '../model/service/service.ts'
import { allowOnly } from './connect-policy.ts'
import { listQuery } from './data.ts'
import { loadService, loadSettings, type Named, type Settings } from './load.ts'
import { router } from './router.ts'
import { session } from './session.ts'
import type { TokenBinding } from './token-binding.ts'
import { Wire } from './wire.ts'

export interface Begun {
  readonly settings: Named
  /** Undefined where no document is named. */
  readonly service: Service | undefined
  readonly wire: Wire
}

export async function begin(queries: QueryClient): Promise<Begun> {
  await session.finish()
  router.arrive()
  const settings = await loadSettings()
  const { service, bindingOf } = (await loadService(settings)) ?? {}
  const wire = new Wire(bindingOf, (binding) => session.token(binding))
  if (service) {
    allowOnly(service.apis.flatMap(({ base }) => hostsOf(service, wire.bindingOf(base), settings)))
    askAhead(queries, wire, service)
  }
  return { settings, service, wire }
}

/** All that is asked from now on: the service, and its provider. */
function hostsOf(service: Service, binding: TokenBinding, { issuer }: Settings): readonly string[] {
  const provider = securityOf(service, binding.bases, issuer).openIdConnectUrl
  return [...binding.bases, provider, session.endpoint(binding)].filter((url) => url !== undefined)
}

/** The list is on its way while the page around it is drawn. */
function askAhead(queries: QueryClient, wire: Wire, service: Service): void {
  const { path, query } = router.address()
  const place = placeOf(service, path)
  if (place.kind !== 'list') return
  // A link to the view shows the same list, whichever comes first by then.
  if (path === '/') router.go(place.variant.path, { isReplaced: true })
  void queries.prefetchQuery(listQuery(wire, { ...place, query }))
}
