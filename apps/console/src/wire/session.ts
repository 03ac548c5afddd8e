/** Who asks: a token that was pasted, or that an OpenID provider gave (authorization code with PKCE). It ends with the tab. */

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
  readonly endpoint: string
  readonly clientId: string
  readonly redirectUri: string
  /** The address to come back to. */
  readonly address: string
}

export interface SignInAsk {
  readonly clientId: string
  readonly scope: string
  /** For whom the token is made. */
  readonly audience: string | undefined
}

const tokensKey = 'console.tokens'
const journeyKey = 'console.journey'

/** So long before its end a token is renewed, in milliseconds. */
const margin = 15_000

class Session {
  #tokens: Tokens | undefined = stored<Tokens>(tokensKey)

  get isSignedIn(): boolean {
    return this.#tokens !== undefined
  }

  /** The token to send; a new one where the old one is about to end. */
  readonly token = async (): Promise<string | undefined> => {
    const { ends, refresh, endpoint, clientId } = this.#tokens ?? {}
    const isEnding = ends !== undefined && ends - margin < Date.now()
    if (isEnding && refresh && endpoint && clientId) {
      const form = { grant_type: 'refresh_token', refresh_token: refresh, client_id: clientId }
      // Whoever cannot be renewed is refused by the service, and asked to sign in again.
      await this.#take(endpoint, clientId, form).catch(() => this.#keep(undefined))
    }
    return this.#tokens?.access
  }

  paste(token: string): void {
    this.#keep({ access: token.trim().replace(/^bearer\s+/i, '') })
  }

  leave(): void {
    this.#keep(undefined)
  }

  /** A token that the service does not take is of no use; one that came after it may be. */
  refuse(token: string | undefined): void {
    if (token !== undefined && token === this.#tokens?.access) this.#keep(undefined)
  }

  /** Goes to the provider, and comes back to this address with a code. */
  async begin(openIdConnectUrl: string, { clientId, scope, audience }: SignInAsk): Promise<void> {
    const provider = await provided(openIdConnectUrl)
    const verifier = randomText()
    const redirectUri = `${location.origin}${location.pathname}`
    const address = `${location.pathname}${location.search}${location.hash}`
    const journey: Journey = { state: randomText(), verifier, endpoint: provider.token, clientId, redirectUri, address }
    sessionStorage.setItem(journeyKey, JSON.stringify(journey))
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      scope,
      state: journey.state,
      code_challenge: base64Url(new Uint8Array(digest)),
      code_challenge_method: 'S256',
      // Providers know the one or the other name for whom a token is made for, and leave the other alone.
      ...(audience !== undefined && { audience }),
      ...(audience !== undefined && URL.canParse(audience) && { resource: audience }),
    })
    location.assign(`${provider.authorization}?${query}`)
  }

  /** Where this page is what the provider sent someone back to, the code becomes a token. */
  async finish(): Promise<void> {
    const query = new URLSearchParams(location.search)
    const journey = stored<Journey>(journeyKey)
    if (!journey || query.get('state') !== journey.state) return
    sessionStorage.removeItem(journeyKey)
    history.replaceState(null, '', journey.address)
    const refused = query.get('error')
    if (refused) throw new Error(`The provider refused: ${query.get('error_description') ?? refused}.`)
    await this.#take(journey.endpoint, journey.clientId, {
      grant_type: 'authorization_code',
      code: query.get('code') ?? '',
      redirect_uri: journey.redirectUri,
      client_id: journey.clientId,
      code_verifier: journey.verifier,
    })
  }

  async #take(endpoint: string, clientId: string, form: { readonly [name: string]: string }): Promise<void> {
    const response = await fetch(endpoint, { method: 'POST', body: new URLSearchParams(form) })
    const given = (await response.json().catch(() => ({}))) as { readonly [name: string]: unknown }
    if (!response.ok || typeof given.access_token !== 'string')
      throw new Error(`The provider gave no token: ${given.error_description ?? given.error ?? response.status}.`)
    const refresh = given.refresh_token ?? this.#tokens?.refresh
    this.#keep({
      access: given.access_token,
      ...(typeof refresh === 'string' && { refresh }),
      ...(typeof given.expires_in === 'number' && { ends: Date.now() + given.expires_in * 1000 }),
      endpoint,
      clientId,
    })
  }

  #keep(tokens: Tokens | undefined): void {
    this.#tokens = tokens
    if (tokens) sessionStorage.setItem(tokensKey, JSON.stringify(tokens))
    else sessionStorage.removeItem(tokensKey)
  }
}

async function provided(url: string): Promise<{ readonly authorization: string; readonly token: string }> {
  const response = await fetch(url)
  const told = (await response.json().catch(() => ({}))) as { readonly [name: string]: unknown }
  const { authorization_endpoint: authorization, token_endpoint: token } = told
  if (typeof authorization !== 'string' || typeof token !== 'string')
    throw new Error(`${url} does not say where to sign in: it answers ${response.status}.`)
  return { authorization, token }
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
