/** The parts of a schema: itself, the schemas that it extends, and the alternatives of a union. */
import { child, type DocumentNode, elements, type Follow, isObject, type JsonObject } from './node.ts'

export interface Part {
  readonly node: DocumentNode
  readonly value: JsonObject
  /** Whether another part may be used instead. */
  readonly isAlternative: boolean
}

export interface Parts {
  /** The schema itself comes last, so that it wins over the parts that it extends. */
  readonly parts: readonly Part[]
  readonly hasNull: boolean
}

export function partsOf(schema: DocumentNode, follow: Follow): Parts {
  const parts: Part[] = []
  const visited = new Set<unknown>()
  let hasNull = false
  const add = (node: DocumentNode, isAlternative: boolean) => {
    const { value } = node
    if (!isObject(value) || visited.has(value)) return
    visited.add(value)
    if (typeof value.$ref === 'string') add(follow(node), isAlternative)
    for (const part of elements(child(node, 'allOf'))) add(part, isAlternative)
    for (const keyword of ['oneOf', 'anyOf']) {
      const alternatives = elements(child(node, keyword))
      // A union of one schema and null counts as that schema.
      const choices = alternatives.filter((choice) => !isNull(follow(choice)) && !isEmptyNull(value, follow(choice)))
      if (choices.length < alternatives.length) hasNull = true
      for (const choice of choices) add(choice, isAlternative || choices.length > 1)
    }
    if (typeof value.$ref !== 'string' || hasSiblings(node)) parts.push({ node, value, isAlternative })
  }
  add(schema, false)
  return { parts, hasNull }
}

/** OpenAPI 3.1 allows keywords beside a reference. */
export function hasSiblings({ value }: DocumentNode): boolean {
  return isObject(value) && typeof value.$ref === 'string' && Object.keys(value).length > 1
}

function isNull({ value }: DocumentNode): boolean {
  if (!isObject(value)) return false
  return (
    value.type === 'null' ||
    value.const === null ||
    (Array.isArray(value.enum) && value.enum.every((item) => item === null))
  )
}

/** In a query, the empty string may stand for null. */
function isEmptyNull(union: JsonObject, { value: choice }: DocumentNode): boolean {
  return union['x-nomen-null'] === '' && isObject(choice) && `${JSON.stringify(choice.enum)}` === '[""]'
}
