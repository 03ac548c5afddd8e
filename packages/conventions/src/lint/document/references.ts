/** References of a document, and where they lead. */
import { nearest } from '@nomen/core'
import { keyOf, namesOf } from '../place.ts'
import type { Breach } from '../rule/rule.ts'
import type { DocumentFiles } from './files.ts'
import { isObject } from './json-object.ts'
import { child, type DocumentNode } from './node.ts'

/** Where a reference leads, or in words why nowhere. */
export type Resolve = (from: DocumentNode, reference: string) => DocumentNode | Lost

export interface Lost {
  readonly why: string
  readonly fix: string
}

export function resolver(files: DocumentFiles): Resolve {
  return (from, reference) => {
    const [uri = '', fragment = ''] = splitOnce(reference)
    const file = uri === '' ? from.place.file : files.find(from.place.file, uri)
    if (!file) return { why: `${uri} cannot be read.`, fix: 'Name a file that is there.' }
    let node: DocumentNode = { place: { file, pointer: '' }, value: file.parsed }
    for (const name of namesOf(decoded(fragment))) {
      const next = child(node, name)
      if (next.value === undefined) return lostAt(node, name)
      node = next
    }
    return node.value === undefined ? { why: 'the file is empty.', fix: 'Name another one.' } : node
  }
}

export function isLost(found: DocumentNode | Lost): found is Lost {
  return 'why' in found
}

function lostAt({ place, value }: DocumentNode, name: string): Lost {
  const near = isObject(value) ? nearest(name, Object.keys(value)) : undefined
  return {
    why: `there is no "${name}" in ${place.pointer || 'the file'}.`,
    fix: near === undefined ? 'Let it lead to something that is there.' : `Did you mean "${near}"?`,
  }
}

/** What is data, and no part of what a document says of its api. */
const data = new Set(['example', 'examples', 'default', 'enum', 'const', 'value'])

/** Objects whose members are called as their author likes. */
const collections = new Set([
  ...['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'],
  ...['paths', 'webhooks', 'responses', 'content', 'headers', 'callbacks', 'links', 'encoding'],
  ...['schemas', 'parameters', 'requestBodies', 'pathItems', 'securitySchemes'],
])

/** Every reference that leads nowhere, wherever it stands: also where no rule looks. */
export function* brokenReferences(files: DocumentFiles): Generator<Breach> {
  const resolve = resolver(files)
  for (const file of files.all) {
    for (const [node, reference] of referencesIn({ place: { file, pointer: '' }, value: file.parsed })) {
      const lost = lostOf(node, reference, resolve)
      if (!lost) continue
      const message = `The reference "${reference}" leads nowhere: ${lost.why}`
      yield { place: node.place, message, fix: lost.fix }
    }
  }
}

/** A reference may lead to another one, and that one back. */
function lostOf(start: DocumentNode, first: string, resolve: Resolve): Lost | undefined {
  const seen = new Set<string>()
  let node = start
  let reference: string | undefined = first
  while (reference !== undefined) {
    if (seen.has(keyOf(node.place))) {
      return { why: 'it leads in a circle.', fix: 'Let it lead to something that is there.' }
    }
    seen.add(keyOf(node.place))
    const next = resolve(node, reference)
    if (isLost(next)) return node === start ? next : undefined
    node = next
    reference = isObject(node.value) && typeof node.value.$ref === 'string' ? node.value.$ref : undefined
  }
  return undefined
}

/** Aliases of YAML may make circles. */
function* referencesIn(root: DocumentNode): Generator<[DocumentNode, string]> {
  const seen = new Set<unknown>()
  const waiting: [DocumentNode, boolean][] = [[root, false]]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [node, isCollection] = next
    const { value } = node
    if (typeof value !== 'object' || value === null || seen.has(value)) continue
    seen.add(value)
    if (isObject(value) && !isCollection && typeof value.$ref === 'string') yield [node, value.$ref]
    for (const name of Object.keys(value)) {
      if (!isCollection && (data.has(name) || name.startsWith('x-'))) continue
      waiting.push([child(node, name), !isCollection && collections.has(name)])
    }
  }
}

function splitOnce(reference: string): [string, string] {
  const at = reference.indexOf('#')
  return at === -1 ? [reference, ''] : [reference.slice(0, at), reference.slice(at + 1)]
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}
