/** Resolves the references of a document. */
import { nearest } from '@nomen/core'
import { child, type DocumentNode, follower, fragmentNames, isObject, type Resolve } from '@nomen/core/openapi'
import { splitReference } from '../../document/bundle.ts'
import { objectsIn } from '../../document/references-in.ts'
import type { LintFile, Location } from '../location.ts'
import type { Violation } from '../rule/rule.ts'
import type { DocumentFiles } from './files.ts'

/** Why a reference has no target. */
interface Unresolved {
  readonly reason: string
  readonly fix: string
}

/** The file and pointer of a location in the operation table: `/paths`, or `user.yaml#/properties`. */
export function locator({ root, all }: DocumentFiles): (pointer: string) => Location {
  const byName = new Map(all.map((file) => [file.name, file]))
  return (pointer) => {
    const hash = pointer.startsWith('/') ? -1 : pointer.indexOf('#')
    const file = hash === -1 ? root : (byName.get(pointer.slice(0, hash)) ?? root)
    return { file, pointer: pointer.slice(hash + 1) }
  }
}

/** Follows references to all files of a document. */
export function fileReferences(files: DocumentFiles): Resolve {
  const resolve = resolver(files)
  return (reference, from) => targetIn(resolve(reference, from))
}

function resolver(files: DocumentFiles): (reference: string, from: DocumentNode) => DocumentNode | Unresolved {
  const locate = locator(files)
  const results = new Map<string, DocumentNode | Unresolved>()
  const follow = follower((reference, from) => targetIn(resolve(reference, from)))
  const resolve = (reference: string, from: DocumentNode): DocumentNode | Unresolved => {
    const file = locate(from.pointer).file
    const key = `${file.name}\n${reference}`
    // A circular pointer has no target.
    const target = results.get(key)
    if (target) return target
    results.set(key, circular)
    const result = find(reference, file)
    results.set(key, result)
    return result
  }
  const find = (reference: string, from: LintFile): DocumentNode | Unresolved => {
    const [uri, fragment] = splitReference(reference)
    const file = uri === '' ? from : files.find(from, uri)
    if (!file) return { reason: `${uri} cannot be read.`, fix: 'Use an existing file.' }
    let node = rootOf(file, files)
    if (fragment !== '' && !fragment.startsWith('/')) return findAnchor(node, fragment)
    for (const name of fragmentNames(fragment)) {
      // A pointer may lead through other references.
      const next = child(child(node, name).value === undefined ? follow(node) : node, name)
      if (next.value === undefined) return unresolvedAt(node, locate(node.pointer), name)
      node = next
    }
    return node.value === undefined
      ? { reason: `${file.name} is empty.`, fix: 'Add content to the file, or refer to another one.' }
      : node
  }
  return resolve
}

function targetIn(target: DocumentNode | Unresolved): DocumentNode | undefined {
  return isUnresolved(target) ? undefined : target
}

/** The schema with this `$anchor`. */
function findAnchor(root: DocumentNode, anchor: string): DocumentNode | Unresolved {
  for (const node of objectsIn(root)) if (isObject(node.value) && node.value.$anchor === anchor) return node
  return { reason: `no schema has the $anchor "${anchor}".`, fix: 'Use a JSON pointer, or an existing anchor.' }
}

function rootOf(file: LintFile, { root }: DocumentFiles): DocumentNode {
  return { pointer: file === root ? '' : `${file.name}#`, value: file.parsed }
}

function isUnresolved(target: DocumentNode | Unresolved): target is Unresolved {
  return 'reason' in target
}

function unresolvedAt({ value }: DocumentNode, { pointer }: Location, name: string): Unresolved {
  const suggestion = isObject(value) ? nearest(name, Object.keys(value)) : undefined
  return {
    reason: `${pointer || 'the file'} has no "${name}".`,
    fix: suggestion === undefined ? 'Use an existing target.' : `Did you mean "${suggestion}"?`,
  }
}

const circular: Unresolved = { reason: 'it is part of a cycle.', fix: 'Use an existing target.' }
const notText: Unresolved = { reason: 'it is not a string.', fix: 'Write the path of a file, or a JSON pointer.' }
const notObject: Unresolved = { reason: 'its target is not an object.', fix: 'Refer to an object.' }

/** All references without a target, also in parts that no other rule checks. */
export function* brokenReferences(files: DocumentFiles): Generator<Violation> {
  const resolve = resolver(files)
  for (const file of files.all) {
    for (const node of objectsIn(rootOf(file, files))) {
      const reference = isObject(node.value) ? node.value.$ref : undefined
      if (reference === undefined) continue
      const unresolved = typeof reference === 'string' ? unresolvedOf(node, reference, resolve) : notText
      if (!unresolved) continue
      const text = typeof reference === 'string' ? `"${reference}"` : JSON.stringify(reference).slice(0, 40)
      const message = `The reference ${text} has no target: ${unresolved.reason}`
      yield { pointer: node.pointer, message, fix: unresolved.fix }
    }
  }
}

/** References may form a cycle. */
function unresolvedOf(
  start: DocumentNode,
  first: string,
  resolve: ReturnType<typeof resolver>,
): Unresolved | undefined {
  const visited = new Set<string>()
  let node = start
  let reference: string | undefined = first
  while (reference !== undefined) {
    if (visited.has(node.pointer)) return circular
    visited.add(node.pointer)
    const next = resolve(reference, node)
    if (isUnresolved(next)) return node === start ? next : undefined
    node = next
    if (typeof node.value !== 'object' && typeof node.value !== 'boolean' && !isText(start)) return notObject
    reference = isObject(node.value) && typeof node.value.$ref === 'string' ? node.value.$ref : undefined
  }
  return undefined
}

/** Descriptions may be in a file of their own: `description: { $ref: intro.md }`. */
function isText({ pointer }: DocumentNode): boolean {
  return /\/(description|summary)$/.test(pointer)
}
