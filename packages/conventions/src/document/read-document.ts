/** Reads OpenAPI documents from a file or URL, YAML or JSON, and bundles their files. */
import type { JsonObject } from '@nomen/core/openapi'
import { bundleDocument } from './bundle.ts'
import { parseFile, readDocumentFile, resolveAddress } from './document-file.ts'

export type { Json, JsonObject } from '@nomen/core/openapi'

/** An OpenAPI document with the content of referenced files. References within the document stay. */
export interface OpenApiDocument extends JsonObject {
  readonly openapi: string
}

interface DocumentErrorOptions extends ErrorOptions {
  /** Whether the file is valid YAML or JSON, but not an OpenAPI document. */
  readonly isOther?: boolean
  /** The expected kind of file. */
  readonly expectedKind?: string
}

/**
 * The error of an OpenAPI document that cannot be read.
 *
 * @example
 * ```ts
 * try {
 *   await readDocument('openapi.yaml')
 * } catch (error) {
 *   if (error instanceof DocumentError) console.error(error.message)
 * }
 * ```
 */
export class DocumentError extends Error {
  override readonly name = 'DocumentError'
  /** Whether it is valid YAML or JSON, but not an OpenAPI document: for example, a part of one. */
  readonly isOther: boolean

  constructor(source: string, reason: string, options: DocumentErrorOptions = {}) {
    super(`${source} cannot be read as ${options.expectedKind ?? 'an OpenAPI document'}: ${reason}`, options)
    this.isOther = options.isOther === true
  }
}

/**
 * Reads (bundles) an OpenAPI document in YAML or JSON from a path or a URL, with the files that it refers to.
 *
 * @example
 * ```ts
 * const document = await readDocument('https://example.com/openapi.json')
 * ```
 *
 * @throws DocumentError if the document cannot be read
 */
export function readDocument(source: string): Promise<OpenApiDocument> {
  return read(source, async () => bundleDocument(await readDocumentFile(resolveAddress(undefined, source), true)))
}

/**
 * Reads (bundles) an OpenAPI document from a YAML or JSON string. `name` is its path or URL in messages and for references.
 *
 * @example
 * ```ts
 * const document = await readDocumentText('openapi: 3.1.0', 'openapi.yaml')
 * ```
 *
 * @throws DocumentError if the document cannot be read
 */
export function readDocumentText(text: string, name: string): Promise<OpenApiDocument> {
  return read(name, async () => bundleDocument(parseFile(resolveAddress(undefined, name), text)))
}

async function read(source: string, parse: () => Promise<unknown>): Promise<OpenApiDocument> {
  try {
    return checkDocument(source, await parse())
  } catch (error) {
    throw documentError(source, error)
  }
}

/** The error for a document that cannot be read. */
export function documentError(source: string, error: unknown, expectedKind?: string): DocumentError {
  if (error instanceof DocumentError) return error
  // YAML errors also quote lines: the line number is enough.
  const [reason = ''] = (error instanceof Error ? error.message : `${error}`).split('\n')
  return new DocumentError(source, reason.replace(/[.:]?\s*$/, '.'), {
    cause: error,
    ...(expectedKind && { expectedKind }),
  })
}

/** Accepts only OpenAPI 3. */
export function checkDocument(source: string, parsed: unknown): OpenApiDocument {
  const { openapi, swagger } = (parsed ?? {}) as { openapi?: unknown; swagger?: unknown }
  if (typeof openapi === 'string' && openapi.startsWith('3.')) return parsed as OpenApiDocument
  if (swagger !== undefined) throw new DocumentError(source, `it has version ${swagger}. Convert it to OpenAPI 3.`)
  const isOther = openapi === undefined
  throw new DocumentError(source, 'it has no field "openapi" with version 3.', { isOther })
}
