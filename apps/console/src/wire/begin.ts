/** All that is fetched before the first view: which service it is, and the list that is looked at first. */
import type { QueryClient } from '@tanstack/react-query'
import { placeOf } from '../model/address.ts'
import type { Service } from '../model/service.ts'
import { listQuery } from './data.ts'
import { loadService, loadSettings, type Settings } from './load.ts'
import { router } from './router.ts'
import { session } from './session.ts'
import { Wire } from './wire.ts'

export interface Begun {
  readonly settings: Settings
  /** Undefined where no document is named. */
  readonly service: Service | undefined
  readonly wire: Wire
}

export async function begin(queries: QueryClient): Promise<Begun> {
  await session.finish()
  router.arrive()
  const wire = new Wire()
  wire.token = session.token
  const settings = await loadSettings()
  const service = await loadService(settings)
  if (service) askAhead(queries, wire, service)
  return { settings, service, wire }
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
