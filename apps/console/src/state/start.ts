/** Loads the settings and documents before the first view, and starts the request of its list. */
import type { QueryClient } from '@tanstack/react-query'
import { ChangeFeeds } from '../http/change-feed.ts'
import { HttpClient } from '../http/http-client.ts'
import { listQuery } from '../http/queries.ts'
import { restrictConnections } from '../http/sign-in/connect-policy.ts'
import { session } from '../http/sign-in/session.ts'
import type { TokenBinding } from '../http/sign-in/token-binding.ts'
import { routeOf } from '../model/route.ts'
import { securityOf } from '../model/service/security.ts'
import type { Service } from '../model/service/service.ts'
import type { Console } from './console-context.ts'
import { type LoadedSettings, loadService, loadSettings, type Settings } from './load.ts'
import { pageQuery } from './preference.ts'
import { router } from './router.ts'

/** The end of this referrer tells the service that a request is its console's, which does not keep an endpoint in use. */
const page = `${location.origin}${location.pathname}?nomen-console`

export interface StartedConsole {
  readonly settings: LoadedSettings
  /** Undefined if no document is named. */
  readonly service: Service | undefined
  readonly http: HttpClient
  readonly feeds: ChangeFeeds
}

export async function startConsole(queries: QueryClient): Promise<StartedConsole> {
  await session.finish()
  router.readUrl()
  const settings = await loadSettings()
  const { service, bindingOf } = (await loadService(settings)) ?? {}
  const http = new HttpClient(bindingOf, (binding) => session.token(binding), page)
  const feeds = new ChangeFeeds(http)
  if (service) {
    restrictConnections(service.apis.flatMap(({ base }) => hostsOf(service, http.bindingOf(base), settings)))
    prefetchList(queries, { http, feeds, service })
  }
  return { settings, service, http, feeds }
}

/** The hosts of all further requests: the service and its provider. */
function hostsOf(service: Service, binding: TokenBinding, { issuer }: Settings): readonly string[] {
  const provider = securityOf(service, binding.bases, issuer).openIdConnectUrl
  return [...binding.bases, provider, session.endpoint(binding)].filter((url) => url !== undefined)
}

/** Requests the list while the page renders. */
function prefetchList(
  queries: QueryClient,
  { http, feeds, service }: Pick<Console, 'http' | 'feeds' | 'service'>,
): void {
  const { path, query } = router.address()
  const route = routeOf(service, path)
  if (route.kind !== 'list') return
  const feed = feeds.of(service, route.collection)
  void queries.prefetchQuery(listQuery(http, { ...route, query: pageQuery(route.variant, query), feed }))
}
