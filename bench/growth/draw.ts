/** Tables of each database that growth was measured on, and one chart of all. */
import { keep } from '../keep.ts'
import { growthChart } from './chart.ts'
import type { GrowthFigures } from './figures.ts'
import { growthTables } from './table.ts'

const picture = '![Milliseconds for a page of ten with exact totals, by number of users](growth.svg)'

/** Without figures, those that were kept are drawn again. */
export function draw(figures: GrowthFigures | undefined, isKept: boolean): void {
  keep('growth', figures, isKept, (all) => ({
    content: [picture, ...all.map(growthTables)].join('\n\n'),
    charts: { 'growth.svg': growthChart(all) },
  }))
}
