import { expect, it } from 'vitest'
import { peerChart } from './chart.ts'
import type { PeerFigures } from './figures.ts'
import { peerTables } from './table.ts'

const contender = (name: string, requestsPerSecond: number, share: number): PeerFigures['contenders'][number] => ({
  name,
  version: '1.2.3',
  node: '26.10.0',
  durability: 'synced',
  notes: name === 'slow' ? ['It is slow.'] : [],
  size: 12.4,
  start: 345.6,
  memory: 78.9,
  byKind: { list: { requestsPerSecond, latency: '1.23 / 56.8 / –', share } },
})

const figures: PeerFigures = {
  date: '2026-01-02',
  machine: 'a machine',
  database: 'sqlite',
  users: 100_000,
  connections: 64,
  rounds: 3,
  seconds: 2,
  kinds: ['list'],
  contenders: [contender('ours', 10_000, 1), contender('slow', 100, 0.01), contender('quick', 12_000, 1.2)],
}

it('draws a bar for each contender, on a logarithmic scale', () => {
  const bars = [...peerChart(figures).matchAll(/<rect class="(ours|other)" .*? width="([\d.]+)"/g)]
  expect(bars.map(([, name]) => name)).toEqual(['ours', 'other', 'other'])
  const [ours = 0, slow = 0, quick = 0] = bars.map(([, , width]) => Number(width))
  expect((ours - slow) / 2).toBeCloseTo((quick - slow) / Math.log10(120), 0)
})

it('compares each contender with the first', () => {
  const chart = peerChart(figures)
  expect(chart).toContain('100× slower')
  expect(chart).toContain('1.2× faster')
  const like = { ...figures, contenders: [...figures.contenders, contender('like', 10_200, 1.02)] }
  expect(peerChart(like)).toContain('about the same')
})

it('writes the tables of all kinds, and the notes', () => {
  const tables = peerTables(figures, 'peers.svg')
  expect(tables).toContain('### On SQLite')
  expect(tables).toContain('100,000 users, 64 connections, medians of 3 rounds of 2 s.')
  expect(tables).toContain('| slow | 100 (0.010) |')
  expect(tables).toContain('| ours | 1.23 / 56.8 / – |')
  expect(tables).toContain('| quick | 1.2.3 | 26.10.0 | synced | 346 | 79 | 12 |')
  expect(tables).toContain('- **slow.** It is slow.')
})

it('shows a failure in the table and in the chart', () => {
  const failed = { ...contender('failed', 0, 0), byKind: {} }
  const wider = { ...figures, contenders: [...figures.contenders, failed] }
  expect(peerTables(wider, 'peers.svg').match(/\| failed \| failed \|/g)).toHaveLength(2)
  expect(peerChart(wider)).toContain('>failed</text>')
})
