/** Loads the settings and documents before the first view, and starts the request of its list. */
import type { QueryClient } from '@tanstack/react-query'
import { routeOf } from '../model/address.ts'
import { securityOf } from '../model/service/security.ts'
import type { Service } from '../model/service/service.ts'
import { listQuery } from './data.ts'
import { loadService, loadSettings, type Named, type Settings } from './load.ts'
import { pageQuery } from './preference.ts'
import { router } from './router.ts'
import { allowOnly } from './sign-in/connect-policy.ts'
import { session } from './sign-in/session.ts'
import type { TokenBinding } from './sign-in/token-binding.ts'
import { Wire } from './wire.ts'

/** The end of this referrer tells the service that a request is its console's, which does not keep an endpoint in use. */
const page = `${location.origin}${location.pathname}?nomen-console`

export interface StartedConsole {
  readonly settings: Named
  /** Undefined if no document is named. */
  readonly service: Service | undefined
  readonly wire: Wire
}

export async function startConsole(queries: QueryClient): Promise<StartedConsole> {
  await session.finish()
  router.arrive()
  const settings = await loadSettings()
  const { service, bindingOf } = (await loadService(settings)) ?? {}
  const wire = new Wire(bindingOf, (binding) => session.token(binding), page)
  if (service) {
    allowOnly(service.apis.flatMap(({ base }) => hostsOf(service, wire.bindingOf(base), settings)))
    prefetchList(queries, wire, service)
  }
  return { settings, service, wire }
}

/** The hosts of all further requests: the service and its provider. */
function hostsOf(service: Service, binding: TokenBinding, { issuer }: Settings): readonly string[] {
  const provider = securityOf(service, binding.bases, issuer).openIdConnectUrl
  return [...binding.bases, provider, session.endpoint(binding)].filter((url) => url !== undefined)
}

/** Requests the list while the page renders. */
function prefetchList(queries: QueryClient, wire: Wire, service: Service): void {
  const { path, query } = router.address()
  const route = routeOf(service, path)
  if (route.kind !== 'list') return
  void queries.prefetchQuery(listQuery(wire, { ...route, query: pageQuery(route.variant, query) }))
}
