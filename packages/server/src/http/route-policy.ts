/** What a route says of itself: who may call it, and whether that is a request of the api. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { OperationMeter } from '../metrics/http-meter.ts'

export interface RoutePolicy {
  /** What a caller must be allowed to do, such as `usage:read`; undefined lets anyone in. */
  readonly scope: string | undefined
  /** Whether it is no request of the api, and not in its log. */
  readonly isStill?: boolean
  /** Whether it is answered to anyone, however busy the service is. */
  readonly isAlways?: boolean
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
