import { describe, expect, it } from 'vitest'
import { literal } from './literal.ts'

const value = {
  list: ['id', 'name'],
  'cost-center': null,
  deep: { isOn: true, text: `it's "so"\n\\`, none: [] },
  size: 3,
}

/** Evaluates the literal as JavaScript does. */
const read = (text: string) => new Function(`return (${text})`)()

describe('plain data as TypeScript', () => {
  it('is on one line if it fits', () => {
    expect(literal({ list: ['id', 'name'], isOn: true, 'a-b': 1 })).toBe(
      "{ list: ['id', 'name'], isOn: true, 'a-b': 1 }",
    )
    expect([literal([]), literal({}), literal(null)]).toEqual(['[]', '{}', 'null'])
  })

  it('has a line for each part if it does not fit', () => {
    const names = Array.from({ length: 12 }, (_, index) => `property${index}`)
    expect(literal({ list: names, search: ['a'] }, '  ')).toBe(
      `{\n    list: [\n${names.map((name) => `      '${name}',\n`).join('')}    ],\n    search: ['a'],\n  }`,
    )
  })

  it('evaluates to the original value', () => {
    const wide = { ...value, long: 'x'.repeat(200) }
    expect([read(literal(value)), read(literal(wide))]).toEqual([value, wide])
  })
})
