/** The part of a declaration that its users see. */
import type { Class, ClassElement, Declaration } from 'oxc-parser'

/** Functions and methods without bodies, constants with their types, and types as they are. */
export function signatureOf(source: string, declaration: Declaration): string {
  switch (declaration.type) {
    case 'ClassDeclaration':
      return classSignature(source, declaration)
    case 'VariableDeclaration':
      return declaration.declarations.map(({ id }) => `const ${source.slice(id.start, id.end)}`).join('\n')
    default:
      return withoutBody(source, declaration)
  }
}

function withoutBody(source: string, node: { start: number; end: number; body?: unknown; type: string }): string {
  const isFunction = /Function/.test(node.type)
  const { body } = node as { body?: { start: number } | null }
  return source.slice(node.start, isFunction && body ? body.start : node.end).trim()
}

function classSignature(source: string, { start, body }: Class): string {
  const members = body.body.filter(isPublic).map((member) => `  ${memberSignature(source, member)}`)
  return `${source.slice(start, body.start)}{\n${members.join('\n')}\n}`
}

function isPublic(member: ClassElement): boolean {
  if (!('key' in member) || member.key.type === 'PrivateIdentifier') return false
  return !('accessibility' in member) || !member.accessibility || member.accessibility === 'public'
}

function memberSignature(source: string, member: ClassElement): string {
  if (member.type !== 'MethodDefinition' || !member.value.body) return propertySignature(source, member)
  return source.slice(member.start, member.value.body.start).trim()
}

/** A property without its initial value, unless the value is all that tells its type. */
function propertySignature(source: string, member: ClassElement): string {
  if (member.type === 'PropertyDefinition' && member.typeAnnotation)
    return source.slice(member.start, member.typeAnnotation.end)
  return source.slice(member.start, member.end)
}
