// SQL in source has lines of at most 120 columns. The formatter does not break lines of template literals.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'
import { expect, it } from 'vitest'

const maxColumns = 120

/** Texts without the `sql` tag are SQL if they contain one of these. */
const sqlPattern =
  /\b(select|insert into|update|delete from)\b.*\b(from|values|set|where|group by|order by)\b|\b(create|alter) (unique )?(table|index|trigger|function)\b/is

/** The lines of SQL literals that are too long, as `line: columns`. */
function longSqlLines(file: string, source: string): readonly string[] {
  const lines = source.split('\n')
  const longLines = new Set<number>()
  const check = (start: number, end: number) => {
    const first = source.slice(0, start).split('\n').length
    const last = source.slice(0, end).split('\n').length
    for (let line = first; line <= last; line++) if ((lines[line - 1] ?? '').length > maxColumns) longLines.add(line)
  }
  new Visitor({
    TaggedTemplateExpression: ({ tag, start, end }) => {
      if (tag.type === 'Identifier' && tag.name === 'sql') check(start, end)
    },
    TemplateLiteral: ({ quasis, start, end }) => {
      if (sqlPattern.test(quasis.map(({ value }) => value.raw).join('?'))) check(start, end)
    },
    Literal: ({ value, start, end }) => {
      if (typeof value === 'string' && sqlPattern.test(value)) check(start, end)
    },
  }).visit(parseSync(file, source).program)
  return [...longLines].map((line) => `${line}: ${lines[line - 1]?.length}`)
}

it('finds long lines of tagged and of plain SQL, and no others', () => {
  const long = 'x'.repeat(maxColumns)
  const sources: [string, readonly string[]][] = [
    [`sql\`a\n  ${long}\``, ['2: 123']],
    [`const query = \`select ${long} from t\``, ['1: 150']],
    [`const message = 'The service ${long}'`, []],
    ['const query = sql`select 1`', []],
  ]
  for (const [source, expected] of sources) expect(longSqlLines('x.ts', source), source).toEqual(expected)
})

it('no line of SQL is too long', () => {
  const root = join(import.meta.dirname, '../packages/server/src')
  const files = globSync('**/*.ts', { cwd: root }).filter((file) => !file.endsWith('.test.ts'))
  expect(files.length).toBeGreaterThan(300)
  const findings = files.flatMap((file) =>
    longSqlLines(file, readFileSync(join(root, file), 'utf8')).map((line) => `${file}:${line}`),
  )
  expect(findings).toEqual([])
})
