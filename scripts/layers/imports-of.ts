/** Reads all imports of a source file, including type-only imports. */
import { readFileSync } from 'node:fs'
import { type Expression, parseSync, type StringLiteral, Visitor } from 'oxc-parser'

export type Import = { specifier: string; line: number; isType: boolean }

/** Static imports, export-from, `import('x')` with a literal, and `import('x')` in a type. */
export function importsOf(path: string): Import[] {
  const text = readFileSync(path, 'utf8')
  const { program, errors } = parseSync(path, text)
  if (errors[0]) throw new Error(`${path} cannot be parsed: ${errors[0].message}`)

  const imports: Import[] = []
  const add = (source: Expression | StringLiteral | null, isType = false): void => {
    const specifier = source && literal(source)
    if (source && specifier) imports.push({ specifier, line: text.slice(0, source.start).split('\n').length, isType })
  }
  new Visitor({
    ImportDeclaration: (node) => add(node.source, node.importKind === 'type'),
    ExportNamedDeclaration: (node) => add(node.source, node.exportKind === 'type'),
    ExportAllDeclaration: (node) => add(node.source),
    ImportExpression: (node) => add(node.source),
    TSImportType: (node) => add(node.source, true),
  }).visit(program)
  return imports
}

function literal(source: Expression | StringLiteral): string | undefined {
  if (source.type === 'Literal' && typeof source.value === 'string') return source.value
  if (source.type === 'TemplateLiteral' && source.expressions.length === 0)
    return source.quasis[0]?.value.cooked ?? undefined
  return undefined
}
