/** Puts a shipper together: the log, the place where its position is kept, the destination. */
import { hostname } from 'node:os'
import { type Endpoint, EndpointTree } from '@nomen/core/usage'
import { type DestinationOptions, openDestination } from './destination/open.ts'
import { type ShipPace, Shipper } from './shipper.ts'
import { PositionFile } from './tail/position-file.ts'
import { Tail } from './tail/tail.ts'

export interface ShipOptions extends DestinationOptions {
  /** The log that is written; what was put aside of it is found beside it. */
  readonly log: string
  /** The file that remembers how far it is; `<log>.shipped.json` unless given. */
  readonly position?: string
  /** The name of the service, as destinations show it. */
  readonly service: string
  /** What tells this instance from others; the name of the machine unless given. */
  readonly instance?: string
  /** More of the kind, with a few values each: `{ region: 'eu' }`. */
  readonly labels?: Readonly<Record<string, string>>
  /** What can be called, so that records tell the template of their path (`http.route`). */
  readonly endpoints?: readonly Endpoint[]
  /** Where nothing was shipped before, leave what is there already. */
  readonly isNewOnly?: boolean
  /** How much is sent at once, and how long is waited for more and after failures. */
  readonly pace?: ShipPace
}

/**
 * A shipper that is not started yet. Throws a ShipError for options that cannot be used.
 * @example
 * const shipper = openShipper({ log: 'data/access.log', to: 'loki+http://logs:3100', service: 'directory' }, console.error)
 * shipper.start()
 * await shipper.stop()
 */
export function openShipper(options: ShipOptions, onNotice: (message: string) => void): Shipper {
  const { log, position = `${log}.shipped.json`, service, instance = hostname(), labels = {}, endpoints = [] } = options
  const tree = new EndpointTree(endpoints)
  const route = (method: string, target: string) => endpoints[tree.at(method, target)]?.path
  const destination = openDestination(options, { service, instance, labels, route })
  const tail = new Tail({
    log,
    positions: new PositionFile(position),
    isNewOnly: options.isNewOnly === true,
    onFault: onNotice,
  })
  return new Shipper({ tail, destination, onNotice, ...options.pace })
}
