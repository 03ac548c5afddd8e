/** Reads where an OpenID provider signs people in, and checks that a code comes from the provider that was asked for it. */

export interface OpenIdProvider {
  readonly issuer: string
  readonly authorization: string
  readonly token: string
  /** The provider names itself beside every code (RFC 9207). */
  readonly isNamedByCode: boolean
}

/**
 * Reads the configuration. `isNamedByLink`: the URL comes from a document that a link names, so it may combine the
 * sign-in page of one provider with a token endpoint that collects its codes.
 */
export async function readProvider(url: string, isNamedByLink: boolean): Promise<OpenIdProvider> {
  const response = await fetch(url)
  const configuration = (await response.json().catch(() => ({}))) as { readonly [name: string]: unknown }
  const { authorization_endpoint: authorization, token_endpoint: token, issuer } = configuration
  if (typeof authorization !== 'string' || typeof token !== 'string')
    throw new Error(`${url} does not say where to sign in: it answers ${response.status}.`)
  if (typeof issuer !== 'string' || `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration` !== url)
    throw new Error(`${url} describes the issuer ${JSON.stringify(issuer)}, whose own URL is another.`)
  if (![authorization, token].every((endpoint) => /^https?:\/\//i.test(endpoint)))
    throw new Error(`${url} names an endpoint that does not begin with https:// or http://.`)
  const isNamedByCode = configuration.authorization_response_iss_parameter_supported === true
  if (isNamedByLink && !isNamedByCode && new URL(authorization).origin !== new URL(token).origin)
    throw new Error(
      `${url} names a sign-in page and a token endpoint of different origins. Name the service in settings.json, or paste a token.`,
    )
  return { issuer, authorization, token, isNamedByCode }
}

/** Throws if the response comes from another provider than the one that was asked. */
export function checkIssuer(query: URLSearchParams, { issuer, isNamedByCode }: OpenIdProvider): void {
  const named = query.get('iss')
  if (named === null ? isNamedByCode : named !== issuer)
    throw new Error(`The code comes from the issuer ${JSON.stringify(named)}, but ${issuer} was asked. Sign in again.`)
}
