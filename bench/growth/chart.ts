/** The figures of growth as a picture: a panel for each list on each database, both axes logarithmic. */
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

/** All panels share their scales, so that they can be compared. */
export function growthChart(all: readonly GrowthFigures[]): string {
  const points = all.flatMap((figures) => figures.points)
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
  const panels = all.flatMap((figures, row) =>
    listNames.map((list, column) => {
      const at = `translate(${margin.left + column * across} ${margin.top + row * down})`
      return element('g', { transform: at }, panelOf(figures, list, scales).join('\n'))
    }),
  )
  const height = margin.top + all.length * down - (down - panel.height) + margin.bottom
  const title = 'Milliseconds for a page of ten with exact totals'
  return drawing({ width, height }, title, [
    text(24, 36, title, { class: 'title' }),
    text(24, 56, 'Median of one request after the other, while somebody writes, by number of users. Lower is better.', {
      class: 'faint',
    }),
    ...legend(),
    ...panels,
  ])
}

/** Which dash is which page; the colours are named at the lines. */
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
  // The service comes last, to lie on top.
  const lines = contenderNames.toReversed().flatMap((contender) =>
    pageNames.map((page) => ({
      contender,
      page,
      points: points
        .filter((one) => one.contender === contender && one.list === list && one.page === page)
        .sort((a, b) => a.users - b.users),
    })),
  )
  return [
    text(0, -16, `${databaseNames[database]}, ${list}`, { class: 'head' }),
    ...y.ticks.flatMap((tick) => [
      element('line', { class: 'grid', x1: 0, x2: panel.width, y1: y.at(tick), y2: y.at(tick) }),
      text(-10, y.at(tick) + 4, duration(tick), { class: 'faint number', 'text-anchor': 'end' }),
    ]),
    ...x.ticks.flatMap((tick) => [
      element('line', { class: 'grid', x1: x.at(tick), x2: x.at(tick), y1: 0, y2: panel.height }),
      text(x.at(tick), panel.height + 20, amount(tick), { class: 'faint number', 'text-anchor': 'middle' }),
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
  const places = points.map(({ users, p50 }) => ({ x: x.at(users), y: y.at(p50) }))
  const path = places.map((place) => `${place.x.toFixed(1)},${place.y.toFixed(1)}`).join(' ')
  return [
    element('polyline', { class: `line ${name}`, points: path, 'stroke-dasharray': dash }),
    ...places.map((place) => element('circle', { class: `mark ${name}`, cx: place.x, cy: place.y, r: 3.6 })),
  ]
}

interface Line {
  readonly contender: ContenderName
  readonly points: readonly GrowthPoint[]
}

/** Pixels from the middle of one label to the middle of the next. */
const apart = 16

/** Whose lines they are, at their ends. */
function endLabels(lines: readonly Line[], y: LogScale): string[] {
  const wanted = contenderNames
    .map((contender) => {
      const ends = lines.filter((line) => line.contender === contender).map(({ points }) => points.at(-1)?.p50 ?? 1)
      return { contender, at: (y.at(Math.min(...ends)) + y.at(Math.max(...ends))) / 2 }
    })
    .sort((a, b) => a.at - b.at)
  let next = 0
  return wanted.map(({ contender, at }) => {
    const placed = Math.max(at, next)
    next = placed + apart
    return text(panel.width + 12, placed + 4, contender, { class: classes[contender] })
  })
}

function duration(milliseconds: number): string {
  return milliseconds >= 1000 ? `${milliseconds / 1000} s` : `${milliseconds} ms`
}

function amount(number: number): string {
  if (number >= 1e6) return `${number / 1e6} M`
  return number >= 1000 ? `${number / 1000} k` : `${number}`
}
