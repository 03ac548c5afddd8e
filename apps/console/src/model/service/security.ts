/** The authentication of a service, from its documents. */
import type { Service } from './service.ts'

export interface Security {
  /** The configuration URL of the OpenID provider. */
  readonly openIdConnectUrl: string | undefined
  /** A token may be pasted. */
  readonly takesToken: boolean
  /** The scopes that operations require. */
  readonly scopes: readonly string[]
}

/** Reads the authentication from the documents of these base URLs. An issuer in the settings overrides theirs. */
export function securityOf(service: Service, bases: readonly string[], issuer: string | undefined): Security {
  const apis = service.apis.filter(({ base }) => bases.includes(base))
  const requirements = apis.flatMap(({ operations }) => operations.flatMap(({ security }) => security))
  const schemes = apis.flatMap(({ securitySchemes, base }) => securitySchemes.map((scheme) => ({ scheme, base })))
  const openId = schemes.find(
    ({ scheme }) => scheme.type === 'openIdConnect' && typeof scheme.openIdConnectUrl === 'string',
  )
  return {
    openIdConnectUrl:
      issuer !== undefined
        ? `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
        : openId && new URL(`${openId.scheme.openIdConnectUrl}`, `${openId.base}/`).href,
    scopes: [...new Set(requirements.flatMap((one) => Object.values(one).flat()))].filter(
      (one) => typeof one === 'string',
    ),
    takesToken: schemes.some(
      ({ scheme: { type, scheme } }) =>
        type === 'openIdConnect' || type === 'oauth2' || (type === 'http' && `${scheme}`.toLowerCase() === 'bearer'),
    ),
  }
}
