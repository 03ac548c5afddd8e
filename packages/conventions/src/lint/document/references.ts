/** References of a document, and where they lead. */
import { nearest } from '@nomen/core'
import { child, type DocumentNode, fragmentNames, isObject, type Resolve } from '@nomen/core/openapi'
import { split } from '../../document/bundle.ts'
import { referencesIn } from '../../document/references-in.ts'
import type { LintFile, Place } from '../place.ts'
import type { Breach } from '../rule/rule.ts'
import type { DocumentFiles } from './files.ts'

/** Why a reference leads nowhere. */
interface Lost {
  readonly why: string
  readonly fix: string
}

/** The file that a pointer of a table leads to: `/paths`, or `user.yaml#/properties`. */
export function locator({ root, all }: DocumentFiles): (pointer: string) => Place {
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
  return (reference, from) => {
    const target = resolve(reference, from)
    return isLost(target) ? undefined : target
  }
}

function resolver(files: DocumentFiles): (reference: string, from: DocumentNode) => DocumentNode | Lost {
  const locate = locator(files)
  return (reference, from) => {
    const [uri, fragment] = split(reference)
    const own = locate(from.pointer).file
    const file = uri === '' ? own : files.find(own, uri)
    if (!file) return { why: `${uri} cannot be read.`, fix: 'Name a file that is there.' }
    let node = rootOf(file, files)
    for (const name of fragmentNames(fragment)) {
      const next = child(node, name)
      if (next.value === undefined) return lostAt(node, locate(node.pointer), name)
      node = next
    }
    return node.value === undefined ? { why: 'the file is empty.', fix: 'Name another one.' } : node
  }
}

function rootOf(file: LintFile, { root }: DocumentFiles): DocumentNode {
  return { pointer: file === root ? '' : `${file.name}#`, value: file.parsed }
}

function isLost(target: DocumentNode | Lost): target is Lost {
  return 'why' in target
}

function lostAt({ value }: DocumentNode, { pointer }: Place, name: string): Lost {
  const near = isObject(value) ? nearest(name, Object.keys(value)) : undefined
  return {
    why: `there is no "${name}" in ${pointer || 'the file'}.`,
    fix: near === undefined ? 'Let it lead to something that is there.' : `Did you mean "${near}"?`,
  }
}

/** Every reference that leads nowhere, wherever it stands: also where no rule looks. */
export function* brokenReferences(files: DocumentFiles): Generator<Breach> {
  const resolve = resolver(files)
  for (const file of files.all) {
    for (const [node, reference] of referencesIn(rootOf(file, files))) {
      const lost = lostOf(node, reference, resolve)
      if (!lost) continue
      const message = `The reference "${reference}" leads nowhere: ${lost.why}`
      yield { pointer: node.pointer, message, fix: lost.fix }
    }
  }
}

/** A reference may lead to another one, and that one back. */
function lostOf(start: DocumentNode, first: string, resolve: ReturnType<typeof resolver>): Lost | undefined {
  const seen = new Set<string>()
  let node = start
  let reference: string | undefined = first
  while (reference !== undefined) {
    if (seen.has(node.pointer)) {
      return { why: 'it leads in a circle.', fix: 'Let it lead to something that is there.' }
    }
    seen.add(node.pointer)
    const next = resolve(reference, node)
    if (isLost(next)) return node === start ? next : undefined
    node = next
    reference = isObject(node.value) && typeof node.value.$ref === 'string' ? node.value.$ref : undefined
  }
  return undefined
}
