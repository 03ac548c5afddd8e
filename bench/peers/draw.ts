/** Table and chart of each database that peers were measured on. */
import { keep } from '../keep.ts'
import { peerChart } from './chart.ts'
import type { PeerFigures } from './figures.ts'
import { peerTables } from './table.ts'

const charts = { sqlite: 'peers.svg', postgres: 'peers-postgres.svg' }

/** Without figures, those that were kept are drawn again. */
export function draw(figures: PeerFigures | undefined, isKept: boolean): void {
  keep('peers', figures, isKept, (all) => ({
    content: all.map((one) => peerTables(one, charts[one.database])).join('\n\n'),
    charts: Object.fromEntries(all.map((one) => [charts[one.database], peerChart(one)])),
  }))
}
