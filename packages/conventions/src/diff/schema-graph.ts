/** A graph of schema pairs. Each pair is compared once, even if many operations use it. */
import { compareAlternatives } from './compare/schema/alternatives.ts'
import { compareDiscriminator } from './compare/schema/discriminator.ts'
import { compareFields } from './compare/schema/fields.ts'
import { compareMembers } from './compare/schema/members.ts'
import { hasMovedField } from './compare/schema/single-value.ts'
import { compareNull, compareValue } from './compare/schema/value.ts'
import type { NextPair, Pair, Use } from './pair.ts'
import { type AddRemark, naming, type Remark } from './report/remark.ts'
import { type Schema, shapeOf } from './shape.ts'

export interface SchemaNode {
  /** The differences in the value itself. */
  readonly remarks: readonly Remark[]
  /** The pairs below, computed on demand because schemas may be recursive. */
  readonly steps: () => readonly Step[]
  /** Whether neither the pair nor any pair below has a difference, as in most cases. */
  hasNoDifference: boolean
  /** The number of the last walk that visited the node. */
  lastWalk: number
}

interface Step {
  readonly name: string
  readonly node: SchemaNode
}

/** The cache for two documents. */
interface Graph {
  readonly nodes: Map<string, SchemaNode>
  /** Equal remarks are one object. */
  readonly remarks: Map<string, Remark>
  numberOfWalks: number
}

/** The pair of two whole values, and the number of a new walk. */
export function wholePair(old: Schema, next: Schema, use: Use, mayBeOmitted: boolean) {
  const graph = graphOf(old, next)
  graph.numberOfWalks += 1
  // Remarks about whole values depend on the operation: compare them per operation, but cache nested pairs.
  const wholeNodes = new Map<string, SchemaNode>()
  const wholeNode = nodeOf({ old, next, step: '', mayBeOmitted }, use, true, wholeNodes, graph)
  return { whole: wholeNode, walk: graph.numberOfWalks }
}

function nodeOf(
  { old, next, mayBeOmitted = false }: NextPair,
  use: Use,
  isWhole: boolean,
  wholeNodes: Map<string, SchemaNode>,
  graph: Graph,
): SchemaNode {
  const pair: Pair = { old: shapeOf(old), next: shapeOf(next), isWhole, mayBeOmitted }
  const nodes = isWhole ? wholeNodes : graph.nodes
  const key = keyOf(pair, use)
  const existing = nodes.get(key)
  if (existing) return existing
  const remarks: Remark[] = []
  const childPairs = compare(pair, use, (code, message, ...locations) => {
    const location = locations.find((candidate) => candidate !== undefined)
    remarks.push(intern(graph, { code, message, location }))
  }).filter((child) => child.old.length > 0 && child.next.length > 0)
  let steps: readonly Step[] | undefined
  const node: SchemaNode = {
    remarks,
    steps: () => {
      steps ??= childPairs.flatMap((child) => {
        const node = nodeOf(child, use, isWhole && child.step === '', wholeNodes, graph)
        return node.hasNoDifference ? [] : [{ name: child.step, node }]
      })
      return steps
    },
    hasNoDifference: childPairs.length === 0 && remarks.length === 0,
    lastWalk: 0,
  }
  nodes.set(key, node)
  return node
}

/** Everything that a comparison depends on, except for the name of the value. */
function keyOf({ old, next, mayBeOmitted }: Pair, { kind, method, name, isText }: Use): string {
  const shapes = [old, next].map(({ parts }) => parts.map((part) => part.pointer).join(' ')).join(' | ')
  if (kind === 'response') return `${kind} ${shapes}`
  return `${kind} ${method} ${mayBeOmitted} ${kind === 'parameter' ? `${name} ${isText}` : ''} ${shapes}`
}

function intern({ remarks }: Graph, remark: Remark): Remark {
  const { code, message, location } = remark
  const key = `${code} ${location?.side}#${location?.pointer} ${message(naming('', ''))}`
  const existing = remarks.get(key)
  if (existing) return existing
  remarks.set(key, remark)
  return remark
}

const graphs = new WeakMap<object, WeakMap<object, Graph>>()

/** The caches of the two documents of a pair. */
function graphOf([old]: Schema, [next]: Schema): Graph {
  const newGraph: Graph = { nodes: new Map(), remarks: new Map(), numberOfWalks: 0 }
  if (!old || !next) return newGraph
  const byNext = graphs.get(old.reading) ?? new WeakMap<object, Graph>()
  graphs.set(old.reading, byNext)
  const graph = byNext.get(next.reading) ?? newGraph
  byNext.set(next.reading, graph)
  return graph
}

/** Adds the differences in the value itself as remarks, and returns the pairs below. */
function compare(pair: Pair, use: Use, addRemark: AddRemark): NextPair[] {
  const { old, next } = pair
  const hasOneChoice = old.choices.length > 0 !== next.choices.length > 0
  // Alternatives are compared together with the keywords beside them, if the other side has those elsewhere.
  if (hasOneChoice || hasMovedField(old, next)) {
    compareNull(pair, use, addRemark)
    if (!hasOneChoice) compareDiscriminator(pair, use, addRemark)
    return [...compareAlternatives(pair, use, addRemark)]
  }
  if (!compareValue(pair, use, addRemark)) return []
  return [
    ...compareAlternatives(pair, use, addRemark),
    ...compareFields(pair, use, addRemark),
    ...compareMembers(pair, use, addRemark),
  ]
}
