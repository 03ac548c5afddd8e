/** One document of the files that it lies in: what references of other files lead to becomes part of it. */
import { fragmentNames, type Json } from '@nomen/core/openapi'
import { addressAt, type DocumentFile, readDocumentFile } from './document-file.ts'
import { isData, isNamed, objectsIn } from './references-in.ts'

/** Where the other files stand in the whole document, each under its name. */
const place = 'x-nomen-file'

type Node = Readonly<Record<string, unknown>>

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null

/** Throws where a reference leads nowhere. */
export async function bundled(root: DocumentFile): Promise<unknown> {
  const files = await allFiles(root)
  const names = namesOf([...files.keys()].slice(1))
  const at = (address: string) => {
    const name = names.get(address)
    return name === undefined ? '' : `/${place}/${escaped(name)}`
  }
  for (const file of files.values()) for (const reference of allReferences(file.parsed)) check(reference, file, files)
  if (files.size === 1) return root.parsed
  const rewritten = [...files.values()].map((file) => moved(file, files, at))
  const [whole, ...others] = rewritten
  if (!isNode(whole)) return whole
  const parts = [...names.values()].map((name, index) => [name, others[index]])
  return withPathItems({ ...whole, [place]: Object.fromEntries(parts) })
}

/** All files that references lead to, by their addresses; the root comes first. */
async function allFiles(root: DocumentFile): Promise<ReadonlyMap<string, DocumentFile>> {
  const files = new Map([[root.address, root]])
  // A map that grows while it is walked is walked to its end.
  for (const [from, { parsed }] of files)
    for (const reference of allReferences(parsed)) {
      const [uri] = split(reference)
      if (uri === '') continue
      const address = addressAt(from, uri)
      if (files.has(address)) continue
      files.set(address, await readDocumentFile(address, false).catch((error) => refuse(reference, error)))
    }
  return files
}

function refuse(reference: string, error: unknown): never {
  const reason = error instanceof Error ? error.message : `${error}`
  throw new Error(`the reference "${reference}" cannot be followed: ${reason}`, { cause: error })
}

/** Short names, each once: that of the file, and a number where there are several. */
function namesOf(addresses: readonly string[]): ReadonlyMap<string, string> {
  const taken = new Set<string>()
  return new Map(
    addresses.map((address) => {
      const own = /([^/\\]*?)(\.[a-z]+)?([?#].*)?$/i.exec(address)?.[1] || 'file'
      let name = own
      for (let count = 2; taken.has(name); count++) name = `${own}-${count}`
      taken.add(name)
      return [address, name]
    }),
  )
}

/** Every reference of a file as it is written, those in the mapping of a discriminator included. */
function* allReferences(parsed: unknown): Generator<string> {
  for (const { value } of objectsIn({ pointer: '', value: parsed as Json })) {
    const { $ref, discriminator } = value as Node
    if (typeof $ref === 'string') yield $ref
    const mapping = isNode(discriminator) && isNode(discriminator.mapping) ? discriminator.mapping : {}
    for (const target of Object.values(mapping)) if (isFileName(target)) yield target
  }
}

/** A mapping names schemas, or files. */
function isFileName(value: unknown): value is string {
  return typeof value === 'string' && /\.(ya?ml|json)(#|$)/i.test(value)
}

function check(reference: string, from: DocumentFile, files: ReadonlyMap<string, DocumentFile>): void {
  const [uri, fragment] = split(reference)
  const file = uri === '' ? from : files.get(addressAt(from.address, uri))
  let found: unknown = file?.parsed
  // An anchor is not a pointer, and left to whoever knows anchors.
  if (fragment !== '' && !fragment.startsWith('/')) return
  for (const name of fragmentNames(fragment)) {
    // A file may refer to what is itself a reference.
    if (isNode(found) && typeof found.$ref === 'string' && !(name in found)) return
    found = isNode(found) ? found[name] : undefined
  }
  if (found === undefined) throw new Error(`the reference "${reference}" leads nowhere`)
}

/** The content of a file with its references as they must be in the whole document. */
function moved(file: DocumentFile, files: ReadonlyMap<string, DocumentFile>, at: (address: string) => string): unknown {
  const done = new Map<unknown, unknown>()
  const target = (reference: string) => {
    const [uri, fragment] = split(reference)
    const address = uri === '' ? file.address : addressAt(file.address, uri)
    return files.has(address) ? `#${at(address)}${fragment}` : reference
  }
  const mapped = (value: unknown, isNames: boolean): unknown => {
    if (!isNode(value)) return value
    const known = done.get(value)
    if (known !== undefined) return known
    const copy: Record<string, unknown> | unknown[] = Array.isArray(value) ? [] : {}
    done.set(value, copy)
    for (const [key, member] of Object.entries(value)) {
      const isReference = !isNames && key === '$ref' && typeof member === 'string'
      const isKept = !isNames && isData(key)
      const inner = isReference ? target(member) : isKept ? member : mapped(member, !isNames && isNamed(key))
      Object.defineProperty(copy, key, { value: inner, enumerable: true, writable: true, configurable: true })
    }
    if (!isNames && isNode(value.discriminator)) mapFiles(copy as Record<string, unknown>, target)
    return copy
  }
  return mapped(file.parsed, false)
}

function mapFiles(schema: Record<string, unknown>, target: (reference: string) => string): void {
  const { mapping } = schema.discriminator as Node
  if (!isNode(mapping)) return
  const entries = Object.entries(mapping).map(([name, one]) => [name, isFileName(one) ? target(one) : one])
  schema.discriminator = { ...(schema.discriminator as Node), mapping: Object.fromEntries(entries) }
}

/** A path that lies in a file of its own stands in the document itself, where everybody looks for it. */
function withPathItems(whole: Node): Node {
  if (!isNode(whole.paths)) return whole
  const paths = Object.entries(whole.paths).map(([path, item]) => {
    if (!isNode(item) || typeof item.$ref !== 'string' || !item.$ref.startsWith(`#/${place}/`)) return [path, item]
    const { $ref, ...more } = item
    let found: unknown = whole
    for (const name of fragmentNames($ref)) found = isNode(found) ? found[name] : undefined
    return [path, isNode(found) ? { ...found, ...more } : item]
  })
  return { ...whole, paths: Object.fromEntries(paths) }
}

/** The file that a reference names, and the pointer into it. */
export function split(reference: string): [uri: string, fragment: string] {
  const hash = reference.indexOf('#')
  return hash === -1 ? [reference, ''] : [reference.slice(0, hash), reference.slice(hash + 1)]
}

function escaped(name: string): string {
  return encodeURIComponent(name.replaceAll('~', '~0'))
}
