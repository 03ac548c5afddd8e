/** Creates the request handler of a service, for all adapters. */
import type { Service } from './define/definition.ts'
import { crossSiteCheck } from './http/admit/cross-site-check.ts'
import type { Check } from './http/admit/gate.ts'
import { type HandleRequest, requestHandler } from './http/handle-request.ts'
import { consolePages } from './http/page/console.ts'
import { readBranding } from './http/page/console-branding.ts'
import { documentPages, rootPath } from './http/page/document.ts'
import { monitoringPages } from './http/page/monitoring.ts'
import { startPage } from './http/page/start.ts'
import { type Page, routesOf } from './http/routes.ts'
import { openRuntime, type ServiceRuntime } from './runtime.ts'
import type { Settings } from './settings.ts'

export interface HandlerOptions {
  /** The path that the service is mounted below. */
  readonly prefix: string
  /** Whether the application has already matched the prefix (default: false). */
  readonly isMatched?: boolean
  readonly checks: readonly Check[]
  /** Whether `/`, `/health` and `/metrics` belong to the service, not to an application around it (default: true). */
  readonly ownsRoot?: boolean
}

export interface OpenHandler {
  readonly handle: HandleRequest
  /** Handles requests whose caller was set by code of this process. */
  readonly handleAssumed: HandleRequest
  readonly runtime: ServiceRuntime
  readonly pages: readonly Page[]
}

export async function openHandler(
  service: Service,
  settings: Settings,
  { prefix, isMatched = false, checks, ownsRoot = true }: HandlerOptions,
): Promise<OpenHandler> {
  const runtime = await openRuntime(service, settings, prefix)
  try {
    const { console: folder, publicUrl } = settings
    const start = {
      name: service.name,
      hasConsole: folder !== undefined,
      root: rootPath(publicUrl, prefix),
      operations: settings.auth === undefined ? service.operations : [],
    }
    const pages = [
      ...(ownsRoot ? [startPage(start)] : []),
      ...documentPages(service, settings, prefix),
      ...(ownsRoot ? monitoringPages(runtime, settings.hasMetrics !== false) : []),
      ...(runtime.usagePage ? [runtime.usagePage] : []),
      ...pagesOfConsole(service, settings, prefix),
    ]
    const findRoute = routesOf({ pipelines: runtime.pipelines, pages, meter: runtime.meter, prefix, isMatched })
    const allChecks = [...checks, ...crossSiteChecks(settings, runtime)]
    return {
      handle: requestHandler({ ...runtime, findRoute, ...runtime.gate(allChecks) }),
      handleAssumed: requestHandler({ ...runtime, findRoute, ...runtime.assumedGate(allChecks) }),
      runtime,
      pages,
    }
  } catch (error) {
    await runtime.close()
    throw error
  }
}

function pagesOfConsole(service: Service, settings: Settings, prefix: string): readonly Page[] {
  const { console: folder, consoleBranding } = settings
  if (folder !== undefined) return consolePages(service, { ...settings, console: folder }, prefix)
  // A service without a console has the same settings as one with it, so a mistake must be reported here too.
  readBranding(consoleBranding)
  return []
}

/** Without authentication, writes from pages of other sites are rejected. With it, such pages have no token. */
function crossSiteChecks({ auth, publicUrl }: Settings, { cors }: ServiceRuntime): readonly Check[] {
  return auth ? [] : [crossSiteCheck((origin) => cors?.isAllowed(origin) === true, publicUrl)]
}
