/** The exports of an entry point, each with its JSDoc comment. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type ExportNamedDeclaration, type ModuleExportName, parseSync } from 'oxc-parser'
import { signatureOf } from './signature.ts'

export interface PublicExport {
  readonly name: string
  readonly isType: boolean
  /** The text of the JSDoc comment without its stars; undefined if there is none. */
  readonly comment: string | undefined
  /** The declaration without bodies of functions. */
  readonly signature: string
}

/** The exports that a file declares itself or re-exports from other files. */
export function exportsOf(file: string): readonly PublicExport[] {
  const { program, source, commentBefore } = parse(file)
  return program.body
    .filter((statement) => statement.type === 'ExportNamedDeclaration')
    .flatMap((statement): readonly PublicExport[] => {
      if (statement.source) return reexports(statement, createRequire(file).resolve(statement.source.value))
      const isType = /Interface|TypeAlias/.test(statement.declaration?.type ?? '')
      const comment = commentBefore(statement.start)
      const signature = statement.declaration ? signatureOf(source, statement.declaration) : ''
      return declaredNames(statement).map((name) => ({ name, isType, comment, signature }))
    })
}

function reexports({ specifiers, exportKind }: ExportNamedDeclaration, file: string): readonly PublicExport[] {
  const declared = exportsOf(file)
  return specifiers.map(({ local, exported, exportKind: ownKind }) => {
    const original = declared.find(({ name }) => name === nameOf(local))
    if (!original) throw new Error(`${file} does not export ${nameOf(local)}.`)
    const isType = original.isType || exportKind === 'type' || ownKind === 'type'
    return { ...original, name: nameOf(exported), isType }
  })
}

function declaredNames({ declaration }: ExportNamedDeclaration): readonly string[] {
  if (!declaration) return []
  const identifiers =
    declaration.type === 'VariableDeclaration' ? declaration.declarations.map(({ id }) => id) : [declaration.id]
  return identifiers.flatMap((id) => (id?.type === 'Identifier' ? id.name : []))
}

function nameOf(name: ModuleExportName): string {
  return name.type === 'Literal' ? name.value : name.name
}

/** The JSDoc comments of the members of an interface, by name. */
export function memberComments(file: string, name: string): ReadonlyMap<string, string | undefined> {
  const { program, commentBefore } = parse(file)
  const comments = new Map<string, string | undefined>()
  for (const statement of program.body) {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : undefined
    if (declaration?.type !== 'TSInterfaceDeclaration' || declaration.id.name !== name) continue
    for (const member of declaration.body.body)
      if ('key' in member && member.key.type === 'Identifier')
        comments.set(member.key.name, commentBefore(member.start))
  }
  return comments
}

function parse(file: string) {
  const source = readFileSync(file, 'utf8')
  const { program, comments } = parseSync(file, source)
  const documentation = comments.filter(({ type, value }) => type === 'Block' && value.startsWith('*'))
  /** A comment belongs to a declaration unless an empty line is between them, as after the header of a file. */
  const commentBefore = (start: number): string | undefined => {
    const comment = documentation.findLast(({ end }) => /^\n *(\/\/.*\n *)*$/.test(source.slice(end, start)))
    return comment?.value.replaceAll(/^ *\* ?/gm, '').trim()
  }
  return { program, source, commentBefore }
}
