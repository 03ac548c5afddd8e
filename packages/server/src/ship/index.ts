/** The public door of @nomen/server/ship: access logs on their way to wherever logs are kept. */
export type { DestinationOptions } from './open-destination.ts'
export { openShipper, type ShipOptions } from './open-shipper.ts'
export { ShipError } from './ship-address.ts'
export { ShipBeside } from './ship-beside.ts'
export { shipFamilies, shipMetrics } from './ship-metrics.ts'
export { type ShipSettings, shipOptionsOf } from './ship-service.ts'
export type { ShipFigures, ShipPace, Shipper } from './shipper.ts'
