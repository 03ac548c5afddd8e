/** Draws the table and chart of each database with measured peers. */
import { keep } from '../keep.ts'
import { peerChart } from './chart.ts'
import type { PeerFigures } from './figures.ts'
import { peerTables } from './table.ts'

const charts = { sqlite: 'peers.svg', postgres: 'peers-postgres.svg' }

/** Draws these figures, or the stored ones again. */
export function draw(figures: PeerFigures | undefined, isKept: boolean): void {
  keep('peers', figures, isKept, (allFigures) => ({
    content: allFigures.map((stored) => peerTables(stored, charts[stored.database])).join('\n\n'),
    charts: Object.fromEntries(allFigures.map((stored) => [charts[stored.database], peerChart(stored)])),
  }))
}
