// All texts of the console come from its language modules, so that every language has them.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'
import { describe, expect, it } from 'vitest'

const folder = join(import.meta.dirname, '../apps/console/src')

/** Attributes whose value is visible, or read by a screen reader. */
const visibleAttributes =
  /^(aria-(label|description|roledescription|valuetext)|title|label|placeholder|description|alt|error)$/

/** Attributes and properties whose words are not visible, and variables of CSS. */
const technicalNames = /^(className|fontFamily|fontFamilyMonospace|--.+)$/

/** Literals that the console does not show: programming errors, words of the API, code, selectors. */
const exemptTexts = [
  'The page has no element with the ID "console".',
  'useConsole must be called below ConsoleContext.',
  'in use',
  'never called',
  'Bearer …',
  '"authorization: Bearer $TOKEN"',
  'await api',
  'body, main, [data-portal]',
  ' pinned pinned-last',
  'thead th.pinned',
  'noopener noreferrer',
  ':is(a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, [tabindex]):not([tabindex="-1"])',
]

interface Span {
  readonly start: number
  readonly end: number
}

/** The literal texts of a file, each with its line. */
function literalTexts(file: string, source: string): readonly string[] {
  const { program, errors } = parseSync(file, source)
  expect(errors).toEqual([])
  const texts: { readonly text: string; readonly start: number }[] = []
  const visible: Span[] = []
  const ignored: Span[] = []
  const literals: { readonly text: string; readonly start: number }[] = []
  new Visitor({
    ImportDeclaration: (node) => void ignored.push(node.source),
    JSXText: ({ value, start }) => void (/\p{L}/u.test(value) && texts.push({ text: value.trim(), start })),
    JSXAttribute: ({ name, value }) => {
      if (!value) return
      const attribute = name.type === 'JSXIdentifier' ? name.name : ''
      if (visibleAttributes.test(attribute)) visible.push(value)
      else if (technicalNames.test(attribute) || attribute === 'key') ignored.push(value)
    },
    Property: ({ key, value }) => {
      const name = key.type === 'Identifier' ? key.name : key.type === 'Literal' ? `${key.value}` : ''
      if (visibleAttributes.test(name) || name === 'text') visible.push(value)
      else if (technicalNames.test(name)) ignored.push(value)
    },
    JSXExpressionContainer: ({ expression }) => {
      // A literal child is visible, also in a condition.
      const children = [expression]
      for (const child of children) {
        if (child.type === 'ConditionalExpression') children.push(child.consequent, child.alternate)
        else if (child.type === 'LogicalExpression') children.push(child.right)
        else if (child.type === 'Literal' || child.type === 'TemplateLiteral') visible.push(child)
      }
    },
    Literal: ({ value, start }) => {
      if (typeof value === 'string') literals.push({ text: value, start })
    },
    TemplateElement: ({ value, start }) => literals.push({ text: value.cooked ?? '', start }),
  }).visit(program)
  const isIn = (spans: readonly Span[], offset: number) =>
    spans.some(({ start, end }) => start <= offset && offset < end)
  for (const { text, start } of literals) {
    if (isIn(ignored, start) || exemptTexts.includes(text)) continue
    // In a visible position: a word with a capital letter, or several words. In other positions: only a sentence.
    const isProse = isIn(visible, start)
      ? /\p{Lu}\p{Ll}|\p{L} \p{L}|^ \p{L}/u.test(text)
      : /\p{L}{2,}[,:]? \p{L}{2,}/u.test(text)
    if (isProse) texts.push({ text, start })
  }
  const lineOf = (offset: number) => source.slice(0, offset).split('\n').length
  return texts.map(({ text, start }) => `${file}:${lineOf(start)}: ${text}`)
}

describe('the texts of the console', () => {
  const files = globSync('**/*.{ts,tsx}', { cwd: folder }).filter((file) => !/^language\/|\.test\.ts$/.test(file))

  it('come from its language modules', () => {
    expect(files.length).toBeGreaterThan(80)
    const texts = files.flatMap((file) => literalTexts(file, readFileSync(join(folder, file), 'utf8')))
    expect(texts, 'Move these texts to apps/console/src/language.').toEqual([])
  })

  it.each([
    ['text between tags', '<p>Save</p>'],
    ['a label', '<input aria-label="Save" />'],
    ['a label with a placeholder', '<input title={`Save $' + '{name}`} />'],
    ['one of two texts', '<p>{isNew ? "Create" : text().save}</p>'],
    ['a message', 'say({ text: name + " saved." })'],
    ['an error', 'throw new Error("The file is empty.")'],
  ])('are found in code: %s', (_, code) => {
    expect(literalTexts('example.tsx', code)).toHaveLength(1)
  })

  it('are not confused with names and paths', () => {
    const code = '<a href="#main" className="skip large" key={a + " key"} size="sm">{String(value)} – {one && "·"}</a>'
    expect(literalTexts('example.tsx', code)).toEqual([])
  })
})
