/** Walks two schemas in parallel, from the whole value to nested fields, and notes the differences. */
import type { OperationChanges } from '../../change-collector.ts'
import type { Use } from '../../pair.ts'
import { naming } from '../../report/remark.ts'
import { type SchemaNode, wholePair } from '../../schema-graph.ts'
import type { Schema } from '../../shape.ts'

/** A path to a pair of schemas: the last step, and the path before it. */
interface SchemaPath {
  readonly node: SchemaNode
  readonly step: string
  readonly before: SchemaPath | undefined
  readonly length: number
}

/**
 * Compares every pair of schemas once, by the shortest path to it, so that recursive schemas end and a difference is
 * reported once. `mayBeOmitted`: a missing value gets the default.
 */
export function compareSchema(
  old: Schema,
  next: Schema,
  use: Use,
  changes: OperationChanges,
  mayBeOmitted = false,
): void {
  const { whole, walk } = wholePair(old, next, use, mayBeOmitted)
  const page = changes.differencesOf(use.name)
  const ways: SchemaPath[] = [{ node: whole, step: '', before: undefined, length: 0 }]
  whole.walk = walk
  let hasRemarks = false
  // The list grows during the loop.
  for (const way of ways) {
    for (const remark of way.node.remarks) {
      hasRemarks = true
      page(remark, way.length, () => naming(stepsTo(way), use.name))
    }
    for (const { name, node } of way.node.steps()) {
      if (node.walk === walk || node.isSilent) continue
      node.walk = walk
      ways.push({ node, step: name, before: way, length: way.length + 1 })
    }
  }
  if (!hasRemarks) for (const { node } of ways) node.isSilent = true
}

function stepsTo(way: SchemaPath): string {
  let steps = ''
  for (let at: SchemaPath | undefined = way; at; at = at.before) steps = `${at.step}${steps}`
  return steps
}
