/** The properties of all records in a document, each with its owner. */
import {
  type DescribedOperation,
  type DocumentOperation,
  isSuccess,
  type Shape,
  type ShapeProperty,
  wordsOf,
} from '@nomen/core/openapi'
import { isSingle, nounOf, recordOf, type View } from '../view.ts'

export interface OwnedProperty {
  readonly property: ShapeProperty
  readonly owner: Shape
  /** The nouns of the owner, from the path and from the name of its schema, as words. */
  readonly nouns: readonly (readonly string[])[]
}

/** The bodies of requests and successful responses. Error responses are not checked. */
function* contents<Operation extends DescribedOperation>(operations: readonly Operation[]) {
  for (const operation of operations) {
    const responses = [...operation.responses].filter(([status]) => isSuccess(status)).map(([, content]) => content)
    for (const { shape } of [...(operation.body ? [operation.body] : []), ...responses]) {
      if (shape) yield { operation, shape }
    }
  }
}

/** The properties of every record in requests and responses, each once. */
export function* recordProperties(view: View, isIncluded = (_: DocumentOperation) => true): Generator<OwnedProperty> {
  const visited = new Set<Shape>()
  for (const { operation, shape } of contents(view.table.operations)) {
    if (!isIncluded(operation)) continue
    const owner = recordOf(operation, shape)
    if (visited.has(owner)) continue
    visited.add(owner)
    const noun = isRecordPath(view, operation) ? nounOf(operation) : undefined
    const words = noun && (view.singular(noun.words.join('-')) ?? noun.words)
    const nouns = [...(words ? [words] : []), ...(owner.name === undefined ? [] : [wordsOf(owner.name)])]
    for (const property of owner.properties.values()) yield { property, owner, nouns }
  }
}

/** Whether the path names records: they can be read there. Other paths may name an action, such as `/mail/send`. */
function isRecordPath(view: View, operation: DocumentOperation): boolean {
  const readable = [operation.key, `${operation.key}/{}`].map((key) => view.find('get', key))
  return isSingle(operation) || readable.some((read) => read?.success?.shape !== undefined)
}

/** The properties of all bodies at any depth, including those of webhooks and callbacks, each once. */
export function* allProperties({ table: { operations, outgoingOperations } }: View): Generator<OwnedProperty> {
  const visited = new Set<Shape>()
  const pending = [...contents([...operations, ...outgoingOperations])].map(({ shape }) => shape).reverse()
  for (let owner = pending.pop(); owner; owner = pending.pop()) {
    if (visited.has(owner)) continue
    visited.add(owner)
    if (owner.items) pending.push(owner.items)
    const nouns = owner.name === undefined ? [] : [wordsOf(owner.name)]
    for (const property of owner.properties.values()) {
      yield { property, owner, nouns }
      pending.push(property.shape)
    }
  }
}
