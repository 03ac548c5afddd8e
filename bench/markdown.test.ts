import { expect, it } from 'vitest'
import { markdownTable, replacePart } from './markdown.ts'

it('writes a table whose first column is text and whose others are numbers', () => {
  expect(markdownTable(['', 'ms'], [['a', '1']])).toBe('| | ms |\n| --- | ---: |\n| a | 1 |')
})

it('writes several text columns, and keeps empty cells', () => {
  const table = markdownTable(['a', 'b', 'c'], [['x', '', '']], { textColumns: 2 })
  expect(table).toBe('| a | b | c |\n| --- | --- | ---: |\n| x | | |')
})

const document = 'before\n<!-- figures: begin, written by a command -->\nold\n<!-- figures: end -->\nafter\n'

it('replaces only the text between two markers', () => {
  const replaced = replacePart(document, 'figures', '\nnew\n')
  expect(replaced).toBe(
    'before\n<!-- figures: begin, written by a command -->\n\nnew\n\n<!-- figures: end -->\nafter\n',
  )
  expect(replacePart(replaced, 'figures', 'new')).toBe(replaced)
})

it('reports missing markers', () => {
  expect(() => replacePart(document, 'other', 'new')).toThrow('"other: begin"')
})
