/** Reads the two sides of `nomen diff`: documents, or the apis of service files. */
import { DocumentError, type Documents, type OpenApiDocument, readDocument } from '@nomen/conventions'
import { DeclarationError } from '@nomen/core'
import { openapi } from '@nomen/core/openapi'
import type { Service } from '@nomen/server'
import { CommandError } from '../command-error.ts'
import { isServiceFile } from '../input-file.ts'
import { loadService } from '../service-file/load.ts'

/** One document, or the apis of a service by name, each with a document per version. */
type Source = OpenApiDocument | ReadonlyMap<string, readonly OpenApiDocument[]>

export interface Comparison {
  /** The name of the api, or the title of the document. */
  readonly name: string
  readonly old: Documents
  readonly next: Documents
}

/** Two documents are one comparison; two service files are one for each api that either of them has. */
export async function comparisons(old: string, next: string, api?: string): Promise<readonly Comparison[]> {
  const [before, after] = [await read(old), await read(next)]
  if (!isService(before) && !isService(after)) return [{ name: titleOf(after), old: before, next: after }]
  if (!isService(before)) return [matchApis(after as Apis, before, next, api, (apis) => ({ old: before, next: apis }))]
  if (!isService(after)) return [matchApis(before, after, old, api, (apis) => ({ old: apis, next: after }))]
  const names = [...new Set([...before.keys(), ...after.keys()])].filter((name) => api === undefined || name === api)
  if (names.length === 0 && api !== undefined)
    throw unknownApi(api, `${old} and ${next}`, new Map([...before, ...after]))
  return names.map((name) => ({ name, old: before.get(name) ?? [], next: after.get(name) ?? [] }))
}

type Apis = ReadonlyMap<string, readonly OpenApiDocument[]>

function isService(source: Source): source is Apis {
  return source instanceof Map
}

async function read(source: string): Promise<Source> {
  if (!isServiceFile(source)) return readOpenApiDocument(source)
  const { apis } = await loadApis(source)
  const byName = Map.groupBy(apis, ({ name }) => name as string)
  return new Map(
    [...byName].map(([name, versions]) => [name, versions.map((api) => asJson(openapi(api, { isOpen: true })))]),
  )
}

/** Removes undefined properties, as writing and reading the document would. */
function asJson(document: object): OpenApiDocument {
  return JSON.parse(JSON.stringify(document))
}

/** An unreadable document counts as an invalid argument (exit code 2) and not a breaking change (exit code 1). */
async function readOpenApiDocument(source: string): Promise<OpenApiDocument> {
  try {
    return await readDocument(source)
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    throw new CommandError(error.message, 'Use the file or URL of an OpenAPI document, or a service file.')
  }
}

async function loadApis(source: string): Promise<Service> {
  try {
    return await loadService(source)
  } catch (error) {
    if (!(error instanceof CommandError || error instanceof DeclarationError)) throw error
    throw new CommandError(`${source} cannot be compared.`, error.message)
  }
}

/** Compares a document with the api of that name, or else with all apis that share a path with it. */
function matchApis(
  apis: Apis,
  document: OpenApiDocument,
  file: string,
  api: string | undefined,
  pair: (documents: readonly OpenApiDocument[]) => Pick<Comparison, 'old' | 'next'>,
): Comparison {
  const paths = new Set(pathsOf(document))
  const hasPath = ([, documents]: readonly [string, readonly OpenApiDocument[]]) =>
    documents.flatMap(pathsOf).some((path) => paths.has(path))
  const apiEntries = [...apis]
  const matches =
    api === undefined
      ? apiEntries.length === 1
        ? apiEntries
        : apiEntries.filter(hasPath)
      : apiEntries.filter(([name]) => name === api)
  const names = (entries: typeof apiEntries) => entries.map(([name]) => name).join(', ')
  if (matches.length > 0) return { name: names(matches), ...pair(matches.flatMap(([, documents]) => documents)) }
  if (api !== undefined) throw unknownApi(api, file, apis)
  throw new CommandError(
    `${file} declares the APIs ${names(apiEntries)}, but none of them has a path in common with the OpenAPI document.`,
    'Choose an API with --api.',
  )
}

function pathsOf({ paths }: OpenApiDocument): readonly string[] {
  return Object.keys((paths ?? {}) as object)
}

function unknownApi(api: string, file: string, apis: Apis): CommandError {
  return new CommandError(`There is no API "${api}" in ${file}.`, `Choose one of ${[...apis.keys()].join(', ')}.`)
}

function titleOf({ info }: OpenApiDocument): string {
  const title = typeof info === 'object' && info !== null && 'title' in info ? info.title : ''
  return typeof title === 'string' ? title : ''
}
