/** The entry point of @nomen/server/ship: ships access logs to a log service. */

export type { DestinationOptions } from './destination/open.ts'
export { ShipError } from './destination-url.ts'
export { shipFamilies, shipMetrics } from './metrics.ts'
export { openShipper, type ShipOptions } from './open-shipper.ts'
export { type ShipSettings, shipOptionsOf } from './service.ts'
export type { ShipFigures, Shipper, ShipTuning } from './shipper.ts'
export { ShipWorker } from './worker.ts'
