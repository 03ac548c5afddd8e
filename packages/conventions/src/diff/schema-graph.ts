/** Pairs of schemas, each compared once however many operations reach it, and the ways between them. */
import { compareAlternatives } from './compare/alternatives.ts'
import { compareFields } from './compare/fields.ts'
import { compareNull, compareValue } from './compare/value.ts'
import { codeOf, type NextPair, type Pair, type Use } from './pair.ts'
import { naming, type Remark, type Remarks } from './report/remark.ts'
import { type Schema, shapeOf } from './shape.ts'

export interface SchemaNode {
  /** What differs in the value itself. */
  readonly remarks: readonly Remark[]
  /** What lies below it, made when first asked for: schemas may contain themselves. */
  readonly steps: () => readonly Step[]
  /** Nothing differs in it, nor in anything that it leads to: so it is with most, where little has changed. */
  isSilent: boolean
  /** The number of the last walk that came by. */
  walk: number
}

interface Step {
  readonly name: string
  readonly node: SchemaNode
}

/** What is known of two readings of documents. */
interface Graph {
  readonly nodes: Map<string, SchemaNode>
  /** The same remark is one object, whichever nodes make it. */
  readonly remarks: Map<string, Remark>
  numberOfWalks: number
}

/** The pair of two whole values, and the number of the walk that begins there. */
export function wholePair(old: Schema, next: Schema, use: Use, mayBeOmitted: boolean) {
  const graph = graphOf(old, next)
  graph.numberOfWalks += 1
  // What is said of whole values depends on the operation: they are compared anew for each, and what lies within is not.
  const own = new Map<string, SchemaNode>()
  const whole = nodeOf({ old, next, step: '', mayBeOmitted }, use, true, own, graph)
  return { whole, walk: graph.numberOfWalks }
}

function nodeOf(
  { old, next, mayBeOmitted = false }: NextPair,
  use: Use,
  isWhole: boolean,
  own: Map<string, SchemaNode>,
  graph: Graph,
): SchemaNode {
  const pair: Pair = { old: shapeOf(old), next: shapeOf(next), isWhole, mayBeOmitted }
  const nodes = isWhole ? own : graph.nodes
  const key = keyOf(pair, use)
  const known = nodes.get(key)
  if (known) return known
  const remarks: Remark[] = []
  const below = compare(pair, use, (code, words, ...places) => {
    const place = places.find((one) => one !== undefined)
    remarks.push(interned(graph, { code, words, place }))
  }).filter((one) => one.old.length > 0 && one.next.length > 0)
  let steps: readonly Step[] | undefined
  const node: SchemaNode = {
    remarks,
    steps: () => {
      steps ??= below.flatMap((one) => {
        const found = nodeOf(one, use, isWhole && one.step === '', own, graph)
        return found.isSilent ? [] : [{ name: one.step, node: found }]
      })
      return steps
    },
    isSilent: below.length === 0 && remarks.length === 0,
    walk: 0,
  }
  nodes.set(key, node)
  return node
}

/** All that a comparison depends on but what the value is called. */
function keyOf({ old, next, mayBeOmitted }: Pair, { kind, method, name }: Use): string {
  const shapes = [old, next].map(({ parts }) => parts.map((part) => part.pointer).join(' ')).join(' | ')
  if (kind === 'response') return `${kind} ${shapes}`
  return `${kind} ${method} ${mayBeOmitted} ${kind === 'parameter' ? name : ''} ${shapes}`
}

function interned({ remarks }: Graph, remark: Remark): Remark {
  const { code, words, place } = remark
  const key = `${code} ${place?.side}#${place?.pointer} ${words(naming('', ''))}`
  const known = remarks.get(key)
  if (known) return known
  remarks.set(key, remark)
  return remark
}

const graphs = new WeakMap<object, WeakMap<object, Graph>>()

/** The schemas of a pair each lie in one reading. */
function graphOf([old]: Schema, [next]: Schema): Graph {
  const fresh: Graph = { nodes: new Map(), remarks: new Map(), numberOfWalks: 0 }
  if (!old || !next) return fresh
  const byNext = graphs.get(old.reading) ?? new WeakMap<object, Graph>()
  graphs.set(old.reading, byNext)
  const graph = byNext.get(next.reading) ?? fresh
  byNext.set(next.reading, graph)
  return graph
}

/** Notes what differs in the value itself, and gives what lies below it. */
function compare(pair: Pair, use: Use, note: Remarks): NextPair[] {
  const { old, next } = pair
  // Where only one has alternatives, the other is to be found among them and compared there.
  if (old.alternatives.length > 0 !== next.alternatives.length > 0) {
    compareNull(pair, use, note)
    return [...compareAlternatives(pair, use, note)]
  }
  if (!compareValue(pair, use, note)) return []
  return [...compareAlternatives(pair, use, note), ...compareFields(pair, use, note), ...compareRest(pair, use, note)]
}

/** The elements of an array, and the fields of an object that are not named. */
function compareRest({ old, next }: Pair, use: Use, note: Remarks): readonly NextPair[] {
  const rest = [
    { old: old.items, next: next.items, step: '[]', what: 'Elements' },
    { old: old.otherFields, next: next.otherFields, step: '.*', what: 'Other fields' },
  ]
  const isOpen = !old.isClosed && !next.isClosed
  for (const { old, next, what } of rest) {
    if (what === 'Other fields' && !isOpen) continue
    if (old.length === 0 && next.length > 0)
      note(codeOf(use, 'narrowed'), (name) => `${what} of ${name()} were of any type, have one.`, next[0])
    if (old.length > 0 && next.length === 0)
      note(codeOf(use, 'widened'), (name) => `${what} of ${name()} had a type, are of any.`, old[0])
  }
  if (old.isClosed !== next.isClosed)
    note(
      codeOf(use, next.isClosed ? 'tightened' : 'loosened'),
      (name) => `Other fields of ${name()} ${next.isClosed ? 'were allowed, are not' : 'were not allowed, are'}.`,
      next.parts[0],
    )
  return rest
}
