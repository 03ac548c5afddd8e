/** A graph of schema pairs. Each pair is compared once, even if many operations use it. */
import { compareAlternatives } from './compare/schema/alternatives.ts'
import { compareFields } from './compare/schema/fields.ts'
import { compareMembers } from './compare/schema/members.ts'
import { compareNull, compareValue } from './compare/schema/value.ts'
import type { NextPair, Pair, Use } from './pair.ts'
import { naming, type Remark, type Remarks } from './report/remark.ts'
import { type Schema, shapeOf } from './shape.ts'

export interface SchemaNode {
  /** The differences in the value itself. */
  readonly remarks: readonly Remark[]
  /** The pairs below, computed on demand because schemas may be recursive. */
  readonly steps: () => readonly Step[]
  /** Whether the pair and all pairs below have no differences, as most have. */
  isSilent: boolean
  /** The number of the last walk that visited the node. */
  walk: number
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
  const whole = nodeOf({ old, next, step: '', mayBeOmitted }, use, true, wholeNodes, graph)
  return { whole, walk: graph.numberOfWalks }
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
  const known = nodes.get(key)
  if (known) return known
  const remarks: Remark[] = []
  const below = compare(pair, use, (code, words, ...locations) => {
    const location = locations.find((candidate) => candidate !== undefined)
    remarks.push(intern(graph, { code, words, location }))
  }).filter((child) => child.old.length > 0 && child.next.length > 0)
  let steps: readonly Step[] | undefined
  const node: SchemaNode = {
    remarks,
    steps: () => {
      steps ??= below.flatMap((child) => {
        const node = nodeOf(child, use, isWhole && child.step === '', wholeNodes, graph)
        return node.isSilent ? [] : [{ name: child.step, node }]
      })
      return steps
    },
    isSilent: below.length === 0 && remarks.length === 0,
    walk: 0,
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
  const { code, words, location } = remark
  const key = `${code} ${location?.side}#${location?.pointer} ${words(naming('', ''))}`
  const known = remarks.get(key)
  if (known) return known
  remarks.set(key, remark)
  return remark
}

const graphs = new WeakMap<object, WeakMap<object, Graph>>()

/** The caches of the two documents of a pair. */
function graphOf([old]: Schema, [next]: Schema): Graph {
  const fresh: Graph = { nodes: new Map(), remarks: new Map(), numberOfWalks: 0 }
  if (!old || !next) return fresh
  const byNext = graphs.get(old.reading) ?? new WeakMap<object, Graph>()
  graphs.set(old.reading, byNext)
  const graph = byNext.get(next.reading) ?? fresh
  byNext.set(next.reading, graph)
  return graph
}

/** Notes the differences in the value itself, and returns the pairs below. */
function compare(pair: Pair, use: Use, note: Remarks): NextPair[] {
  const { old, next } = pair
  // If only one side has alternatives, the other is compared with the matching one.
  if (old.alternatives.length > 0 !== next.alternatives.length > 0) {
    compareNull(pair, use, note)
    return [...compareAlternatives(pair, use, note)]
  }
  if (!compareValue(pair, use, note)) return []
  return [
    ...compareAlternatives(pair, use, note),
    ...compareFields(pair, use, note),
    ...compareMembers(pair, use, note),
  ]
}
