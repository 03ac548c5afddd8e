/** Who asks: a token that was pasted, or that an OpenID provider gave (authorization code with PKCE). It ends with the tab. */
import { checkIssuer, type OpenIdProvider, readProvider } from './open-id-provider.ts'
import type { TokenBinding } from './token-binding.ts'

interface Tokens {
  readonly access: string
  readonly refresh?: string
  /** When the access token ends, in milliseconds; unknown for a pasted one. */
  readonly ends?: number
  readonly endpoint?: string
  readonly clientId?: string
}

interface Journey {
  readonly state: string
  readonly verifier: string
  readonly provider: OpenIdProvider
  /** The key of what the token will be bound to. */
  readonly binding: string
  readonly clientId: string
  readonly redirectUri: string
  /** The address to come back to. */
  readonly address: string
}

interface TokenForm {
  readonly client_id: string
  readonly [name: string]: string
}

export interface SignInAsk {
  /** Where the provider describes itself. */
  readonly url: string
  /** The URL comes from a document that a link names. */
  readonly isNamedByLink: boolean
  readonly clientId: string
  readonly scope: string
  /** For whom the token is made. */
  readonly audience: string | undefined
}

/** Tokens by the key of what they are bound to. */
const tokensKey = 'console.bound-tokens'
const journeyKey = 'console.sign-in'

/** So long before its end a token is renewed, in milliseconds. */
const margin = 15_000

class Session {
  readonly #tokens = new Map(Object.entries(stored<{ readonly [key: string]: Tokens }>(tokensKey) ?? {}))

  isSignedIn({ key }: TokenBinding): boolean {
    return this.#tokens.has(key)
  }

  /** The token to send; a new one where the old one is about to end. */
  async token({ key }: TokenBinding): Promise<string | undefined> {
    const { ends, refresh, endpoint, clientId } = this.#tokens.get(key) ?? {}
    const isEnding = ends !== undefined && ends - margin < Date.now()
    if (isEnding && refresh && endpoint && clientId) {
      const form = { grant_type: 'refresh_token', refresh_token: refresh, client_id: clientId }
      // Whoever cannot be renewed is refused by the service, and asked to sign in again.
      await this.#take(key, endpoint, form).catch(() => this.#keep(key, undefined))
    }
    return this.#tokens.get(key)?.access
  }

  /** Where the token is renewed. */
  endpoint({ key }: TokenBinding): string | undefined {
    return this.#tokens.get(key)?.endpoint
  }

  paste({ key }: TokenBinding, token: string): void {
    this.#keep(key, { access: token.trim().replace(/^bearer\s+/i, '') })
  }

  leave({ key }: TokenBinding): void {
    this.#keep(key, undefined)
  }

  /** A token that the service does not take is of no use; one that came after it may be. */
  refuse({ key }: TokenBinding, token: string | undefined): void {
    if (token !== undefined && token === this.#tokens.get(key)?.access) this.#keep(key, undefined)
  }

  /** Goes to the provider, and comes back to this address with a code. */
  async begin(binding: TokenBinding, ask: SignInAsk): Promise<void> {
    const { clientId, scope, audience } = ask
    const provider = await readProvider(ask.url, ask.isNamedByLink)
    const verifier = randomText()
    const redirectUri = `${location.origin}${location.pathname}`
    const state = randomText()
    const address = location.href
    const journey: Journey = { state, verifier, provider, binding: binding.key, clientId, redirectUri, address }
    sessionStorage.setItem(journeyKey, JSON.stringify(journey))
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
    const query = {
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      scope,
      state,
      code_challenge: base64Url(new Uint8Array(digest)),
      code_challenge_method: 'S256',
      // Providers know the one or the other name for whom a token is made for, and leave the other alone.
      ...(audience !== undefined && { audience }),
      ...(audience !== undefined && URL.canParse(audience) && { resource: audience }),
    }
    const url = new URL(provider.authorization)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    location.assign(url)
  }

  /** Where this page is what the provider sent someone back to, the code becomes a token. */
  async finish(): Promise<void> {
    const query = new URLSearchParams(location.search)
    const journey = stored<Journey>(journeyKey)
    if (!journey || query.get('state') !== journey.state) return
    sessionStorage.removeItem(journeyKey)
    history.replaceState(null, '', journey.address)
    checkIssuer(query, journey.provider)
    const refused = query.get('error')
    if (refused) throw new Error(`The provider refused: ${query.get('error_description') ?? refused}.`)
    await this.#take(journey.binding, journey.provider.token, {
      grant_type: 'authorization_code',
      code: query.get('code') ?? '',
      redirect_uri: journey.redirectUri,
      client_id: journey.clientId,
      code_verifier: journey.verifier,
    })
  }

  async #take(key: string, endpoint: string, form: TokenForm): Promise<void> {
    // A redirect would take the code or the refresh token to another place.
    const response = await fetch(endpoint, {
      method: 'POST',
      body: new URLSearchParams({ ...form }),
      redirect: 'error',
    })
    const given = (await response.json().catch(() => ({}))) as { readonly [name: string]: unknown }
    if (!response.ok || typeof given.access_token !== 'string')
      throw new Error(`The provider gave no token: ${given.error_description ?? given.error ?? response.status}.`)
    const refresh = given.refresh_token ?? this.#tokens.get(key)?.refresh
    this.#keep(key, {
      access: given.access_token,
      ...(typeof refresh === 'string' && { refresh }),
      ...(typeof given.expires_in === 'number' && { ends: Date.now() + given.expires_in * 1000 }),
      endpoint,
      clientId: form.client_id,
    })
  }

  #keep(key: string, tokens: Tokens | undefined): void {
    if (tokens) this.#tokens.set(key, tokens)
    else this.#tokens.delete(key)
    sessionStorage.setItem(tokensKey, JSON.stringify(Object.fromEntries(this.#tokens)))
  }
}

function stored<Value>(key: string): Value | undefined {
  const text = sessionStorage.getItem(key)
  return text === null ? undefined : (JSON.parse(text) as Value)
}

function randomText(): string {
  return base64Url(crypto.getRandomValues(new Uint8Array(32)))
}

function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
}

export const session = new Session()
