/** Reads OpenAPI documents: from a file or an address, as YAML or JSON, in one piece however many files it lies in. */
import type { JsonObject } from '@nomen/core/openapi'
import { bundled } from './bundle.ts'
import { addressAt, parsedFile, readDocumentFile } from './document-file.ts'

export type { Json, JsonObject } from '@nomen/core/openapi'

/** A document with all references to other files in it; references within it are left as they are. */
export interface OpenApiDocument extends JsonObject {
  readonly openapi: string
}

interface DocumentErrorOptions extends ErrorOptions {
  readonly isOther?: boolean
  /** What it should be. */
  readonly what?: string
}

/** A document that cannot be read: what it is, and what is wrong. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError'
  /** It is YAML or JSON, and no OpenAPI document of whatever version: a part of one, perhaps, or a setting. */
  readonly isOther: boolean

  constructor(source: string, reason: string, options: DocumentErrorOptions = {}) {
    super(`${source} cannot be read as ${options.what ?? 'an OpenAPI document'}: ${reason}`, options)
    this.isOther = options.isOther === true
  }
}

/** Reads the document at a path or an http(s) address. */
export function readDocument(source: string): Promise<OpenApiDocument> {
  return read(source, async () => bundled(await readDocumentFile(addressAt(undefined, source), true)))
}

/** Reads a document that is at hand as text; `name` stands for it in messages. */
export function readDocumentText(text: string, name: string): Promise<OpenApiDocument> {
  return read(name, async () => bundled(parsedFile(addressAt(undefined, name), text)))
}

async function read(source: string, parsed: () => Promise<unknown>): Promise<OpenApiDocument> {
  try {
    return checkedDocument(source, await parsed())
  } catch (error) {
    throw documentError(source, error)
  }
}

/** What went wrong while a document was read, as it is told. */
export function documentError(source: string, error: unknown, what?: string): DocumentError {
  if (error instanceof DocumentError) return error
  // A reader of YAML shows the lines too: their number is enough.
  const [reason = ''] = (error instanceof Error ? error.message : `${error}`).split('\n')
  return new DocumentError(source, reason.replace(/[.:]?\s*$/, '.'), { cause: error, ...(what && { what }) })
}

/** Only what is OpenAPI 3 is read: versions before it say the same in another form. */
export function checkedDocument(source: string, parsed: unknown): OpenApiDocument {
  const { openapi, swagger } = (parsed ?? {}) as { openapi?: unknown; swagger?: unknown }
  if (typeof openapi === 'string' && openapi.startsWith('3.')) return parsed as OpenApiDocument
  if (swagger !== undefined) throw new DocumentError(source, `it is of version ${swagger}. Convert it to OpenAPI 3.`)
  const isOther = openapi === undefined
  throw new DocumentError(source, 'it has no field "openapi" of a version 3.', { isOther })
}
