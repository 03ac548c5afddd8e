/** What a route says of itself: who may call it, and whether it is left out of the log and of limits. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { OperationMeter } from '../metrics/http-meter.ts'

export interface RoutePolicy {
  /** What a caller must be allowed to do, such as `usage:read`; undefined lets anyone in. */
  readonly scope: string | undefined
  /** A health probe: answered to anyone, and neither logged nor limited nor refused under overload. */
  readonly isProbe?: boolean
  /** A page or a report beside the operations: limited and logged like them, but neither traced nor counted as usage. */
  readonly isPage?: boolean
  /** Whether it is answered under overload as well. */
  readonly isUrgent?: boolean
  /** Counts its requests. */
  readonly meter?: OperationMeter
}

/** Part of a route's options: `app.route({ ...policy({ scope: 'usage:read' }), method: 'GET', … })`. */
export function policy(given: RoutePolicy): { readonly config: { readonly policy: RoutePolicy } } {
  return { config: { policy: given } }
}

/** The policy of the route that a request has found; where it has found none, there is nothing to hide. */
export function policyAt({ routeOptions }: FastifyRequest): RoutePolicy {
  return policyIn(routeOptions.config) ?? { scope: undefined }
}

/** A route that does not say who may call it is refused at start: nothing is open because someone forgot. */
export function demandPolicies(app: FastifyInstance): void {
  app.addHook('onRoute', ({ config, method, url }) => {
    if (!policyIn(config)) throw new Error(`The route ${method} ${url} has no policy: say which scope it takes.`)
  })
}

function policyIn(config: object | undefined): RoutePolicy | undefined {
  return (config as { readonly policy?: RoutePolicy } | undefined)?.policy
}
