/** The references of a document or of one of its files. */
import { child, type DocumentNode, isObject } from '@nomen/core/openapi'

/** Objects whose members are named by the author of the document. */
const named = new Set(
  [
    'paths webhooks pathItems callbacks responses parameters requestBodies headers schemas links securitySchemes',
    'properties patternProperties $defs definitions dependentSchemas content encoding variables',
  ].flatMap((line) => line.split(' ')),
)

export function isNamed(keyword: string): boolean {
  return named.has(keyword)
}

/** Whether a keyword contains values of the api, in which $ref is not a reference. */
export function isData(keyword: string): boolean {
  return ['example', 'examples', 'default', 'enum', 'const', 'value'].includes(keyword) || keyword.startsWith('x-')
}

/** All objects of a file with OpenAPI keywords. YAML aliases may form cycles. */
export function* objectsIn(root: DocumentNode): Generator<DocumentNode> {
  const seen = new Set<unknown>()
  const waiting: [node: DocumentNode, isNames: boolean][] = [[root, false]]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [node, isNames] = next
    const { value } = node
    if (typeof value !== 'object' || value === null || seen.has(value)) continue
    seen.add(value)
    if (isObject(value) && !isNames) yield node
    for (const name of Object.keys(value))
      if (isNames || !isData(name)) waiting.push([child(node, name), !isNames && isNamed(name)])
  }
}

export function* referencesIn(root: DocumentNode): Generator<[node: DocumentNode, reference: string]> {
  for (const node of objectsIn(root))
    if (isObject(node.value) && typeof node.value.$ref === 'string') yield [node, node.value.$ref]
}
