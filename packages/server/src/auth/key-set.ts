/** The keys of an issuer: fetched at start, fetched again when they change, and kept while the issuer is unreachable. */
import {
  type CryptoKey,
  createLocalJWKSet,
  type FlattenedJWSInput,
  type JSONWebKeySet,
  type JWSHeaderParameters,
  errors as joseErrors,
} from 'jose'
import { Outage } from '../foundation/outage.ts'
import { getJson, issuerDocument } from './issuer-document.ts'

export interface KeySetOptions {
  readonly issuer: string
  /** The URL of the keys (default: from the discovery document of the issuer). */
  readonly jwksUrl?: string | undefined
  /** The keys themselves, if they need not be fetched. */
  readonly jwks?: { readonly keys: readonly object[] } | undefined
  /** Called once when the keys cannot be fetched, and again when they can. */
  readonly onFault: (message: string, error: unknown) => void
}

/** Thrown if a key is unknown and the issuer is unreachable. */
export class IssuerUnavailable extends Error {
  override readonly name = 'IssuerUnavailable'
}

/** Older keys are fetched again before they are used. */
const maxAgeMs = 10 * 60_000

/** The minimum time between two fetches, so that tokens with unknown keys cannot flood the issuer; shorter without any keys. */
const pauseMs = 10_000
const pauseWithoutKeysMs = 1000

/** The timeout of a fetch. */
const timeoutMs = 5000

export class KeySet {
  readonly #options: KeySetOptions
  #find: ReturnType<typeof createLocalJWKSet> | undefined
  /** The JSON of the keys, to notice changes. */
  #text = ''
  #fetchedAt = Number.NEGATIVE_INFINITY
  #triedAt = Number.NEGATIVE_INFINITY
  readonly #outage: Outage
  #fetching: Promise<void> | undefined
  /** Increases when the keys change: tokens that were verified with old keys must be verified again. */
  #generation = 0

  constructor(options: KeySetOptions) {
    this.#options = options
    const { issuer, onFault } = options
    this.#outage = new Outage((error) => {
      const consequence = this.#find
        ? 'The service continues with the cached keys.'
        : 'Until they are fetched, requests with a token get 503.'
      onFault(`The keys of ${issuer} cannot be fetched. ${consequence}`, error)
    })
  }

  get generation(): number {
    return this.#generation
  }

  /** Fetches the keys, so that an unreachable issuer is reported before the first token arrives. */
  prefetch(): void {
    void this.#fetch()
  }

  /** Why the keys cannot be fetched; undefined if they can. Starts another attempt if the last one failed. */
  unavailableReason(): string | undefined {
    if (this.#outage.fault === undefined) return undefined
    void this.#fetch()
    const consequence = this.#find ? 'The cached keys are used.' : 'Requests with a token get 503.'
    return `The keys of the token issuer cannot be fetched. ${consequence}`
  }

  /** The key that a token is signed with. An unknown key may be new, so the keys are fetched again, but not too often. */
  async find(header: JWSHeaderParameters, token: FlattenedJWSInput): Promise<CryptoKey> {
    await this.#renew()
    if (!this.#find) throw this.#unavailableError()
    try {
      return await this.#find(header, token)
    } catch (error) {
      if (!(error instanceof joseErrors.JWKSNoMatchingKey)) throw error
    }
    await this.#fetch()
    try {
      return await this.#find(header, token)
    } catch (error) {
      if (this.#outage.fault !== undefined && error instanceof joseErrors.JWKSNoMatchingKey)
        throw this.#unavailableError()
      throw error
    }
  }

  /** Fetches old keys again. Does not wait if the last attempt failed and there are cached keys. */
  async #renew(): Promise<void> {
    if (performance.now() - this.#fetchedAt < maxAgeMs) return
    const hasFailed = this.#outage.fault !== undefined
    const fetching = this.#fetch()
    if (!(hasFailed && this.#find)) await fetching
  }

  /** Fetches the keys; concurrent calls share one fetch. It does not reject: a failure is kept as an outage. */
  #fetch(): Promise<void> {
    if (this.#fetching) return this.#fetching
    const sinceLastMs = performance.now() - this.#triedAt
    if (sinceLastMs < (this.#find ? pauseMs : pauseWithoutKeysMs)) return Promise.resolve()
    this.#triedAt = performance.now()
    this.#fetching = this.#load()
      .then(
        () => this.#succeed(),
        (error) => this.#outage.fail(error),
      )
      .finally(() => {
        this.#fetching = undefined
      })
    return this.#fetching
  }

  async #load(): Promise<void> {
    const keys = (this.#options.jwks ?? (await getJson(await this.#url(), timeoutMs))) as JSONWebKeySet
    const text = JSON.stringify(keys)
    if (text === this.#text) return
    this.#find = createLocalJWKSet(keys)
    this.#text = text
    this.#generation++
  }

  async #url(): Promise<string> {
    return this.#options.jwksUrl ?? (await discover(this.#options.issuer))
  }

  #succeed(): void {
    const { issuer, onFault } = this.#options
    if (this.#outage.succeed()) onFault(`The keys of ${issuer} can be fetched again.`, undefined)
    this.#fetchedAt = performance.now()
  }

  #unavailableError(): IssuerUnavailable {
    return new IssuerUnavailable(`The keys of ${this.#options.issuer} cannot be fetched.`, {
      cause: this.#outage.fault,
    })
  }
}

/** The URL of the keys, from the discovery document of the issuer. */
async function discover(issuer: string): Promise<string> {
  const { url, jwks_uri: keys } = await issuerDocument(issuer, timeoutMs)
  if (typeof keys !== 'string') throw new Error(`${url} has no jwks_uri.`)
  return keys
}
