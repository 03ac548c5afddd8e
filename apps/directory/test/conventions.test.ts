// The table of docs/conventions.md and the tests named after a rule: each names the other, and nothing else.
import { readdirSync, readFileSync } from 'node:fs'
import { type Expression, parseSync, Visitor } from 'oxc-parser'
import { describe, expect, it } from 'vitest'

const folder = new URL('./', import.meta.url)
const page = readFileSync(new URL('../../../docs/conventions.md', import.meta.url), 'utf8')

interface Row {
  readonly code: string
  /** `spec 4.3 include rule 2`, or `decision page`: how the names of its tests begin. */
  readonly place: string
  readonly rule: string
  readonly tests: readonly { readonly file: string; readonly name: string }[]
}

function rowsOf(text: string): Row[] {
  return text
    .split('\n')
    .filter((line) => /^\| `/.test(line))
    .map((line) => {
      const [code = '', place = '', rule = '', cell = ''] = line.slice(2, -2).split(' | ')
      const tests = cell.split('<br>').map((one) => {
        const [, file = '', name = ''] = /^`([^`]+)`: (.+)$/.exec(one) ?? []
        return { file, name }
      })
      return { code: code.replaceAll('`', ''), place, rule, tests }
    })
}

/** The names of all tests of a file, as they are written: `it('name'` and `it.each(rows)('name'`. */
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
const written = new Map(files.map((file) => [file, testNames(file)]))
const rows = rowsOf(page.slice(page.indexOf('## Every rule and its test')))
const listed = new Set(rows.flatMap(({ tests }) => tests.map(({ file, name }) => `${file}: ${name}`)))

describe('docs/conventions.md', () => {
  it('has a table of rules', () => {
    expect(rows.length).toBeGreaterThan(50)
    for (const { code, place, rule } of rows) {
      expect(code).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
      expect(place).toMatch(/^(spec \d(\.\d)?( .+)?|decision [a-z-]+)$/)
      expect(rule).toMatch(/\.$/)
    }
    expect(new Set(rows.map(({ code }) => code)).size).toBe(rows.length)
  })

  it('names only tests that are there', () => {
    const missing = rows.flatMap(({ code, tests }) =>
      tests
        .filter(({ file, name }) => !written.get(file)?.includes(name))
        .map(({ file, name }) => `${code} names "${file}: ${name}", which is no test`),
    )
    expect(missing).toEqual([])
  })

  it('names every test that is named after a rule', () => {
    const unlisted = [...written].flatMap(([file, names]) =>
      names
        .filter((name) => /^(spec|decision) /.test(name) && !listed.has(`${file}: ${name}`))
        .map((name) => `${file}: ${name}`),
    )
    expect(unlisted).toEqual([])
  })

  it('puts a test below the rule that it is named after', () => {
    for (const { place, tests } of rows) for (const { name } of tests) expect(name.split(': ')[0]).toBe(place)
  })

  it('leaves no section of the conventions without a test', () => {
    const sections = new Set(rows.map(({ place }) => /^spec (\d(?:\.\d)?)/.exec(place)?.[1]))
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
    for (const [file, names] of written)
      expect(
        names.filter((name, index) => names.indexOf(name) !== index),
        file,
      ).toEqual([])
  })
})
