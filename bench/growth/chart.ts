/** The growth chart: a panel for each list on each database, both axes logarithmic. */
import { type LogScale, logScale } from '../chart/log-scale.ts'
import { drawing, element, text, widthOf } from '../chart/svg.ts'
import { databaseNames } from '../database-name.ts'
import {
  type ContenderName,
  contenderNames,
  type GrowthFigures,
  type GrowthPoint,
  type ListName,
  listNames,
  type PageName,
  pageNames,
} from './figures.ts'

const panel = { width: 330, height: 236 }
const margin = { left: 76, top: 108, right: 104, bottom: 44 }
const across = panel.width + margin.right + 46
const down = panel.height + 84
const width = margin.left + 2 * across - 46 + 8

const classes: Readonly<Record<ContenderName, string>> = { Nomen: 'ours', 'limit/offset': 'plain' }
const dashes: Readonly<Record<PageName, string | undefined>> = { first: undefined, middle: '7 4', last: '2 3' }

/** All panels share their scales, so that they are comparable. */
export function growthChart(allFigures: readonly GrowthFigures[]): string {
  const points = allFigures.flatMap((figures) => figures.points)
  const scales = {
    x: logScale(
      points.map(({ users }) => users),
      [0, panel.width],
    ),
    y: logScale(
      points.map(({ p50 }) => p50),
      [panel.height, 0],
    ),
  }
  const panels = allFigures.flatMap((figures, row) =>
    listNames.map((list, column) => {
      const transform = `translate(${margin.left + column * across} ${margin.top + row * down})`
      return element('g', { transform }, panelOf(figures, list, scales).join('\n'))
    }),
  )
  const height = margin.top + allFigures.length * down - (down - panel.height) + margin.bottom
  const title = 'Milliseconds for a page of ten with exact totals'
  return drawing({ width, height }, title, [
    text(24, 36, title, { class: 'title' }),
    text(24, 56, 'Median of sequential requests during writes, by number of users. Lower is better.', {
      class: 'faint',
    }),
    ...legend(),
    ...panels,
  ])
}

/** The dash of each page; labels at the lines name the colors. */
function legend(): string[] {
  let end = width - 24
  return pageNames.toReversed().flatMap((page) => {
    const content = `${page} page`
    const x = end - widthOf(content, 12)
    end = x - 56
    return [
      element('line', {
        class: 'line legend',
        x1: x - 34,
        x2: x - 7,
        y1: 32,
        y2: 32,
        'stroke-dasharray': dashes[page],
      }),
      text(x, 36, content, { class: 'faint' }),
    ]
  })
}

function panelOf({ database, points }: GrowthFigures, list: ListName, scales: { x: LogScale; y: LogScale }): string[] {
  const { x, y } = scales
  // Nomen comes last, to be drawn on top.
  const lines = contenderNames.toReversed().flatMap((contender) =>
    pageNames.map((page) => ({
      contender,
      page,
      points: points
        .filter((point) => point.contender === contender && point.list === list && point.page === page)
        .sort((a, b) => a.users - b.users),
    })),
  )
  return [
    text(0, -16, `${databaseNames[database]}, ${list}`, { class: 'head' }),
    ...y.ticks.flatMap((tick) => [
      element('line', { class: 'grid', x1: 0, x2: panel.width, y1: y.positionOf(tick), y2: y.positionOf(tick) }),
      text(-10, y.positionOf(tick) + 4, duration(tick), { class: 'faint number', 'text-anchor': 'end' }),
    ]),
    ...x.ticks.flatMap((tick) => [
      element('line', { class: 'grid', x1: x.positionOf(tick), x2: x.positionOf(tick), y1: 0, y2: panel.height }),
      text(x.positionOf(tick), panel.height + 20, amount(tick), { class: 'faint number', 'text-anchor': 'middle' }),
    ]),
    ...lines.flatMap((line) => drawLine(line.points, classes[line.contender], dashes[line.page], scales)),
    ...endLabels(lines, y),
  ]
}

function drawLine(
  points: readonly GrowthPoint[],
  name: string,
  dash: string | undefined,
  { x, y }: { x: LogScale; y: LogScale },
): string[] {
  const coordinates = points.map(({ users, p50 }) => ({ x: x.positionOf(users), y: y.positionOf(p50) }))
  const path = coordinates.map((point) => `${point.x.toFixed(1)},${point.y.toFixed(1)}`).join(' ')
  return [
    element('polyline', { class: `line ${name}`, points: path, 'stroke-dasharray': dash }),
    ...coordinates.map((point) => element('circle', { class: `mark ${name}`, cx: point.x, cy: point.y, r: 3.6 })),
  ]
}

interface Line {
  readonly contender: ContenderName
  readonly points: readonly GrowthPoint[]
}

/** The distance between the centers of two labels, in pixels. */
const labelDistance = 16

/** The names of the contenders at the ends of their lines. */
function endLabels(lines: readonly Line[], y: LogScale): string[] {
  const labels = contenderNames
    .map((contender) => {
      const ends = lines.filter((line) => line.contender === contender).map(({ points }) => points.at(-1)?.p50 ?? 1)
      return { contender, position: (y.positionOf(Math.min(...ends)) + y.positionOf(Math.max(...ends))) / 2 }
    })
    .sort((a, b) => a.position - b.position)
  let minPosition = 0
  return labels.map(({ contender, position }) => {
    const labelPosition = Math.max(position, minPosition)
    minPosition = labelPosition + labelDistance
    return text(panel.width + 12, labelPosition + 4, contender, { class: classes[contender] })
  })
}

function duration(milliseconds: number): string {
  return milliseconds >= 1000 ? `${milliseconds / 1000} s` : `${milliseconds} ms`
}

function amount(number: number): string {
  if (number >= 1e6) return `${number / 1e6} M`
  return number >= 1000 ? `${number / 1000} k` : `${number}`
}
