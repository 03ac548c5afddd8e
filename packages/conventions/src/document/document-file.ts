/** One file of a document, as YAML or JSON, from the disk or from an http(s) address. */
import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { binaryTag, CORE_SCHEMA, loadAll, mergeTag, omapTag, pairsTag, setTag } from 'js-yaml'

export interface DocumentFile {
  /** A whole path, or an address. */
  readonly address: string
  readonly text: string
  readonly parsed: unknown
}

export function isUrl(address: string): boolean {
  return /^https?:\/\//i.test(address)
}

/** Where a reference leads from a file; from the working folder where there is none. */
export function addressAt(from: string | undefined, uri: string): string {
  if (isUrl(uri)) return uri
  if (from !== undefined && isUrl(from)) return new URL(uri, from).href
  return resolve(from === undefined ? '.' : dirname(from), uri)
}

/** Reads a file. `isRoot`: it is a document whatever it is called; any other that is neither YAML nor JSON is a text. */
export async function readDocumentFile(address: string, isRoot: boolean): Promise<DocumentFile> {
  const { text, type } = isUrl(address) ? await fetched(address) : { text: await readFile(address, 'utf8'), type: '' }
  const name = isUrl(address) ? new URL(address).pathname : address
  const isParsed = isRoot || /\.(ya?ml|json)$/i.test(name) || /json|yaml|openapi/.test(type)
  return isParsed ? parsedFile(address, text) : { address, text, parsed: text }
}

export function parsedFile(address: string, given: string): DocumentFile {
  const text = given.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')
  return { address, text, parsed: parse(text) }
}

async function fetched(address: string): Promise<{ readonly text: string; readonly type: string }> {
  const answer = await fetch(address).catch((error: Error & { readonly cause?: Error }) => {
    throw new Error(`nothing answers: ${error.cause?.message || error.message}`)
  })
  if (!answer.ok) throw new Error(`the answer is ${answer.status} ${answer.statusText}`.trimEnd())
  return { text: await answer.text(), type: answer.headers.get('content-type') ?? '' }
}

/** A moment stays the text that it is. */
const schema = CORE_SCHEMA.withTags(mergeTag, binaryTag, omapTag, pairsTag, setTag)

function parse(text: string): unknown {
  // JSON is YAML too, and read many times as fast by itself. What is wrong with it is told better as YAML.
  if (/^\s*[{[]/.test(text))
    try {
      return JSON.parse(text)
    } catch {}
  const documents = loadAll(text, { schema })
  if (documents.length > 1) throw new Error('it holds several documents, with --- between them')
  return documents[0]
}
