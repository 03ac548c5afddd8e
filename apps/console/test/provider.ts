/** A real OpenID provider, which lets in whoever gives a name. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@nomen/testing/chromium'
import Provider from 'oidc-provider'

interface Audience {
  readonly audience: string
  /** What its tokens may allow. */
  readonly scopes: readonly string[]
  /** What the console is called here. */
  readonly clientId?: string
}

/** Knows the console at this address. For an audience it makes tokens that a service can verify by itself. */
export async function startProvider(redirectUri: string, made?: Audience) {
  const server = createServer((request, response) => provider.callback()(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const client = {
    client_id: made?.clientId ?? 'nomen-console',
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
      scope: made?.scopes.join(' '),
      audience: made?.audience,
      accessTokenFormat: 'jwt',
      jwt: { sign: { alg: 'RS256' } },
    }),
  }
  const provider: Provider = new Provider(issuer, {
    clients: [client],
    clientBasedCORS: () => true,
    ...(made && { scopes: ['openid', 'profile', 'offline_access', ...made.scopes], features: { resourceIndicators } }),
  })
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { provider, issuer, close }
}

/** Fills in what the provider asks for. */
export async function signInAs(page: Page, name: string): Promise<void> {
  await page.getByPlaceholder('Enter any login').fill(name)
  await page.getByPlaceholder('and password').fill('secret')
  await page.getByRole('button', { name: 'Sign-in' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
}
