/** A real OpenID provider on a free port, which issues tokens for a service under test. */
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'

/** A private key in the format of the provider. */
export interface PrivateKey {
  readonly kid: string
  readonly alg: string
  readonly [member: string]: unknown
}

export interface OpenIdProvider {
  readonly issuer: string
  /** The number of requests for its keys. */
  readonly numberOfKeyRequests: number
  /** A token from the token endpoint, for the audience and with these scopes. `user` is its `sub` (default: the client). */
  token(request: TokenRequest): Promise<string>
  /** Sets the keys for signing and publication. The first key signs. */
  useKeys(...keys: readonly PrivateKey[]): void
  /** Refuses connections until `resumeListening`. */
  stopListening(): Promise<void>
  resumeListening(): Promise<void>
  close(): Promise<void>
}

export interface TokenRequest {
  readonly scope: string
  readonly audience?: string
  readonly user?: string
  readonly alg?: string
}

export const audience = 'https://directory.example.com'

/** A new key pair, of the kind that the algorithm needs. */
export function newKey(alg: 'RS256' | 'PS256' | 'ES256' | 'EdDSA', kid: string = randomUUID()): PrivateKey {
  const { privateKey } =
    alg === 'ES256'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : alg === 'EdDSA'
        ? generateKeyPairSync('ed25519')
        : generateKeyPairSync('rsa', { modulusLength: 2048 })
  return { ...privateKey.export({ format: 'jwk' }), kid, alg, use: 'sig' }
}

/** Starts the provider. Any of the `scopes` can be requested. */
export async function startOpenIdProvider(scopes: readonly string[], first: PrivateKey): Promise<OpenIdProvider> {
  const users = new Map<string, string>()
  const algorithms = new Map<string, string>()
  let listener: RequestListener = () => {}
  let numberOfKeyRequests = 0
  const start = (port: number): Promise<Server> => {
    const created = createServer((request, response) => {
      if (request.url === '/jwks') numberOfKeyRequests++
      // Clients must notice at once when the provider stops.
      response.shouldKeepAlive = false
      listener(request, response)
    }).listen(port, '127.0.0.1')
    return once(created, 'listening').then(() => created)
  }
  let server = await start(0)
  const { port } = server.address() as AddressInfo
  const issuer = `http://127.0.0.1:${port}`
  const end = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  const useKeys = (...keys: readonly PrivateKey[]) => {
    const configuration = configurationOf(scopes, keys, users, algorithms)
    listener = new Provider(issuer, configuration).callback()
  }
  useKeys(first)
  return {
    issuer,
    get numberOfKeyRequests() {
      return numberOfKeyRequests
    },
    useKeys,
    async token({ scope, audience: resource = audience, user, alg }) {
      // The content of the token is passed outside the request, under a unique name.
      const subject = randomUUID()
      if (user !== undefined) users.set(subject, user)
      if (alg !== undefined) algorithms.set(subject, alg)
      const response = await fetch(`${issuer}/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa('tester:secret')}`, 'x-subject': subject },
        body: new URLSearchParams({ grant_type: 'client_credentials', scope, resource }),
      })
      const body = (await response.json()) as { access_token?: string; [member: string]: unknown }
      if (!body.access_token) throw new Error(`No token: ${JSON.stringify(body)}`)
      return body.access_token
    },
    stopListening: end,
    async resumeListening() {
      server = await start(port)
    },
    close: end,
  }
}

/** Stores nothing: the tokens are self-contained. */
class NullAdapter {
  async find(): Promise<void> {}
  async upsert(): Promise<void> {}
}

type Context = { readonly get: (header: string) => string }

function configurationOf(
  scopes: readonly string[],
  keys: readonly PrivateKey[],
  users: ReadonlyMap<string, string>,
  algorithms: ReadonlyMap<string, string>,
): object {
  return {
    jwks: { keys },
    scopes,
    adapter: NullAdapter,
    ttl: { ClientCredentials: 3600 },
    clients: [
      {
        client_id: 'tester',
        client_secret: 'secret',
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
        // The provider requires a key for ID tokens, although none is requested.
        id_token_signed_response_alg: keys[0]?.alg,
      },
    ],
    enabledJWA: { idTokenSigningAlgValues: ['RS256', 'PS256', 'ES256', 'EdDSA'] },
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (context: Context, resource: string) => ({
          scope: scopes.join(' '),
          audience: resource,
          accessTokenTTL: 3600,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: algorithms.get(context.get('x-subject')) ?? keys[0]?.alg } },
        }),
      },
    },
    formats: {
      customizers: {
        jwt: (context: Context, _token: object, { payload }: { payload: { sub?: string | undefined } }) => {
          payload.sub = users.get(context.get('x-subject')) ?? payload.sub
        },
      },
    },
  }
}
