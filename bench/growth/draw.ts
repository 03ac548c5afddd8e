/** Draws the growth tables of each database, and one chart of all. */
import { keep } from '../keep.ts'
import { growthChart } from './chart.ts'
import type { GrowthFigures } from './figures.ts'
import { growthTables } from './table.ts'

const picture = '![Milliseconds for a page of ten with exact totals, by number of users](growth.svg)'

/** Draws these figures, or the stored ones again. */
export function draw(figures: GrowthFigures | undefined, isKept: boolean): void {
  keep('growth', figures, isKept, (allFigures) => ({
    content: [picture, ...allFigures.map(growthTables)].join('\n\n'),
    charts: { 'growth.svg': growthChart(allFigures) },
  }))
}
