/** Bundles a document: includes the other files that its references name. */
import { fragmentNames, type Json } from '@nomen/core/openapi'
import { type DocumentFile, readDocumentFile, resolveAddress } from './document-file.ts'
import { hasNamedMembers, isData, objectsIn } from './references-in.ts'

/** The key of the other files in the bundle, each by name. */
const filesKey = 'x-nomen-file'

type Node = Readonly<Record<string, unknown>>

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null

/** Throws if a reference has no target. */
export async function bundleDocument(root: DocumentFile): Promise<unknown> {
  const files = await allFiles(root)
  const names = namesOf([...files.keys()].slice(1))
  const pointerOf = (address: string) => {
    const name = names.get(address)
    return name === undefined ? '' : `/${filesKey}/${escapeName(name)}`
  }
  for (const file of files.values())
    for (const reference of allReferences(file.parsed)) checkReference(reference, file, files)
  const refersToFiles = [...allReferences(root.parsed)].some((reference) => !reference.startsWith('#'))
  if (!refersToFiles) return root.parsed
  const rewritten = [...files.values()].map((file) => rewriteReferences(file, files, pointerOf))
  const [whole, ...otherFiles] = rewritten
  if (!isNode(whole)) return whole
  const filesByName = [...names.values()].map((name, index) => [name, otherFiles[index]])
  return withPathItems(filesByName.length === 0 ? whole : { ...whole, [filesKey]: Object.fromEntries(filesByName) })
}

/** All referenced files by path or URL, the root first. */
async function allFiles(root: DocumentFile): Promise<ReadonlyMap<string, DocumentFile>> {
  const files = new Map([[root.address, root]])
  // The loop includes entries that are added during iteration.
  for (const [referringAddress, { parsed }] of files)
    for (const reference of allReferences(parsed)) {
      const [uri] = splitReference(reference)
      if (uri === '') continue
      const address = resolveAddress(referringAddress, uri)
      if (files.has(address)) continue
      files.set(address, await readDocumentFile(address, false).catch((error) => failReference(reference, error)))
    }
  return files
}

function failReference(reference: string, error: unknown): never {
  const reason = error instanceof Error ? error.message : `${error}`
  throw new Error(`the reference "${reference}" cannot be resolved: ${reason}`, { cause: error })
}

/** Unique short names: the file name, with a number for duplicates. */
function namesOf(addresses: readonly string[]): ReadonlyMap<string, string> {
  const names = new Set<string>()
  return new Map(
    addresses.map((address) => {
      const fileName = /([^/\\]*?)(\.[a-z]+)?([?#].*)?$/i.exec(address)?.[1] || 'file'
      let name = fileName
      for (let count = 2; names.has(name); count++) name = `${fileName}-${count}`
      names.add(name)
      return [address, name]
    }),
  )
}

/** All references of a file, including those in the mapping of a discriminator. */
function* allReferences(parsed: unknown): Generator<string> {
  for (const { value } of objectsIn({ pointer: '', value: parsed as Json })) {
    const { $ref, discriminator } = value as Node
    if (typeof $ref === 'string') yield $ref
    const mapping = isNode(discriminator) && isNode(discriminator.mapping) ? discriminator.mapping : {}
    for (const target of Object.values(mapping)) if (isFileName(target)) yield target
  }
}

/** A mapping has names of schemas, or references. */
function isFileName(value: unknown): value is string {
  return typeof value === 'string' && /\.(ya?ml|json)(#|$)/i.test(value)
}

function isReference(value: unknown): value is string {
  return isFileName(value) || (typeof value === 'string' && value.startsWith('#'))
}

function checkReference(reference: string, from: DocumentFile, files: ReadonlyMap<string, DocumentFile>): void {
  const [uri, fragment] = splitReference(reference)
  const file = uri === '' ? from : files.get(resolveAddress(from.address, uri))
  let value: unknown = file?.parsed
  // An anchor is not a JSON pointer; it is not checked.
  if (fragment !== '' && !fragment.startsWith('/')) return
  for (const name of fragmentNames(fragment)) {
    // The target may be a reference itself.
    if (isNode(value) && typeof value.$ref === 'string' && !(name in value)) return
    value = isNode(value) ? value[name] : undefined
  }
  if (value === undefined) throw new Error(`the reference "${reference}" has no target`)
}

/** The content of a file with its references rewritten for the bundle. */
function rewriteReferences(
  file: DocumentFile,
  files: ReadonlyMap<string, DocumentFile>,
  pointerOf: (address: string) => string,
): unknown {
  const copies = new Map<unknown, unknown>()
  const target = (reference: string) => {
    const [uri, fragment] = splitReference(reference)
    const address = uri === '' ? file.address : resolveAddress(file.address, uri)
    return files.has(address) ? `#${pointerOf(address)}${fragment}` : reference
  }
  const rewrite = (value: unknown, isNames: boolean): unknown => {
    if (!isNode(value)) return value
    const existingCopy = copies.get(value)
    if (existingCopy !== undefined) return existingCopy
    const copy: Record<string, unknown> | unknown[] = Array.isArray(value) ? [] : {}
    copies.set(value, copy)
    for (const [key, member] of Object.entries(value)) {
      const isReference = key === '$ref' && typeof member === 'string'
      const isLiteral = !isNames && isData(key, member)
      const rewrittenMember = isReference
        ? target(member)
        : isLiteral
          ? member
          : rewrite(member, !isNames && hasNamedMembers(key))
      Object.defineProperty(copy, key, { value: rewrittenMember, enumerable: true, writable: true, configurable: true })
    }
    if (!isNames && isNode(value.discriminator)) rewriteMapping(copy as Record<string, unknown>, target)
    return copy
  }
  return rewrite(file.parsed, false)
}

function rewriteMapping(schema: Record<string, unknown>, target: (reference: string) => string): void {
  const { mapping } = schema.discriminator as Node
  if (!isNode(mapping)) return
  const entries = Object.entries(mapping).map(([name, reference]) => [
    name,
    isReference(reference) ? target(reference) : reference,
  ])
  schema.discriminator = { ...(schema.discriminator as Node), mapping: Object.fromEntries(entries) }
}

/** Path items in separate files are inlined, because tools expect them in the document. */
function withPathItems(document: Node): Node {
  if (!isNode(document.paths)) return document
  const paths = Object.entries(document.paths).map(([path, item]) => {
    if (!isNode(item) || typeof item.$ref !== 'string' || !item.$ref.startsWith(`#/${filesKey}/`)) return [path, item]
    const { $ref, ...siblings } = item
    let value: unknown = document
    for (const name of fragmentNames($ref)) value = isNode(value) ? value[name] : undefined
    return [path, isNode(value) ? { ...value, ...siblings } : item]
  })
  return { ...document, paths: Object.fromEntries(paths) }
}

/** The file and the pointer of a reference. */
export function splitReference(reference: string): [uri: string, fragment: string] {
  const hash = reference.indexOf('#')
  return hash === -1 ? [reference, ''] : [reference.slice(0, hash), reference.slice(hash + 1)]
}

function escapeName(name: string): string {
  return encodeURIComponent(name.replaceAll('~', '~0'))
}
