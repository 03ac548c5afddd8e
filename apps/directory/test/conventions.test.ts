// The tables of docs/traceability.md list each rule with its test files.
import { readdirSync, readFileSync } from 'node:fs'
import { type Expression, parseSync, Visitor } from 'oxc-parser'
import { describe, expect, it } from 'vitest'

const folder = new URL('./', import.meta.url)
const page = readFileSync(new URL('../../../docs/traceability.md', import.meta.url), 'utf8')

interface Row {
  readonly code: string
  /** The start of the names of its tests: `spec 4.3 include rule 2` or `decision page`. */
  readonly section: string
  /** The link to a section of the specification. */
  readonly target: string | undefined
  readonly rule: string
  readonly files: readonly string[]
}

function rowsOf(text: string): Row[] {
  return text
    .split('\n')
    .filter((line) => /^\| `/.test(line))
    .map((line) => {
      const [code = '', cell = '', rule = '', files = ''] = line.slice(2, -2).split(' | ')
      const [, section = cell, target] = /^\[(.+)\]\((.+)\)$/.exec(cell) ?? []
      return { code: withoutTicks(code), section, target, rule, files: withoutTicks(files).split(', ') }
    })
}

const withoutTicks = (text: string) => text.replaceAll('`', '')

/** The names of all tests of a file, from `it('name'` and `it.each(rows)('name'`. */
function testNames(file: string): string[] {
  const { program, errors } = parseSync(file, readFileSync(new URL(file, folder), 'utf8'))
  expect(errors, file).toEqual([])
  const names: string[] = []
  new Visitor({
    CallExpression: ({ callee, arguments: [first] }) => {
      if (isTest(callee) && first?.type === 'Literal' && typeof first.value === 'string') names.push(first.value)
    },
  }).visit(program)
  return names
}

function isTest(callee: Expression): boolean {
  if (callee.type === 'Identifier') return callee.name === 'it'
  if (callee.type === 'CallExpression') return isTest(callee.callee)
  return callee.type === 'MemberExpression' && isTest(callee.object)
}

const files = readdirSync(folder).filter((file) => file.endsWith('.test.ts'))
/** Each file with the sections in its test names: `read.test.ts: spec 4.1`. */
const tested = new Set(
  files.flatMap((file) =>
    testNames(file)
      .filter((name) => /^(spec|decision) /.test(name))
      .map((name) => `${file}: ${name.split(': ')[0]}`),
  ),
)
const rows = rowsOf(page)
const listed = new Set(rows.flatMap((row) => row.files.map((file) => `${file}: ${row.section}`)))

describe('docs/traceability.md', () => {
  it('has a table of rules', () => {
    expect(rows.length).toBeGreaterThan(50)
    for (const { code, section, rule } of rows) {
      expect(code).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
      expect(section).toMatch(/^(spec \d(\.\d)?( .+)?|decision [a-z-]+)$/)
      expect(rule).toMatch(/\.$/)
    }
    expect(new Set(rows.map(({ code }) => code)).size).toBe(rows.length)
  })

  it('links each section of the specification to its anchor', () => {
    for (const { section, target } of rows) {
      const anchor = section.replace(' rule', '').replaceAll(/[. ]/g, '-')
      expect(target).toBe(section.startsWith('spec') ? `specification.md#${anchor}` : undefined)
    }
  })

  it('lists only files that have a test of the section', () => {
    expect([...listed].filter((entry) => !tested.has(entry))).toEqual([])
  })

  it('lists every file that has a test of a section', () => {
    expect([...tested].filter((entry) => !listed.has(entry))).toEqual([])
  })

  it('lists a test for every section of the conventions', () => {
    const sections = new Set(rows.map(({ section }) => /^spec (\d(?:\.\d)?)/.exec(section)?.[1]))
    for (const section of [
      '1',
      '2.1',
      '2.2',
      '2.3',
      '2.4',
      '2.5',
      '2.6',
      '3',
      '4.1',
      '4.2',
      '4.3',
      '4.4',
      '7',
      '8',
      '9',
    ]) {
      expect(sections).toContain(section)
    }
  })
})

describe('test names', () => {
  it('are unique in their file', () => {
    for (const file of files) {
      const names = testNames(file)
      expect(
        names.filter((name, index) => names.indexOf(name) !== index),
        file,
      ).toEqual([])
    }
  })
})
