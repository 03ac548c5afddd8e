/** Walks two schemas in parallel, from the whole value to nested fields, and collects the differences. */
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
  const addDifference = changes.differencesOf(use.name)
  const paths: SchemaPath[] = [{ node: whole, step: '', before: undefined, length: 0 }]
  whole.lastWalk = walk
  let hasRemarks = false
  // The list grows during the loop.
  for (const path of paths) {
    for (const remark of path.node.remarks) {
      hasRemarks = true
      addDifference(remark, path.length, () => naming(stepsTo(path), use.name))
    }
    for (const { name, node } of path.node.steps()) {
      if (node.lastWalk === walk || node.hasNoDifference) continue
      node.lastWalk = walk
      paths.push({ node, step: name, before: path, length: path.length + 1 })
    }
  }
  if (!hasRemarks) for (const { node } of paths) node.hasNoDifference = true
}

function stepsTo(path: SchemaPath): string {
  let steps = ''
  for (let current: SchemaPath | undefined = path; current; current = current.before) steps = `${current.step}${steps}`
  return steps
}
