/** The OpenAPI documents of a service: one for each version prefix that its apis stand under. */
import type { AnyApi } from '@nomen/core'
import { type OpenApi, type OpenApiOptions, openapi } from '@nomen/core/openapi'
import type { Service } from '../../define/definition.ts'

export interface ServiceDocument {
  /** Where it is served: `/openapi.json`, `/v1/openapi.json`. */
  readonly path: string
  readonly title: string
  /** Made when it is asked for; `server` is the address that the paths stand below. */
  build(server?: string): OpenApi
}

/** What of the way a service is opened its documents tell. */
export interface DocumentCircumstances {
  /** With one they say which scope each operation takes; without one, what pages of other sites are refused. */
  readonly issuer?: string | undefined
  /** Whether reads may come from replicas. */
  readonly hasReplicas?: boolean
  /** Whether there is a rate limit. */
  readonly isLimited?: boolean
}

/** All documents, the one without a version first. */
export function documentsOf(
  service: Service,
  { issuer, hasReplicas = false, isLimited = false }: DocumentCircumstances = {},
): readonly ServiceDocument[] {
  const narrowed = (service.visibility ?? []).map(({ noun }) => noun)
  const byVersion = Map.groupBy(service.apis, ({ options }) => options.version)
  const sorted = [...byVersion].sort(([one = 0], [other = 0]) => one - other)
  return sorted.map(([version, apis]) => {
    const prefix = version === undefined ? '' : `/v${version}`
    const title = `${service.name}${version === undefined ? '' : ` v${version}`}`
    return documentAt(`${prefix}/openapi.json`, apis, {
      title,
      narrowed,
      hasReplicas,
      isLimited,
      isOpen: issuer === undefined,
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
