/** The files of a document: its main file and all files that it references. */
import { relative } from 'node:path'
import type { Json } from '@nomen/core/openapi'
import { splitReference } from '../../document/bundle.ts'
import { type DocumentFile, isUrl, parseFile, readDocumentFile, resolveAddress } from '../../document/document-file.ts'
import { checkDocument, documentError } from '../../document/read-document.ts'
import { referencesIn } from '../../document/references-in.ts'
import type { LintFile } from '../location.ts'

export interface DocumentFiles {
  readonly root: LintFile
  /** The file of a reference; undefined if it could not be read. */
  readonly find: (from: LintFile, uri: string) => LintFile | undefined
  readonly all: readonly LintFile[]
}

/**
 * Reads a document at a path or an http(s) URL, or from `text`, with all files that it references. Leaves out missing files.
 */
export async function readFiles(source: string, text?: string): Promise<DocumentFiles> {
  const byAddress = new Map<string, LintFile>()
  const root = await readRoot(source, text)
  byAddress.set(addressOf(root), root)
  const pending = [root]
  for (let file = pending.pop(); file; file = pending.pop()) {
    for (const [, reference] of referencesIn({ pointer: '', value: file.parsed })) {
      const [uri] = splitReference(reference)
      const address = uri === '' ? undefined : addressFrom(file, uri)
      if (address === undefined || byAddress.has(address)) continue
      const referenced = await readOther(address)
      if (!referenced) continue
      byAddress.set(address, referenced)
      pending.push(referenced)
    }
  }
  return {
    root,
    all: [...byAddress.values()],
    find: (from, uri) => byAddress.get(addressFrom(from, uri) ?? ''),
  }
}

async function readRoot(source: string, text: string | undefined): Promise<LintFile> {
  try {
    const address = resolveAddress(undefined, source)
    const file = text === undefined ? await readDocumentFile(address, true) : parseFile(address, text)
    checkDocument(source, file.parsed)
    return fileOf(file)
  } catch (error) {
    throw documentError(source, error)
  }
}

/** One file by itself, as YAML or JSON. */
export async function readLintFile(source: string): Promise<LintFile> {
  return fileOf(await readDocumentFile(resolveAddress(undefined, source), true))
}

async function readOther(address: string): Promise<LintFile | undefined> {
  try {
    return fileOf(await readDocumentFile(address, false))
  } catch {
    // The rule unresolved-reference reports the reference.
    return undefined
  }
}

function fileOf(source: DocumentFile): LintFile {
  const { address, parsed } = source
  return { name: isUrl(address) ? address : relative('.', address), source, parsed: parsed as Json }
}

function addressOf(file: LintFile): string {
  return file.source?.address ?? file.name
}

function addressFrom(from: LintFile, uri: string): string | undefined {
  try {
    return resolveAddress(addressOf(from), uri)
  } catch {
    return undefined
  }
}
