// The comparison quotes the benchmarks: after a new measurement, update the quotes.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from './nomen.ts'

const readText = (file: string) => readFileSync(join(root, file), 'utf8')
const rows = (text: string) => text.split('\n').filter((line) => line.startsWith('| '))

it('has the figures of its peers from the benchmarks', () => {
  const [, figures = ''] = readText('docs/comparison.md').split('\n## Figures\n')
  const [, measured = ''] = readText('bench/README.md').split('\n### On SQLite\n')
  const [table = ''] = measured.slice(measured.indexOf('\n| ')).split('\n\n', 1)
  expect(rows(table).length).toBeGreaterThan(2)
  expect(rows(figures.split('\n## ', 1).join())).toEqual(rows(table))
})

it('has disk space, start time and memory of its peers from the benchmarks', () => {
  const figures = (name: string) => {
    const line = rows(readText('bench/README.md')).find(
      (row) => row.startsWith(`| ${name} |`) && row.includes('| synced |'),
    )
    return (line ?? '')
      .split('|')
      .slice(-4, -1)
      .map((cell) => cell.trim())
  }
  const [start, memory, disk] = figures('Nomen')
  const [slower, larger, heavier] = figures('Directus')
  const sentence = `${disk} MiB installed against ${heavier}, ${start} ms to start against ${slower}, ${memory} MiB of memory against ${larger}`
  expect(readText('docs/comparison.md').replaceAll('\n', ' ')).toContain(sentence)
})
