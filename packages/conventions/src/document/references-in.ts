/** The references of a document or of one of its files. */
import { child, type DocumentNode, isObject, type Json, type JsonObject } from '@nomen/core/openapi'

/** Objects whose members are named by the author of the document. */
const namedKeywords = new Set(
  [
    'paths webhooks pathItems callbacks additionalOperations responses parameters requestBodies headers schemas links securitySchemes',
    'properties patternProperties $defs definitions dependentSchemas content encoding variables examples',
  ].flatMap((line) => line.split(' ')),
)

export function hasNamedMembers(keyword: string): boolean {
  return namedKeywords.has(keyword)
}

/**
 * Whether a keyword contains values of the api, in which $ref is not a reference. `examples` of a schema is an array of values;
 * that of a media type, a parameter or a header has names for example objects.
 */
export function isData(keyword: string, value: unknown): boolean {
  if (keyword === 'examples') return Array.isArray(value)
  return ['example', 'default', 'enum', 'const', 'value'].includes(keyword) || keyword.startsWith('x-')
}

/** All objects of a file with OpenAPI keywords or a reference. YAML aliases may form cycles. */
export function* objectsIn(root: DocumentNode): Generator<DocumentNode> {
  const visited = new Set<unknown>()
  const pending: [node: DocumentNode, isNames: boolean][] = [[root, false]]
  for (let next = pending.pop(); next; next = pending.pop()) {
    const [node, isNames] = next
    const { value } = node
    if (typeof value !== 'object' || value === null || visited.has(value)) continue
    visited.add(value)
    if (isObject(value) && (!isNames || isReference(value))) yield node
    for (const name of Object.keys(value))
      if (isNames || !isData(name, (value as JsonObject)[name]))
        pending.push([child(node, name), !isNames && hasNamedMembers(name)])
  }
}

export function* referencesIn(root: DocumentNode): Generator<[node: DocumentNode, reference: string]> {
  for (const node of objectsIn(root)) if (isReference(node.value)) yield [node, node.value.$ref]
}

/** Also in place of an object with names: their values are objects, so that a string is not one of them. */
function isReference(value: Json | undefined): value is { readonly $ref: string } {
  return isObject(value) && typeof value.$ref === 'string'
}
