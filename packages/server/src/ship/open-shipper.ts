/** Opens a shipper: the log, the file of its position, and the destination. */
import { hostname } from 'node:os'
import { type Endpoint, EndpointTree } from '@nomen/core/usage'
import { type DestinationOptions, openDestination } from './destination/open.ts'
import { Shipper, type ShipTuning } from './shipper.ts'
import { PositionFile } from './tail/position-file.ts'
import { Tail } from './tail/tail.ts'

/** Options of log shipping. */
export interface ShipOptions extends DestinationOptions {
  /** The path of the access log. Rotated files are found in the same folder. */
  readonly log: string
  /**
   * The file that stores the position in the log.
   *
   * @default `<log>.shipped.json`
   */
  readonly position?: string
  /** The name of the service at the destination. */
  readonly service: string
  /**
   * The name of this instance.
   *
   * @default the host name
   */
  readonly instance?: string
  /** More labels, with few values each: `labels: { region: 'eu' }`. */
  readonly labels?: Readonly<Record<string, string>>
  /** The endpoints of the service, so that records have the path template (`http.route`). */
  readonly endpoints?: readonly Endpoint[]
  /** Ships only new lines if nothing was shipped before. */
  readonly isNewOnly?: boolean
  /** Batch size, and waiting times between batches and after failures. */
  readonly tuning?: ShipTuning
}

/**
 * Creates a log shipper, which sends the lines of an access log to a log service (syslog, Loki, OTLP or OpenSearch), at least
 * once. It is not started yet.
 *
 * @example
 * ```ts
 * const shipper = openShipper({ log: 'data/access.log', to: 'loki+http://logs:3100', service: 'directory' }, console.error)
 * shipper.start()
 * await shipper.stop()
 * ```
 *
 * @throws ShipError if an option is invalid
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
  return new Shipper({ tail, destination, onNotice, ...options.tuning })
}
