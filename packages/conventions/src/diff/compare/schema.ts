/** Walks two schemas side by side, from the whole value to its innermost fields, and notes what differs. */
import type { Notebook } from '../ledger.ts'
import type { Use } from '../pair.ts'
import { naming } from '../report/remark.ts'
import { type SchemaNode, wholePair } from '../schema-graph.ts'
import type { Schema } from '../shape.ts'

/** A way to a pair of schemas: the last step, and the way before it. */
interface Way {
  readonly node: SchemaNode
  readonly step: string
  readonly before: Way | undefined
  readonly length: number
}

/**
 * Every pair of schemas is looked at once, by the shortest way to it: so circles end, and the same difference is told once.
 * `mayBeOmitted` says of the whole value that leaving it out means its default.
 */
export function compareSchema(old: Schema, next: Schema, use: Use, book: Notebook, mayBeOmitted = false): void {
  const { whole, walk } = wholePair(old, next, use, mayBeOmitted)
  const page = book.page(use.name)
  const ways: Way[] = [{ node: whole, step: '', before: undefined, length: 0 }]
  whole.walk = walk
  let hasRemarks = false
  // It grows while it is walked.
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

function stepsTo(way: Way): string {
  let steps = ''
  for (let at: Way | undefined = way; at; at = at.before) steps = `${at.step}${steps}`
  return steps
}
