/** The nouns of an api and their relations, laid out as a diagram: a noun is to the left of those that it refers to. */
import type { Field } from '../record/field.ts'
import { type Api, type Collection, rootsOf } from './service.ts'

export interface DiagramNode {
  readonly noun: string
  readonly title: string
  /** The path of its list; undefined if it has none at the root. */
  readonly path: string | undefined
  /** References first. */
  readonly fields: readonly Field[]
  /** The number of fields that are left out. */
  readonly more: number
  readonly x: number
  readonly y: number
  readonly height: number
}

export interface DiagramEdge {
  readonly kind: 'reference' | 'owner' | 'link'
  readonly from: string
  readonly to: string
  /** The field of a reference. */
  readonly field?: string
}

export interface Diagram {
  readonly nodes: readonly DiagramNode[]
  readonly edges: readonly DiagramEdge[]
  readonly width: number
  readonly height: number
}

export const boxWidth = 208
export const headHeight = 32
export const rowHeight = 20
const maxFields = 9
export const gapX = 88
const gapY = 24
/** A column with more nouns continues in the next one. */
const maxRows = 6

export function diagramOf(api: Api): Diagram {
  const collections = nounsOf(api)
  const edges = edgesOf(api, new Set(collections.map(({ noun }) => noun)))
  const columns = columnsOf(
    collections.map(({ noun }) => noun),
    edges,
  )
  const nodes: DiagramNode[] = []
  let x = 0
  for (const column of columns) {
    let y = 0
    for (const noun of column) {
      const collection = collections.find((candidate) => candidate.noun === noun)
      if (!collection) continue
      const fields = collection.fields.toSorted((a, b) => Number(isReference(b)) - Number(isReference(a)))
      const shown = fields.slice(0, maxFields)
      const more = fields.length - shown.length
      const height = headHeight + (shown.length + (more > 0 ? 1 : 0)) * rowHeight + 8
      const path = rootsOf(api).find((root) => root.noun === noun)?.path
      nodes.push({ noun, title: collection.title, path, fields: shown, more, x, y, height })
      y += height + gapY
    }
    x += boxWidth + gapX
  }
  return {
    nodes,
    edges,
    width: Math.max(0, x - gapX),
    height: Math.max(0, ...nodes.map((node) => node.y + node.height)),
  }
}

/** A height at which a line from one box to another passes between the boxes of the columns in between; undefined if there are none. */
export function laneOf(
  source: DiagramNode,
  target: DiagramNode,
  nodes: readonly DiagramNode[],
  [startY, endY]: readonly [number, number],
): number | undefined {
  const between = nodes.filter(({ x }) => x > source.x && x < target.x)
  if (between.length === 0) return undefined
  const isFree = (lane: number) => between.every(({ y, height }) => lane < y || lane > y + height)
  const detour = (lane: number) => Math.abs(lane - startY) + Math.abs(lane - endY)
  const lanes = [endY, startY, ...between.map(({ y, height }) => y + height + gapY / 2)]
  return lanes.filter(isFree).toSorted((a, b) => detour(a) - detour(b))[0]
}

function isReference({ reference }: Field): boolean {
  return reference !== undefined
}

/** One collection of each noun: the one with the most fields. The history is about all nouns, so it is left out. */
function nounsOf({ collections }: Api): readonly Collection[] {
  const byNoun = Map.groupBy(
    collections.filter(({ noun, fields }) => noun !== 'change' && fields.length > 0),
    ({ noun }) => noun,
  )
  return [...byNoun.values()].map((same) => same.reduce((a, b) => (b.fields.length > a.fields.length ? b : a)))
}

function edgesOf({ collections }: Api, nouns: ReadonlySet<string>): readonly DiagramEdge[] {
  const edges = new Map<string, DiagramEdge>()
  const add = (edge: DiagramEdge) => {
    if (nouns.has(edge.from) && nouns.has(edge.to))
      edges.set(`${edge.kind} ${edge.from} ${edge.to} ${edge.field}`, edge)
  }
  const roots = new Set(collections.flatMap(({ noun, parent }) => (parent ? [] : noun)))
  for (const { noun, parent, fields, operations } of collections) {
    for (const { name, reference } of fields)
      if (reference !== undefined) add({ kind: 'reference', from: noun, to: reference, field: name })
    if (!parent) continue
    const [first = '', second = ''] = [noun, parent.noun].toSorted()
    if (operations.link) add({ kind: 'link', from: first, to: second })
    else if (operations.create || !roots.has(noun)) add({ kind: 'owner', from: noun, to: parent.noun })
  }
  return [...edges.values()]
}

/** The nouns by their distance from those that refer to nothing, which are on the right; neighbors are at similar heights. */
function columnsOf(nouns: readonly string[], edges: readonly DiagramEdge[]): readonly (readonly string[])[] {
  const ranks = new Map<string, number>()
  const rankOf = (noun: string, above: ReadonlySet<string>): number => {
    const known = ranks.get(noun)
    if (known !== undefined) return known
    const targets = edges.filter(({ from, to }) => from === noun && to !== noun && !above.has(to)).map(({ to }) => to)
    const rank = Math.max(-1, ...targets.map((to) => rankOf(to, new Set([...above, noun])))) + 1
    ranks.set(noun, rank)
    return rank
  }
  const byRank = Map.groupBy(nouns, (noun) => rankOf(noun, new Set([noun])))
  const sorted = [...byRank].toSorted(([a], [b]) => a - b).map(([, column]) => column)
  const columns: string[][] = []
  for (const column of sorted) {
    const last = columns.at(-1) ?? []
    const heightOf = (noun: string) => {
      const at = edges.filter(({ from }) => from === noun).map(({ to }) => last.indexOf(to))
      const seen = at.filter((index) => index >= 0)
      return seen.length === 0 ? last.length : seen.reduce((a, b) => a + b, 0) / seen.length
    }
    const ordered = column.toSorted((a, b) => heightOf(a) - heightOf(b))
    for (let start = 0; start < ordered.length; start += maxRows) columns.push(ordered.slice(start, start + maxRows))
  }
  return columns.toReversed()
}
