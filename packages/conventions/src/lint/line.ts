/** The line at which something stands in the text of a file. */
import {
  Kind,
  safeLoad,
  type YAMLAnchorReference,
  type YAMLMapping,
  type YAMLNode,
  type YAMLSequence,
} from 'yaml-ast-parser'
import type { DocumentFile } from '../document/document-file.ts'
import { namesOf, type Place } from './place.ts'

export interface Line {
  readonly line: number
  readonly column: number
}

/** What is known of a text: a document may have as many findings as lines. */
interface Text {
  readonly root: YAMLNode
  /** Members by their names; those of an object are looked through once. */
  readonly members: Map<YAMLNode, ReadonlyMap<string, YAMLMapping>>
  /** Where each line begins. */
  readonly starts: readonly number[]
}

const known = new WeakMap<DocumentFile, Text | undefined>()

/** The line of a place's name, or of the nearest thing around it that the text spells out. */
export function lineOf({ file, pointer }: Place): Line | undefined {
  if (!file.source) return undefined
  if (!known.has(file.source)) known.set(file.source, read(file.source))
  const text = known.get(file.source)
  if (!text) return undefined
  let node = text.root
  for (const name of namesOf(pointer)) {
    const next = inside(text, node, name)
    if (!next) break
    node = next
  }
  return lineAt(text, node.startPosition)
}

function read(source: DocumentFile): Text | undefined {
  try {
    // Without a look for duplicates, which takes the square of the time.
    const root: YAMLNode | undefined = safeLoad(source.text, { ignoreDuplicateKeys: true })
    const starts = [0]
    for (let at = source.text.indexOf('\n'); at !== -1; at = source.text.indexOf('\n', at + 1)) starts.push(at + 1)
    return root && { root, members: new Map(), starts }
  } catch {
    // What can be read as JSON or YAML may still be too odd for the reader of lines; the pointer is there in any case.
    return undefined
  }
}

/** A member or an element; a member begins with its name. */
function inside(text: Text, around: YAMLNode, name: string): YAMLNode | undefined {
  const node = content(around)
  if (node?.kind === Kind.SEQ) return (node as YAMLSequence).items[Number(name)]
  if (node?.kind !== Kind.MAP) return undefined
  const found = text.members.get(node) ?? new Map(node.mappings.map((one: YAMLMapping) => [one.key.value, one]))
  text.members.set(node, found)
  return found.get(name)
}

function content(node: YAMLNode | undefined): YAMLNode | undefined {
  if (node?.kind === Kind.MAPPING) return content((node as YAMLMapping).value)
  return node?.kind === Kind.ANCHOR_REF ? (node as YAMLAnchorReference).value : node
}

function lineAt({ starts }: Text, position: number): Line {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((starts[middle] ?? 0) <= position) low = middle
    else high = middle - 1
  }
  return { line: low + 1, column: position - (starts[low] ?? 0) + 1 }
}
