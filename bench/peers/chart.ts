/** The chart of peers: a group of bars for each kind of request, on one logarithmic scale. */
import { logScale } from '../chart/log-scale.ts'
import { short, wholeNumber } from '../chart/number.ts'
import { drawing, element, text, widthOf } from '../chart/svg.ts'
import { databaseNames } from '../database-name.ts'
import type { KindFigures, PeerFigures } from './figures.ts'

const width = 880
const margin = 24
const left = 158
// Space for a number and its comparison after the longest bar.
const right = width - 150
const top = 100
const row = 21
const bar = 13
const heading = 26
const gap = 14

export function peerChart(figures: PeerFigures): string {
  const { contenders, kinds, database, users, connections } = figures
  const values = contenders.flatMap(({ byKind }) => kinds.flatMap((kind) => byKind[kind]?.requestsPerSecond ?? []))
  // A little below the minimum, so that its bar is visible.
  const scale = logScale([...values, Math.min(...values) / 1.5], [left, right], { isTight: true })
  const group = heading + contenders.length * row + gap
  const bottom = top + kinds.length * group
  const size = { width, height: bottom + 34 }
  const title = 'Requests per second'
  return drawing(size, title, [
    text(margin, 36, title, { class: 'title' }),
    text(
      margin,
      56,
      `${wholeNumber(users)} users on ${databaseNames[database]}, ${connections} connections. Longer is better; the scale is logarithmic.`,
      { class: 'faint' },
    ),
    ...scale.ticks.map((tick) =>
      element('line', {
        class: 'grid',
        x1: scale.positionOf(tick),
        x2: scale.positionOf(tick),
        y1: top - 8,
        y2: bottom,
      }),
    ),
    ...scale.ticks.flatMap((tick) =>
      [top - 14, bottom + 16].map((y) =>
        text(scale.positionOf(tick), y, wholeNumber(tick), { class: 'faint number', 'text-anchor': 'middle' }),
      ),
    ),
    ...kinds.flatMap((kind, index) => groupOf(figures, kind, top + index * group, scale.positionOf)),
  ])
}

function groupOf(
  { contenders }: PeerFigures,
  kind: string,
  y: number,
  positionOf: (value: number) => number,
): string[] {
  const bars = contenders.flatMap(({ name, byKind }, index) => {
    const middle = y + heading + index * row + row / 2
    const ours = index === 0 ? 'ours' : undefined
    const label = text(left - 10, middle + 4.5, name, { 'text-anchor': 'end', class: ours })
    return [label, ...barOf(byKind[kind], middle, ours, positionOf)]
  })
  return [text(margin, y + 17, kind, { class: 'head' }), ...bars]
}

function barOf(
  figures: KindFigures | undefined,
  middle: number,
  ours: string | undefined,
  positionOf: (value: number) => number,
): string[] {
  const base = middle + 4.5
  if (!figures) return [text(left + 8, base, 'failed', { class: 'faint' })]
  const end = positionOf(figures.requestsPerSecond)
  const number = short(figures.requestsPerSecond)
  const rectangle = { x: left, y: middle - bar / 2, width: end - left, height: bar, rx: 2 }
  return [
    element('rect', { class: ours ?? 'other', ...rectangle }),
    text(end + 8, base, number, { class: ours ? `${ours} number` : 'number' }),
    ...(ours ? [] : [text(end + 16 + widthOf(number, 13), base, comparisonText(figures.share), { class: 'faint' })]),
  ]
}

/** A comparison such as `18× slower` or `1.2× faster`. */
function comparisonText(share: number): string {
  if (share > 0.95 && share < 1.05) return 'about the same'
  const times = (factor: number) => (factor < 10 ? factor.toFixed(1) : wholeNumber(factor))
  return share > 1 ? `${times(share)}× faster` : `${times(1 / share)}× slower`
}
