import { expect, it } from 'vitest'
import { growthChart } from './chart.ts'
import { contenderNames, type GrowthFigures, listNames, pageNames } from './figures.ts'
import { growthTables } from './table.ts'

const sizes = [1000, 10_000, 100_000]

const figures: GrowthFigures = {
  date: '2026-01-02',
  machine: 'a machine',
  database: 'postgres',
  points: contenderNames.flatMap((contender) =>
    listNames.flatMap((list) =>
      pageNames.flatMap((page) =>
        sizes.map((users) => {
          const growth = contender === 'Nomen' ? 1 : users / 1000
          return {
            contender,
            users,
            list,
            page,
            p50: 0.5 * growth,
            p99: growth,
            growth,
            requestsPerSecond: 1000 / growth,
          }
        }),
      ),
    ),
  ),
}

it('draws a line for each page of each list of each contender, flat if the cost is constant', () => {
  const lines = [...growthChart([figures]).matchAll(/<polyline class="line (\w+)" points="([^"]+)"/g)]
  expect(lines).toHaveLength(2 * listNames.length * pageNames.length)
  for (const [, name, points = ''] of lines) {
    const heights = points.split(' ').map((point) => Number(point.split(',')[1]))
    expect(heights).toHaveLength(sizes.length)
    const isFlat = heights.every((height) => height === heights[0])
    expect(isFlat).toBe(name === 'ours')
  }
})

it('has a row of panels for each database', () => {
  const chart = growthChart([{ ...figures, database: 'sqlite' }, figures])
  for (const title of ['SQLite, all users', 'PostgreSQL, status=ACTIVE']) expect(chart).toContain(`>${title}</text>`)
})

it('writes a row of the table for each, with its growth', () => {
  const tables = growthTables(figures)
  expect(tables).toContain('| p50 / p99 ms | 1 thousand | 10 thousand | 100 thousand | growth |')
  expect(tables).toContain('| Nomen, all users, last page | 0.50 / 1.00 | 0.50 / 1.00 | 0.50 / 1.00 | × 1.00 |')
  expect(tables).toContain(
    '| limit/offset, status=ACTIVE, first page | 0.50 / 1.00 | 5.00 / 10.0 | 50.0 / 100 | × 100 |',
  )
  expect(tables).toContain('| limit/offset, all users, middle page | 1,000 | 100 | 10.0 |')
})
