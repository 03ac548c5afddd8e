/** Puts a service together behind one request handler, for whichever adapter. */
import type { Service } from './define/definition.ts'
import { crossSiteCheck } from './http/admit/cross-site-check.ts'
import type { Check } from './http/admit/gate.ts'
import { type HandleRequest, requestHandler } from './http/handle-request.ts'
import { consolePages } from './http/page/console.ts'
import { documentPages } from './http/page/document.ts'
import { monitoringPages } from './http/page/monitoring.ts'
import { usagePage } from './http/page/usage.ts'
import { type Page, routesOf } from './http/routes.ts'
import { openParts, type Parts } from './parts.ts'
import type { Settings } from './settings.ts'

export interface HandlerOptions {
  /** The path that the service is mounted below. */
  readonly prefix: string
  /** Whether all requests are below the prefix, because the application has matched it (default: false). */
  readonly isMatched?: boolean
  readonly checks: readonly Check[]
  /** Whether health and metrics are served (default: true). */
  readonly isMonitored?: boolean
}

export interface OpenHandler {
  readonly handle: HandleRequest
  /** Handles requests whose caller code of this process has named. */
  readonly handleAssumed: HandleRequest
  readonly parts: Parts
  readonly pages: readonly Page[]
}

export async function openHandler(
  service: Service,
  settings: Settings,
  { prefix, isMatched = false, checks, isMonitored = true }: HandlerOptions,
): Promise<OpenHandler> {
  const parts = await openParts(service, settings, prefix)
  try {
    const { console: folder } = settings
    const pages = [
      ...documentPages(service, settings, prefix),
      ...(isMonitored ? monitoringPages(parts) : []),
      ...(parts.answerUsage ? [usagePage(parts.answerUsage)] : []),
      ...(folder === undefined ? [] : consolePages(service, { ...settings, console: folder }, prefix)),
    ]
    const findRoute = routesOf({ pipelines: parts.pipelines, pages, meter: parts.meter, prefix, isMatched })
    const all = [...checks, ...pageChecks(settings, parts)]
    return {
      handle: requestHandler({ ...parts, findRoute, admit: parts.gate(all) }),
      handleAssumed: requestHandler({ ...parts, findRoute, admit: parts.assumedGate(all) }),
      parts,
      pages,
    }
  } catch (error) {
    await parts.close()
    throw error
  }
}

/** A page of another site has no token to send; without authentication, its unsafe requests are refused. */
function pageChecks({ auth, publicUrl }: Settings, { cors }: Parts): readonly Check[] {
  return auth ? [] : [crossSiteCheck((origin) => cors?.isAllowed(origin) === true, publicUrl)]
}
