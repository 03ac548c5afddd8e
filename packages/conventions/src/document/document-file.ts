/** Reads one file of a document, YAML or JSON, from disk or an http(s) URL. */
import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { binaryTag, CORE_SCHEMA, loadAll, mergeTag, omapTag, pairsTag, setTag } from 'js-yaml'

export interface DocumentFile {
  /** An absolute path or a URL. */
  readonly address: string
  readonly text: string
  readonly parsed: unknown
}

export function isUrl(address: string): boolean {
  return /^https?:\/\//i.test(address)
}

/** Resolves a reference relative to a file, or else to the current folder. */
export function resolveAddress(from: string | undefined, uri: string): string {
  if (isUrl(uri)) return uri
  if (from !== undefined && isUrl(from)) return new URL(uri, from).href
  return from === undefined ? resolve(uri) : resolve(dirname(from), decodeUri(uri))
}

/** A file name with a space is percent-encoded in a reference. */
function decodeUri(uri: string): string {
  try {
    return decodeURIComponent(uri)
  } catch {
    return uri
  }
}

/** Reads a file. With `isRoot`, any name is a document; other files that are neither YAML nor JSON are text. */
export async function readDocumentFile(address: string, isRoot: boolean): Promise<DocumentFile> {
  const { text, type } = isUrl(address) ? await fetchFile(address) : { text: await readFile(address, 'utf8'), type: '' }
  const name = isUrl(address) ? new URL(address).pathname : address
  const isParsed = isRoot || /\.(ya?ml|json)$/i.test(name) || /json|yaml|openapi/.test(type)
  return isParsed ? parseFile(address, text) : { address, text, parsed: text }
}

export function parseFile(address: string, source: string): DocumentFile {
  const text = source.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')
  return { address, text, parsed: parse(text) }
}

async function fetchFile(address: string): Promise<{ readonly text: string; readonly type: string }> {
  const response = await fetch(address).catch((error: Error & { readonly cause?: Error }) => {
    throw new Error(`no response: ${error.cause?.message || error.message}`)
  })
  if (!response.ok) throw new Error(`the response is ${response.status} ${response.statusText}`.trimEnd())
  return { text: await response.text(), type: response.headers.get('content-type') ?? '' }
}

/** Timestamps remain strings. */
const schema = CORE_SCHEMA.withTags(mergeTag, binaryTag, omapTag, pairsTag, setTag)

function parse(text: string): unknown {
  // JSON.parse is much faster than the YAML parser, which has better error messages.
  if (/^\s*[{[]/.test(text))
    try {
      return JSON.parse(text)
    } catch {}
  const documents = loadAll(text, { schema })
  if (documents.length > 1) throw new Error('it has several YAML documents, separated by ---')
  return documents[0]
}
