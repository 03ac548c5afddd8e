/** The session: a pasted token, or one from an OpenID provider, kept until the tab is closed. */
import type { TokenEndpointResponse } from 'oauth4webapi'
import { ProblemError } from '../../model/service/problem.ts'
import { saveDrafts } from '../../state/draft.ts'
import { unreachable } from '../failure.ts'
import { type Identity, type IdentityTokens, identityIn } from './identity.ts'
import type { PendingSignIn, Registration, SignInRequest } from './open-id-provider.ts'
import type { TokenBinding } from './token-binding.ts'

interface Tokens extends IdentityTokens {
  readonly refresh?: string
  /** The expiry of the access token in milliseconds; unknown for a pasted token. */
  readonly expiresAtMs?: number
  /** The client that renews the token; undefined for a pasted token. */
  readonly registration?: Registration
}

interface SignInState {
  readonly pending: PendingSignIn
  /** The key of the binding of the future token. */
  readonly binding: string
  /** The URL to return to after the sign-in. */
  readonly address: string
}

/** Tokens by the key of their binding. */
const tokensKey = 'console.bound-tokens'
const signInKey = 'console.sign-in'

/** A token is renewed this long before it expires. */
const renewalMarginMs = 15_000

const loadProvider = () => import('./open-id-provider.ts')

class Session {
  readonly #tokens = new Map(Object.entries(readStored<{ readonly [key: string]: Tokens }>(tokensKey) ?? {}))
  /** A provider may accept a refresh token only once, so requests at the same time share a renewal. */
  readonly #renewals = new Map<string, Promise<void>>()

  isSignedIn({ key }: TokenBinding): boolean {
    return this.#tokens.has(key)
  }

  /** The person and the scopes of the token; undefined without a token. */
  identity({ key }: TokenBinding): Identity | undefined {
    const tokens = this.#tokens.get(key)
    return tokens && identityIn(tokens)
  }

  /** The token to send, renewed if it is about to expire. */
  async token({ key }: TokenBinding): Promise<string | undefined> {
    const { expiresAtMs: ends } = this.#tokens.get(key) ?? {}
    if (ends !== undefined && ends - renewalMarginMs < Date.now()) {
      const renewal = this.#renewals.get(key) ?? this.#renew(key).finally(() => this.#renewals.delete(key))
      this.#renewals.set(key, renewal)
      await renewal
    }
    return this.#tokens.get(key)?.access
  }

  /** The token endpoint of the provider. */
  endpoint({ key }: TokenBinding): string | undefined {
    return this.#tokens.get(key)?.registration?.provider.token_endpoint
  }

  paste({ key }: TokenBinding, token: string): void {
    this.store(key, { access: token })
  }

  signOut({ key }: TokenBinding): void {
    this.store(key, undefined)
  }

  /** Removes a rejected token, unless it was replaced since. */
  removeRejected({ key }: TokenBinding, token: string | undefined): void {
    if (token !== undefined && token === this.#tokens.get(key)?.access) this.store(key, undefined)
  }

  /** Redirects to the provider, which redirects back with a code. */
  async begin(binding: TokenBinding, request: Omit<SignInRequest, 'redirectUri'>): Promise<void> {
    const { startSignIn } = await loadProvider()
    const redirectUri = `${location.origin}${location.pathname}`
    const { pending, url } = await startSignIn({ ...request, redirectUri })
    const signIn: SignInState = { pending, binding: binding.key, address: location.href }
    sessionStorage.setItem(signInKey, JSON.stringify(signIn))
    saveDrafts()
    location.assign(url)
  }

  /** If this page is the response of the provider, its code becomes a token. */
  async finish(): Promise<void> {
    const query = new URLSearchParams(location.search)
    const signIn = readStored<SignInState>(signInKey)
    if (!signIn || !(query.has('code') || query.has('error'))) return
    sessionStorage.removeItem(signInKey)
    history.replaceState(null, '', signIn.address)
    const { finishSignIn } = await loadProvider()
    const response = await finishSignIn(signIn.pending, query)
    this.store(signIn.binding, tokensOf(signIn.pending, response))
  }

  async #renew(key: string): Promise<void> {
    const tokens = this.#tokens.get(key)
    const { registration, refresh } = tokens ?? {}
    if (!registration || refresh === undefined) return
    const renewed = await loadProvider()
      .then(({ renew }) => renew(registration, refresh))
      .then((response) => ({
        // A renewal may leave out the person and the scopes, which have not changed.
        ...(tokens?.id !== undefined && { id: tokens.id }),
        ...(tokens?.scope !== undefined && { scope: tokens.scope }),
        ...tokensOf(registration, { refresh_token: refresh, ...response }),
      }))
      .catch((error) => {
        // The provider has not refused the renewal: it did not respond, or the page was left.
        if (error instanceof TypeError) throw new ProblemError(unreachable(registration.provider.issuer, error))
        // Without a token the service asks to sign in again.
        return undefined
      })
    // A person may have signed out, or pasted a token, in the meantime.
    if (this.#tokens.get(key) === tokens) this.store(key, renewed)
  }

  store(key: string, tokens: Tokens | undefined): void {
    if (tokens) this.#tokens.set(key, tokens)
    else this.#tokens.delete(key)
    sessionStorage.setItem(tokensKey, JSON.stringify(Object.fromEntries(this.#tokens)))
  }
}

function tokensOf({ provider, client }: Registration, response: TokenEndpointResponse): Tokens {
  const { access_token: access, refresh_token: refresh, id_token: id, scope, expires_in: seconds } = response
  return {
    access,
    ...(id !== undefined && { id }),
    ...(scope !== undefined && { scope }),
    ...(refresh !== undefined && { refresh }),
    ...(seconds !== undefined && { expiresAtMs: Date.now() + seconds * 1000 }),
    registration: { provider, client },
  }
}

function readStored<Value>(key: string): Value | undefined {
  const text = sessionStorage.getItem(key)
  return text === null ? undefined : (JSON.parse(text) as Value)
}

export const session = new Session()
