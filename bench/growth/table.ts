/** The growth figures as Markdown. */
import { inWords, short } from '../chart/number.ts'
import { databaseNames } from '../database-name.ts'
import { markdownTable } from '../markdown.ts'
import { contenderNames, type GrowthFigures, type GrowthPoint, listNames, pageNames } from './figures.ts'

/** Heading and tables of one database. */
export function growthTables(figures: GrowthFigures): string {
  const { date, machine, database, points } = figures
  const sizes = [...new Set(points.map(({ users }) => users))].sort((a, b) => a - b)
  const head = sizes.map(inWords)
  const lines = (cell: (point: GrowthPoint) => string, last: (line: readonly GrowthPoint[]) => string[]) =>
    contenderNames.flatMap((contender) =>
      listNames.flatMap((list) =>
        pageNames.map((page) => {
          const line = sizes.flatMap(
            (users) =>
              points.find((point) => {
                return (
                  point.users === users && point.contender === contender && point.list === list && point.page === page
                )
              }) ?? [],
          )
          return [`${contender}, ${list}, ${page} page`, ...line.map(cell), ...last(line)]
        }),
      ),
    )
  return [
    `### ${databaseNames[database]}`,
    `${date}, ${machine}. Sequential requests; the last column is the
median at the largest size as a multiple of that at the smallest, within rounds.`,
    markdownTable(
      ['p50 / p99 ms', ...head, 'growth'],
      lines(({ p50, p99 }) => `${short(p50)} / ${short(p99)}`, growthOf),
    ),
    'Requests per second with 8 concurrent requests:',
    markdownTable(
      ['requests/s', ...head],
      lines(
        ({ requestsPerSecond }) => short(requestsPerSecond),
        () => [],
      ),
    ),
  ].join('\n\n')
}

function growthOf(line: readonly GrowthPoint[]): string[] {
  const last = line.at(-1)
  return [last ? `× ${short(last.growth)}` : '']
}
