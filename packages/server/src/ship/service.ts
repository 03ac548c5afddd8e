/** Ships the access log of a service, beside the service that writes it. */
import { endpointOf } from '@nomen/core/usage'
import type { Service } from '../define/definition.ts'
import { ShipError } from './address.ts'
import type { ShipOptions } from './open-shipper.ts'
import { ShipWorker } from './worker.ts'

/** Where to, and what the lines are known by there; the rest is known of the service. */
export type ShipSettings = Omit<ShipOptions, 'log' | 'service' | 'endpoints'>

export interface ShippedService {
  readonly service: Service
  /** The access log, as it was set. */
  readonly log: string | undefined
  /** Where the service is mounted; empty at the root. */
  readonly prefix?: string
}

/** What is needed to ship the log of a service. Throws a ShipError where there is no file to read it from. */
export function shipOptionsOf({ service, log, prefix = '' }: ShippedService, settings: ShipSettings): ShipOptions {
  if (log === undefined || log === '-')
    throw new ShipError(
      `The access log goes to ${log === '-' ? 'standard output' : 'no file'}, and only a file can be shipped.`,
      'Name a file for it, such as data/access.log.',
    )
  const endpoints = service.operations.map(endpointOf).map(({ id, method, path }) => ({
    id,
    method,
    path: `${prefix}${path}`,
  }))
  return { ...settings, log, service: service.name, endpoints }
}

export function shipService(
  shipped: ShippedService,
  settings: ShipSettings,
  onNotice: (message: string) => void,
): ShipWorker {
  return new ShipWorker(shipOptionsOf(shipped, settings), onNotice)
}
