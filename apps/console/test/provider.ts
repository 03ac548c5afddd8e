/** A real OpenID provider that accepts any name. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@nomen/testing/chromium'
import Provider from 'oidc-provider'

interface Audience {
  readonly audience: string
  /** The scopes of its tokens. */
  readonly scopes: readonly string[]
  /** The client ID of the console. */
  readonly clientId?: string
  /** The lifetime of tokens in seconds. Tokens can be renewed. */
  readonly tokenSeconds?: number
}

/** Starts a provider with the console as its client. For an audience, it issues tokens that a service can verify itself. */
export async function startProvider(redirectUri: string, audience?: Audience) {
  const server = createServer((request, response) => provider.callback()(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const client = {
    client_id: audience?.clientId ?? 'nomen-console',
    application_type: 'native',
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    redirect_uris: [redirectUri],
    response_types: ['code'],
  }
  const resourceIndicators = {
    enabled: true,
    useGrantedResource: () => true,
    getResourceServerInfo: () => ({
      scope: audience?.scopes.join(' '),
      audience: audience?.audience,
      accessTokenFormat: 'jwt',
      jwt: { sign: { alg: 'RS256' } },
      accessTokenTTL: audience?.tokenSeconds,
    }),
  }
  const provider: Provider = new Provider(issuer, {
    clients: [client],
    clientBasedCORS: () => true,
    ...(audience?.tokenSeconds !== undefined && { issueRefreshToken: () => true }),
    ...(audience && {
      scopes: ['openid', 'profile', 'offline_access', ...audience.scopes],
      features: { resourceIndicators },
    }),
  })
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { provider, issuer, close }
}

/** Fills in the sign-in form of the provider. */
export async function signInAs(page: Page, name: string): Promise<void> {
  await page.getByPlaceholder('Enter any login').fill(name)
  await page.getByPlaceholder('and password').fill('secret')
  await page.getByRole('button', { name: 'Sign-in' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
}
