/** Serves the OpenAPI documents of a service, each built with the first request for it, and a page that shows them. */

import type { Service } from '../../define/definition.ts'
import { problemTypeReplacer } from '../../message/problem-type.ts'
import { encode } from '../../pipeline/respond/encoding.ts'
import type { RateLimit } from '../../store/rate-limit.ts'
import type { Page } from '../routes.ts'
import { documentsOf } from './openapi.ts'
import { referencePages } from './reference.ts'
import { staticFile } from './static-file.ts'

export interface DocumentSettings {
  readonly publicUrl?: string
  readonly problemTypeUrl?: string
  readonly auth?: { readonly issuer: string; readonly jwks?: object }
  readonly databaseRead?: string
  readonly rateLimit?: RateLimit
  readonly console?: string
}

/** `/openapi.json` for each version, and `/docs`. */
export function documentPages(service: Service, settings: DocumentSettings, prefix: string): readonly Page[] {
  const { publicUrl, problemTypeUrl, auth, databaseRead, rateLimit } = settings
  const documents = documentsOf(service, {
    isSecured: auth !== undefined,
    // With configured keys, nothing is fetched from the issuer.
    issuer: auth?.jwks ? undefined : auth?.issuer,
    hasReplicas: databaseRead !== undefined,
    isLimited: rateLimit !== undefined,
  })
  const root = rootOf(publicUrl, prefix)
  const withTypes = problemTypeReplacer(problemTypeUrl)
  const pages = withDefaultDocument(documents).map(({ path, build }): Page => {
    const load = async () => {
      const plain = Buffer.from(withTypes(JSON.stringify(build(root || '/'))))
      return { plain, gzip: await encode(plain, 'gzip'), br: await encode(plain, 'br') }
    }
    return {
      path,
      requiredScopes: undefined,
      serve: staticFile({ mediaType: 'application/json; charset=utf-8', load }),
    }
  })
  const sources = documents.map(({ path, title }) => ({
    title,
    url: `${pathOf(root)}${path}`,
  }))
  return [...pages, ...referencePages(service.name, sources, settings.console !== undefined)]
}

/** The URL of the service for clients; a path if the public URL is not known. */
function rootOf(publicUrl: string | undefined, prefix: string): string {
  return (publicUrl?.replace(/\/+$/, '') ?? '') + prefix
}

/** The path of the service for clients. */
export function rootPath(publicUrl: string | undefined, prefix: string): string {
  return pathOf(rootOf(publicUrl, prefix))
}

function pathOf(url: string): string {
  return url.replace(/^[a-z]+:\/\/[^/]*/, '')
}

/** `/openapi.json` without a version is the newest one. */
function withDefaultDocument(documents: ReturnType<typeof documentsOf>): ReturnType<typeof documentsOf> {
  const newest = documents.at(-1)
  const hasDefault = documents.some(({ path }) => path === '/openapi.json')
  return hasDefault || !newest ? documents : [...documents, { ...newest, path: '/openapi.json' }]
}
