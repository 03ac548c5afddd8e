/** What `nomen diff` compares: documents, and the apis that service files declare. */
import { DocumentError, type Documents, type OpenApiDocument, readDocument } from '@nomen/conventions'
import { DeclarationError } from '@nomen/core'
import { openapi } from '@nomen/core/openapi'
import type { Service } from '@nomen/server'
import { CommandError } from '../command-error.ts'
import { isServiceFile } from '../flag/bulk.ts'
import { loadService } from '../service-file/load.ts'

/** One document, or the apis of a service by their names, each with a document for every version. */
type Source = OpenApiDocument | ReadonlyMap<string, readonly OpenApiDocument[]>

export interface Comparison {
  /** The name of the api, or the title of the document. */
  readonly name: string
  readonly old: Documents
  readonly next: Documents
}

/** Two documents are one comparison; two service files are one for each api that either of them has. */
export async function comparisons(old: string, next: string, api?: string): Promise<readonly Comparison[]> {
  const [was, is] = [await read(old), await read(next)]
  if (!isService(was) && !isService(is)) return [{ name: titleOf(is), old: was, next: is }]
  if (!isService(was)) return [chosen(is as Apis, was, next, api, (apis) => ({ old: was, next: apis }))]
  if (!isService(is)) return [chosen(was, is, old, api, (apis) => ({ old: apis, next: is }))]
  const names = [...new Set([...was.keys(), ...is.keys()])].filter((name) => api === undefined || name === api)
  if (names.length === 0 && api !== undefined) throw unknownApi(api, next, is)
  return names.map((name) => ({ name, old: was.get(name) ?? [], next: is.get(name) ?? [] }))
}

type Apis = ReadonlyMap<string, readonly OpenApiDocument[]>

function isService(source: Source): source is Apis {
  return source instanceof Map
}

async function read(source: string): Promise<Source> {
  if (!isServiceFile(source)) return readAlone(source)
  const { apis } = await loaded(source)
  const byName = Map.groupBy(apis, ({ name }) => name as string)
  return new Map(
    [...byName].map(([name, versions]) => [name, versions.map((one) => asJson(openapi(one, { isOpen: true })))]),
  )
}

/** What is written is what is compared: a property without a value is none. */
function asJson(document: object): OpenApiDocument {
  return JSON.parse(JSON.stringify(document))
}

/** What cannot be read says nothing of breaking changes: the call is wrong, the gate neither open nor shut. */
async function readAlone(source: string): Promise<OpenApiDocument> {
  try {
    return await readDocument(source)
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    throw new CommandError(error.message, 'Name an OpenAPI document, by its file or address, or a service file.')
  }
}

async function loaded(source: string): Promise<Service> {
  try {
    return await loadService(source)
  } catch (error) {
    if (!(error instanceof CommandError || error instanceof DeclarationError)) throw error
    throw new CommandError(`${source} cannot be compared.`, error.message)
  }
}

/** The apis of a service that a document is of: the one that is named, else those that have a path of it. */
function chosen(
  apis: Apis,
  document: OpenApiDocument,
  file: string,
  api: string | undefined,
  pair: (documents: readonly OpenApiDocument[]) => Pick<Comparison, 'old' | 'next'>,
): Comparison {
  const paths = new Set(pathsOf(document))
  const fits = ([, documents]: readonly [string, readonly OpenApiDocument[]]) =>
    documents.flatMap(pathsOf).some((path) => paths.has(path))
  const all = [...apis]
  const found = api === undefined ? (all.length === 1 ? all : all.filter(fits)) : all.filter(([name]) => name === api)
  const names = (some: typeof all) => some.map(([name]) => name).join(', ')
  if (found.length > 0) return { name: names(found), ...pair(found.flatMap(([, documents]) => documents)) }
  if (api !== undefined) throw unknownApi(api, file, apis)
  throw new CommandError(
    `${file} has the apis ${names(all)}, and none has a path of the document.`,
    'Say with --api which of them it is a document of.',
  )
}

function pathsOf({ paths }: OpenApiDocument): readonly string[] {
  return Object.keys((paths ?? {}) as object)
}

function unknownApi(api: string, file: string, apis: Apis): CommandError {
  return new CommandError(`${file} has no api "${api}".`, `It has ${[...apis.keys()].join(', ')}.`)
}

function titleOf({ info }: OpenApiDocument): string {
  const title = typeof info === 'object' && info !== null && 'title' in info ? info.title : ''
  return typeof title === 'string' ? title : ''
}
