/** The line of a value in a file, found by its JSON pointer. */

import { namesOf } from '@nomen/core/openapi'
import { EVENT_ID, type Event, getScalarValue, parseEvents, SCALAR_STYLE, type ScalarEvent } from 'js-yaml'
import type { DocumentFile } from '../../document/document-file.ts'
import type { Location } from '../location.ts'

export interface Line {
  readonly line: number
  readonly column: number
}

/** A value and its position in the file: a scalar has no children, an object has members, an array has items. */
interface Node {
  readonly start: number
  readonly members?: Map<string, Member>
  readonly items?: Node[]
}

/** A member starts at its name. */
interface Member {
  readonly start: number
  readonly value: Node
}

interface ParsedText {
  readonly root: Node
  /** The offset of each line. */
  readonly starts: readonly number[]
}

/** Each file is parsed once, because a document may have many findings. */
const cache = new WeakMap<DocumentFile, ParsedText | undefined>()

/** The line of the last name of a pointer, or of the nearest value around it that the file contains. */
export function lineOf({ file, pointer }: Location): Line | undefined {
  if (!file.source) return undefined
  if (!cache.has(file.source)) cache.set(file.source, parse(file.source.text))
  const text = cache.get(file.source)
  if (!text) return undefined
  let node: Node | undefined = text.root
  let { start } = text.root
  for (const name of namesOf(pointer)) {
    const member: Member | undefined = node.members?.get(name)
    const next: Node | undefined = member?.value ?? node.items?.[Number(name)]
    if (!next) break
    start = (member ?? next).start
    node = next
  }
  return lineAt(text, start)
}

function parse(text: string): ParsedText | undefined {
  try {
    const root = treeOf(text, parseEvents(text, {}))
    const starts = [0]
    for (let index = text.indexOf('\n'); index !== -1; index = text.indexOf('\n', index + 1)) starts.push(index + 1)
    return root && { root, starts }
  } catch {
    // Some JSON is not valid YAML. The finding then has only its pointer.
    return undefined
  }
}

/** The first YAML document of a file as a tree of positions. */
function treeOf(text: string, events: readonly Event[]): Node | undefined {
  const anchors = new Map<string, Node>()
  const openNodes: { readonly node: Node; name?: { readonly text: string; readonly start: number } }[] = []
  let root: Node | undefined
  const add = (node: Node, name = ''): void => {
    const parent = openNodes.at(-1)
    if (!parent) root ??= node
    else if (parent.node.items) parent.node.items.push(node)
    else if (!parent.name) parent.name = { text: name, start: node.start }
    else {
      parent.node.members?.set(parent.name.text, { start: parent.name.start, value: node })
      delete parent.name
    }
  }
  for (const event of events) {
    switch (event.type) {
      case EVENT_ID.MAPPING:
      case EVENT_ID.SEQUENCE: {
        const { start } = event
        const node: Node = event.type === EVENT_ID.MAPPING ? { start, members: new Map() } : { start, items: [] }
        add(node)
        openNodes.push({ node })
        addAnchor(anchors, text, event, node)
        break
      }
      case EVENT_ID.SCALAR: {
        const node = { start: startOf(event) }
        add(node, getScalarValue(text, event))
        addAnchor(anchors, text, event, node)
        break
      }
      case EVENT_ID.ALIAS:
        add(anchors.get(text.slice(event.anchorStart, event.anchorEnd)) ?? { start: event.anchorStart })
        break
      case EVENT_ID.POP:
        openNodes.pop()
    }
  }
  return root
}

function addAnchor(anchors: Map<string, Node>, text: string, event: AnchoredEvent, node: Node): void {
  if (event.anchorStart !== -1) anchors.set(text.slice(event.anchorStart, event.anchorEnd), node)
}

type AnchoredEvent = Extract<Event, { readonly anchorStart: number }>

/** The range of a scalar leaves out an opening quote, and the header line of a block scalar. */
function startOf({ valueStart, style }: ScalarEvent): number {
  return style === SCALAR_STYLE.PLAIN ? valueStart : valueStart - 1
}

function lineAt({ starts }: ParsedText, position: number): Line {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((starts[middle] ?? 0) <= position) low = middle
    else high = middle - 1
  }
  return { line: low + 1, column: position - (starts[low] ?? 0) + 1 }
}
