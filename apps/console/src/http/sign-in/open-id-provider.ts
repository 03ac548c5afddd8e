/** Signs in at an OpenID provider: authorization code with PKCE. The page loads this file only when it needs it. */
import * as oauth from 'oauth4webapi'
import { text } from '../../language/language.ts'

/** The console as a client of a provider. */
export interface Registration {
  readonly provider: oauth.AuthorizationServer
  readonly client: oauth.Client
}

/** A sign-in that waits for the response of the provider. */
export interface PendingSignIn extends Registration {
  readonly redirectUri: string
  readonly verifier: string
  readonly state: string
  /** Present only with the scope `openid`: without this scope, the provider returns no ID token. */
  readonly nonce?: string
}

export interface SignInRequest {
  /** URL of the provider's configuration. */
  readonly url: string
  /** The URL comes from a document that a link names. */
  readonly isNamedByLink: boolean
  readonly clientId: string
  readonly redirectUri: string
  readonly scope: string
  /** The service that the token is for. */
  readonly audience: string | undefined
}

const wellKnown = '/.well-known/openid-configuration'

/** Reads the configuration of the provider, and returns the URL of its sign-in page. */
export async function startSignIn(request: SignInRequest): Promise<{ pending: PendingSignIn; url: URL }> {
  const { clientId, redirectUri, scope, audience } = request
  const { provider, url } = await discover(request).catch((error: unknown) => {
    throw new Error(text().problem.badProvider(request.url, reasonOf(error)))
  })
  const verifier = oauth.generateRandomCodeVerifier()
  const state = oauth.generateRandomState()
  const nonce = scope.split(' ').includes('openid') ? { nonce: oauth.generateRandomNonce() } : {}
  const query = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope,
    state,
    ...nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    // Providers read one of the two names for the audience, and ignore the other.
    ...(audience !== undefined && { audience }),
    ...(audience !== undefined && URL.canParse(audience) && { resource: audience }),
  }
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return { pending: { provider, client: { client_id: clientId }, redirectUri, verifier, state, ...nonce }, url }
}

/** Checks the state and the issuer (RFC 9207) of the response, and exchanges its code for tokens. */
export async function finishSignIn(
  pending: PendingSignIn,
  query: URLSearchParams,
): Promise<oauth.TokenEndpointResponse> {
  const { provider, client, redirectUri, verifier, state, nonce } = pending
  const options = transportOf(provider.issuer)
  try {
    const code = oauth.validateAuthResponse(provider, client, query, state)
    const response = await oauth.authorizationCodeGrantRequest(
      provider,
      client,
      oauth.None(),
      code,
      redirectUri,
      verifier,
      options,
    )
    return await oauth.processAuthorizationCodeResponse(
      provider,
      client,
      response,
      nonce ? { expectedNonce: nonce } : {},
    )
  } catch (error) {
    throw new Error(text().problem.signInFailed(provider.issuer, reasonOf(error)))
  }
}

/** Requests a new access token. */
export async function renew({ provider, client }: Registration, refresh: string): Promise<oauth.TokenEndpointResponse> {
  const options = transportOf(provider.issuer)
  const response = await oauth.refreshTokenGrantRequest(provider, client, oauth.None(), refresh, options)
  return await oauth.processRefreshTokenResponse(provider, client, response)
}

async function discover(request: SignInRequest): Promise<{ provider: oauth.AuthorizationServer; url: URL }> {
  if (!request.url.endsWith(wellKnown)) throw new Error(text().problem.badProviderUrl(wellKnown))
  const issuer = request.url.slice(0, -wellKnown.length)
  const response = await oauth.discoveryRequest(new URL(issuer), transportOf(issuer))
  // An issuer with a slash at its end has the same configuration URL.
  const provider = await oauth
    .processDiscoveryResponse(new URL(`${issuer}/`), response.clone())
    .catch(() => oauth.processDiscoveryResponse(new URL(issuer), response))
  const url = endpointOf(provider, 'authorization_endpoint')
  const { origin } = endpointOf(provider, 'token_endpoint')
  // The configuration may combine the sign-in page of one provider with a token endpoint that collects its codes.
  if (request.isNamedByLink && !provider.authorization_response_iss_parameter_supported && url.origin !== origin)
    throw new Error(text().problem.providerOrigins)
  return { provider, url }
}

function endpointOf(provider: oauth.AuthorizationServer, name: 'authorization_endpoint' | 'token_endpoint'): URL {
  const url = URL.parse(provider[name] ?? '')
  if (url?.protocol !== 'https:' && url?.protocol !== new URL(provider.issuer).protocol)
    throw new Error(text().problem.badEndpoint(name, `${JSON.stringify(provider[name])}`))
  return url
}

/** An issuer whose own URL begins with http://, as in development, is used without https. */
function transportOf(issuer: string) {
  return { [oauth.allowInsecureRequests]: new URL(issuer).protocol === 'http:' }
}

/** The reason that the provider states, or else the check that failed. */
function reasonOf(error: unknown): string {
  if (error instanceof oauth.AuthorizationResponseError || error instanceof oauth.ResponseBodyError)
    return error.error_description ?? error.error
  if (!(error instanceof Error)) return `${error}`
  const { message, cause } = error
  if (!(cause instanceof Response) || cause.ok) return message
  const { providerRedirect, providerStatus } = text().problem
  return cause.type === 'opaqueredirect' ? providerRedirect : providerStatus(cause.status)
}
