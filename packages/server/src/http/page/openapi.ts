/** The OpenAPI documents of a service: one for each version prefix of its apis. */
import type { AnyApi } from '@nomen/core'
import { type OpenApi, type OpenApiOptions, openapi } from '@nomen/core/openapi'
import type { Service } from '../../define/definition.ts'

export interface ServiceDocument {
  /** The path of the document: `/openapi.json`, `/v1/openapi.json`. */
  readonly path: string
  readonly title: string
  /** Builds the document; `server` is the URL of the service. */
  build(server?: string): OpenApi
}

/** The settings of a service that its documents describe. */
export interface DocumentedSettings {
  /** The token issuer. Operations then have scopes; without it, cross-site writes are documented as rejected. */
  readonly issuer?: string | undefined
  /** Whether callers need a token. */
  readonly isSecured?: boolean
  /** Whether reads may come from replicas. */
  readonly hasReplicas?: boolean
  /** Whether there is a rate limit. */
  readonly isLimited?: boolean
}

/** All documents, the one without a version first. */
export function documentsOf(
  service: Service,
  { issuer, isSecured = issuer !== undefined, hasReplicas = false, isLimited = false }: DocumentedSettings = {},
): readonly ServiceDocument[] {
  const narrowed = (service.visibility ?? []).map(({ noun }) => noun)
  const byVersion = Map.groupBy(service.apis, ({ options }) => options.version)
  const sorted = [...byVersion].sort(([a = 0], [b = 0]) => a - b)
  return sorted.map(([version, apis]) => {
    const prefix = version === undefined ? '' : `/v${version}`
    const title = `${service.name}${version === undefined ? '' : ` v${version}`}`
    return documentAt(`${prefix}/openapi.json`, apis, {
      title,
      narrowed: narrowed,
      hasReplicas,
      isLimited,
      isOpen: !isSecured,
      isSecured,
      hasIntroduction: true,
      ...(issuer !== undefined && { issuer }),
    })
  })
}

function documentAt(
  path: string,
  apis: readonly AnyApi[],
  options: OpenApiOptions & { title: string },
): ServiceDocument {
  return {
    path,
    title: options.title,
    build: (server) => openapi(apis, { ...options, ...(server !== undefined && { servers: [server] }) }),
  }
}
