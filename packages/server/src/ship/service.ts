/** Ships the access log of a service from a worker thread of its process. */
import { endpointOf } from '@nomen/core/usage'
import type { Service } from '../define/definition.ts'
import { ShipError } from './destination-url.ts'
import type { ShipOptions } from './open-shipper.ts'
import { ShipWorker } from './worker.ts'

/** Log shipping options of a service; the others come from the service itself. */
export type ShipSettings = Omit<ShipOptions, 'log' | 'service' | 'endpoints'>

export interface ShippedService {
  readonly service: Service
  /** The setting `accessLog`. */
  readonly log: string | undefined
  /** The path that the service is mounted below (default: none). */
  readonly prefix?: string
}

/**
 * Returns the log shipping options of a service: its log, its name and its endpoints.
 *
 * @example
 * ```ts
 * import service from './service.ts'
 *
 * const options = shipOptionsOf({ service, log: 'data/access.log' }, { to: 'loki+http://logs:3100' })
 * ```
 *
 * @throws ShipError if the service does not write its log to a file
 */
export function shipOptionsOf({ service, log, prefix = '' }: ShippedService, settings: ShipSettings): ShipOptions {
  if (log === undefined || log === '-')
    throw new ShipError(
      `Only an access log in a file can be shipped, but ${log === '-' ? 'it goes to standard output' : 'there is none'}.`,
      'Set a file for the access log, such as data/access.log.',
    )
  const endpoints = service.operations.map(endpointOf).map(({ id, method, path }) => ({
    id,
    method,
    path: `${prefix}${path}`,
  }))
  return { ...settings, log, service: service.name, endpoints }
}

export function shipService(
  shippedService: ShippedService,
  settings: ShipSettings,
  onNotice: (message: string) => void,
): ShipWorker {
  return new ShipWorker(shipOptionsOf(shippedService, settings), onNotice)
}
