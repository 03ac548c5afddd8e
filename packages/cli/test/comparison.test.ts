// The comparison quotes the benchmarks word by word: figures that were measured anew are to be quoted anew.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from './nomen.ts'

const read = (file: string) => readFileSync(join(root, file), 'utf8')
const rows = (text: string) => text.split('\n').filter((line) => line.startsWith('| '))

it('has the figures of its peers from the benchmarks', () => {
  const [, figures = ''] = read('docs/comparison.md').split('\n## Figures\n')
  const quoted = rows(figures)
  expect(quoted).toHaveLength(7)
  expect(rows(read('bench/README.md'))).toEqual(expect.arrayContaining(quoted))
})

it('has what they need of disk, time and memory from there as well', () => {
  const figures = (name: string) => {
    const line = rows(read('bench/README.md')).find(
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
  expect(read('docs/comparison.md').replaceAll('\n', ' ')).toContain(sentence)
})
