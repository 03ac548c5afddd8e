/** The peer figures as Markdown. */
import { short, wholeNumber } from '../chart/number.ts'
import { databaseNames } from '../database-name.ts'
import { markdownTable } from '../markdown.ts'
import type { PeerFigures } from './figures.ts'

/** Heading, conditions, chart and tables of one run. */
export function peerTables(figures: PeerFigures, chart: string): string {
  const { contenders, kinds, database } = figures
  const byKind = (cell: (contender: PeerFigures['contenders'][number], kind: string) => string) =>
    contenders.map((contender) => [contender.name, ...kinds.map((kind) => cell(contender, kind))])
  return [
    `### On ${databaseNames[database]}`,
    conditions(figures),
    `![Requests per second of each contender, by kind of request](${chart})`,
    markdownTable(
      ['requests/s (share of Nomen)', ...kinds],
      byKind(({ byKind }, kind) => {
        const { requestsPerSecond, share } = byKind[kind] ?? {}
        if (requestsPerSecond === undefined || share === undefined) return 'failed'
        return share === 1 ? short(requestsPerSecond) : `${short(requestsPerSecond)} (${short(share)})`
      }),
    ),
    markdownTable(
      ['p50 / p99 / p99.9 ms at half of these requests/s', ...kinds],
      byKind(({ byKind }, kind) => (byKind[kind] ? (byKind[kind].latency ?? '') : 'failed')),
    ),
    markdownTable(
      ['', 'version', 'Node', 'durability of a change', 'start-up ms', 'memory MiB', 'installed MiB'],
      contenders.map(({ name, version, node, durability, start, memory, size }) => {
        return [
          name,
          version,
          node,
          durability,
          wholeNumber(start),
          wholeNumber(memory),
          size === undefined ? '' : wholeNumber(size),
        ]
      }),
      { textColumns: 4 },
    ),
    contenders.flatMap(({ name, notes }) => (notes.length > 0 ? [`- **${name}.** ${notes.join(' ')}`] : [])).join('\n'),
  ].join('\n\n')
}

function conditions({ date, machine, users, connections, rounds, seconds }: PeerFigures): string {
  return `${date}, ${machine}. ${wholeNumber(users)} users, ${connections} connections, medians of ${rounds} rounds of ${seconds} s.`
}
