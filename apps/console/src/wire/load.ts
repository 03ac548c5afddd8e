/** Which service the console shows: as the settings beside the page say, as its address says, or as someone types. */
import { isObject, type Json } from '../model/service/openapi.ts'
import { baseOf, type Service, serviceOf } from '../model/service/service.ts'
import { bindTokens, type TokenBinding } from './token-binding.ts'

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

export interface Named extends Settings {
  /** A link named the service, so it is not known whether it can be trusted. */
  readonly isNamedByLink: boolean
}

/** The settings beside the page. The URL of the page names a service only where they name none. */
export async function loadSettings(): Promise<Named> {
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

/** Without the file nothing is set. A file that cannot be read is an error: a link must not take the place of what it says. */
async function settingsFile(): Promise<Settings> {
  const response = await fetch('./settings.json')
  if (response.status === 404) return {}
  const settings: unknown = await response.json().catch(() => undefined)
  if (!response.ok || !isObject(settings))
    throw new Error(`settings.json of this page is not a JSON object: it answers ${response.status}.`)
  return settings
}

export interface Loaded {
  readonly service: Service
  readonly bindingOf: (base: string) => TokenBinding
}

/** The service of these settings; undefined where they name no document. */
export async function loadService(named: Named): Promise<Loaded | undefined> {
  const { title, documents = [], baseUrl, isNamedByLink } = named
  if (documents.length === 0) return undefined
  const sources = await Promise.all(
    documents.map(async (address) => {
      const url = new URL(address, document.baseURI).href
      const found = await loadDocument(url)
      const base = baseUrl === undefined ? baseOf(found, url) : baseUrl || '/'
      return { document: found, url, base: serviceBase(base) }
    }),
  )
  return { service: serviceOf(title, sources), bindingOf: bindTokens(sources, isNamedByLink) }
}

/** The base as browsers understand it, so that it can be compared: absolute, and without a slash at its end. */
function serviceBase(address: string): string {
  const { protocol, origin, pathname, username, password } = new URL(address, document.baseURI)
  if (!/^https?:$/.test(protocol) || username !== '' || password !== '')
    throw new Error(`The base URL on ${origin} is not one of a service. Use http or https, without a user name.`)
  return `${origin}${pathname.replace(/\/+$/, '')}`
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
