/** Which service the console shows: as the settings beside the page say, as its address says, or as someone types. */
import { isObject, type Json } from '../model/openapi.ts'
import { baseOf, type Service, serviceOf } from '../model/service.ts'

export interface Settings {
  readonly title?: string
  /** Addresses of OpenAPI documents; relative ones are below the page. */
  readonly documents?: readonly string[]
  /** A page that shows the documents. */
  readonly docs?: string
  /** Where the service is, whatever its documents say. */
  readonly baseUrl?: string
  /** Who makes the tokens that the service takes; a document may say so as well. */
  readonly issuer?: string
  /** For whom they are made. */
  readonly audience?: string
  /** What the issuer knows the console by, and what it may be asked for. */
  readonly clientId?: string
  readonly scope?: string
}

/** What the server says beside the page. A page that is served by anything else has an empty file there. */
export async function loadSettings(): Promise<Settings> {
  const beside = await fetch('./settings.json').then(
    (response) => (response.ok ? response.json() : {}),
    () => ({}),
  )
  const given = new URLSearchParams(location.search)
  const documents = given.getAll('document')
  const baseUrl = given.get('baseUrl')
  return {
    ...(isObject(beside) ? beside : {}),
    ...(documents.length > 0 && { documents }),
    ...(baseUrl !== null && { baseUrl }),
  }
}

/** The service of these settings; undefined where they name no document. */
export async function loadService({ title, documents = [], baseUrl }: Settings): Promise<Service | undefined> {
  if (documents.length === 0) return undefined
  const sources = await Promise.all(
    documents.map(async (address) => {
      const url = new URL(address, document.baseURI).href
      const found = await loadDocument(url)
      return { document: found, base: (baseUrl ?? baseOf(found, url)).replace(/\/$/, '') }
    }),
  )
  return serviceOf(title, sources)
}

export async function loadDocument(url: string): Promise<Json> {
  const response = await fetch(url, { headers: { accept: 'application/json' } }).catch((error: unknown) => {
    throw new Error(`${url} does not answer: ${error instanceof Error ? error.message : error}.`)
  })
  if (!response.ok) throw new Error(`${url} answers ${response.status}: there is no OpenAPI document.`)
  const found: unknown = await response.json().catch(() => undefined)
  if (!isObject(found) || !isObject(found.paths))
    throw new Error(`${url} is no OpenAPI document in JSON: it has no paths.`)
  return found
}
