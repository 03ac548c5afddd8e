/** The files of a document: the one that is named and those that its references lead to. */
import { relative } from 'node:path'
import { BaseResolver, type Document, isAbsoluteUrl } from '@redocly/openapi-core'
import { checkedDocument, DocumentError, type Json } from '../document/read-document.ts'
import { isObject } from './json-object.ts'
import type { LintFile } from './place.ts'

export interface DocumentFiles {
  readonly root: LintFile
  /** The file that a reference of another one names, where it could be read. */
  readonly find: (from: LintFile, uri: string) => LintFile | undefined
  readonly all: readonly LintFile[]
}

/** Reads a document at a path or an http(s) address with all files that it refers to. A missing one is left out. */
export async function readFiles(source: string): Promise<DocumentFiles> {
  const resolver = new BaseResolver()
  const byAddress = new Map<string, LintFile>()
  const root = await readRoot(resolver, source)
  byAddress.set(addressOf(root), root)
  const waiting = [root]
  for (let file = waiting.pop(); file; file = waiting.pop()) {
    for (const uri of outerReferences(file.parsed)) {
      const address = addressAt(resolver, file, uri)
      if (address === undefined || byAddress.has(address)) continue
      const found = await readOther(resolver, address)
      if (!found) continue
      byAddress.set(address, found)
      waiting.push(found)
    }
  }
  return {
    root,
    all: [...byAddress.values()],
    find: (from, uri) => byAddress.get(addressAt(resolver, from, uri) ?? ''),
  }
}

async function readRoot(resolver: BaseResolver, source: string): Promise<LintFile> {
  let document: Document
  try {
    document = (await resolver.resolveDocument(null, source, true)) as Document
  } catch (error) {
    const reason = error instanceof Error ? error.message : `${error}`
    throw new DocumentError(source, reason.replace(/\.?\s*$/, '.'), { cause: error })
  }
  checkedDocument(source, document.parsed)
  return fileOf(document)
}

async function readOther(resolver: BaseResolver, address: string): Promise<LintFile | undefined> {
  try {
    return fileOf((await resolver.resolveDocument(null, address)) as Document)
  } catch {
    // The reference that leads to it is reported where it stands.
    return undefined
  }
}

function fileOf({ source, parsed }: Document): LintFile {
  const { absoluteRef } = source
  return { name: isAbsoluteUrl(absoluteRef) ? absoluteRef : relative('.', absoluteRef), source, parsed: parsed as Json }
}

function addressOf(file: LintFile): string {
  return file.source?.absoluteRef ?? file.name
}

function addressAt(resolver: BaseResolver, from: LintFile, uri: string): string | undefined {
  try {
    return resolver.resolveExternalRef(addressOf(from), uri)
  } catch {
    return undefined
  }
}

/** What stands before the `#` of every reference that leads out of a file. Aliases of YAML may make circles. */
function outerReferences(parsed: Json | undefined): Set<string> {
  const found = new Set<string>()
  const seen = new Set<unknown>()
  const waiting: unknown[] = [parsed]
  while (waiting.length > 0) {
    const value = waiting.pop()
    if (typeof value !== 'object' || value === null || seen.has(value)) continue
    seen.add(value)
    if (isObject(value) && typeof value.$ref === 'string' && !value.$ref.startsWith('#')) {
      found.add(value.$ref.replace(/#.*$/s, ''))
    }
    for (const one of Object.values(value)) waiting.push(one)
  }
  return found
}
