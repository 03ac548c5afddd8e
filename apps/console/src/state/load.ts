/** Loads the service that the console shows, named by settings.json or by the URL of the page. */

import { bindTokens, type TokenBinding } from '../http/sign-in/token-binding.ts'
import { text } from '../language/language.ts'
import { isObject, type Json } from '../model/service/openapi.ts'
import { baseOf, type Service, serviceOf } from '../model/service/service.ts'

export interface Settings {
  readonly title?: string
  /** URLs of OpenAPI documents, relative to the page. */
  readonly documents?: readonly string[]
  /** The URL of the API reference. */
  readonly docs?: string
  /** The base URL of the service. It overrides the documents. */
  readonly baseUrl?: string
  /** The issuer of the tokens. It overrides the documents. */
  readonly issuer?: string
  /** The audience of the tokens. */
  readonly audience?: string
  /** The client ID of the console at the issuer, and the scopes to request. */
  readonly clientId?: string
  readonly scope?: string
  /** The color of buttons and links, such as `#0b7285`. */
  readonly accent?: string
  /** The URL of an image, relative to the page. */
  readonly logo?: string
  /** The environment, shown as a badge. */
  readonly environment?: string
}

export interface LoadedSettings extends Settings {
  /** A link named the service, so it is not known whether it can be trusted. */
  readonly isNamedByLink: boolean
}

/** The settings beside the page. The URL of the page names a service only if they name none. */
export async function loadSettings(): Promise<LoadedSettings> {
  const settings = await settingsFile()
  const { documents = [], baseUrl } = settings
  if (documents.length > 0) return { ...settings, isNamedByLink: false }
  if (baseUrl !== undefined)
    return { ...settings, documents: [`${baseUrl.replace(/\/$/, '')}/openapi.json`], isNamedByLink: false }
  const query = new URLSearchParams(location.search)
  const linkedBase = query.get('baseUrl')
  return {
    ...settings,
    documents: query.getAll('document'),
    ...(linkedBase !== null && { baseUrl: linkedBase }),
    isNamedByLink: true,
  }
}

/** A missing file has no settings. An unreadable file is an error, because a link must not replace its settings. */
async function settingsFile(): Promise<Settings> {
  const response = await fetch('./settings.json')
  if (response.status === 404) return {}
  const settings: unknown = await response.json().catch(() => undefined)
  if (!response.ok || !isObject(settings)) throw new Error(text().problem.badSettings(response.status))
  return settings
}

export interface LoadedService {
  readonly service: Service
  readonly bindingOf: (base: string) => TokenBinding
}

/** The service of these settings; undefined if they name no document. */
export async function loadService(named: LoadedSettings): Promise<LoadedService | undefined> {
  const { title, documents = [], baseUrl, isNamedByLink } = named
  if (documents.length === 0) return undefined
  const sources = await Promise.all(
    documents.map(async (address) => {
      const url = new URL(address, document.baseURI).href
      const openapi = await loadDocument(url)
      const base = baseUrl === undefined ? baseOf(openapi, url) : baseUrl || '/'
      return { document: openapi, url, base: serviceBase(base) }
    }),
  )
  return { service: serviceOf(title, sources), bindingOf: bindTokens(sources, isNamedByLink) }
}

/** The base as an absolute URL without a trailing slash. */
function serviceBase(address: string): string {
  const { protocol, origin, pathname, username, password } = new URL(address, document.baseURI)
  if (!/^https?:$/.test(protocol) || username !== '' || password !== '')
    throw new Error(text().problem.badBaseUrl(origin))
  return `${origin}${pathname.replace(/\/+$/, '')}`
}

export async function loadDocument(url: string): Promise<Json> {
  const response = await fetch(url, { headers: { accept: 'application/json' } }).catch((error: unknown) => {
    throw new Error(text().problem.documentUnreachable(url, `${error instanceof Error ? error.message : error}`))
  })
  if (!response.ok) throw new Error(text().problem.documentMissing(url, response.status))
  const body: unknown = await response.json().catch(() => undefined)
  if (!isObject(body) || !isObject(body.paths)) throw new Error(text().problem.documentNotOpenApi(url))
  return body
}
