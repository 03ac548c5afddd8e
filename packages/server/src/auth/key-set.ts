/** The keys of an issuer: fetched when they are needed, fetched again when they change, kept while the issuer is away. */
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
  /** Where the keys are; where left out, the issuer's own document says so. */
  readonly jwksUrl?: string | undefined
  /** Told when the keys cannot be fetched, once, and when they can be again. */
  readonly onFault: (message: string, error: unknown) => void
}

/** Thrown where a key is not known and the issuer cannot be asked. */
export class IssuerAway extends Error {
  override readonly name = 'IssuerAway'
}

/** Keys of this age, in milliseconds, are not used before the issuer was asked for others. */
const oldAfter = 10 * 60_000

/** So long the issuer is not asked again, whoever sends tokens of unknown keys; and where there are no keys at all. */
const pause = 10_000
const pauseWithout = 1000

/** How long the issuer may take. */
const timeoutMs = 5000

export class KeySet {
  readonly #options: KeySetOptions
  #find: ReturnType<typeof createLocalJWKSet> | undefined
  /** The keys as they came, to notice others. */
  #text = ''
  #fetchedAt = Number.NEGATIVE_INFINITY
  #triedAt = Number.NEGATIVE_INFINITY
  readonly #outage: Outage
  #underWay: Promise<void> | undefined
  /** Counts up when the keys become others: what was verified by those before is to be verified again. */
  #generation = 0

  constructor(options: KeySetOptions) {
    this.#options = options
    const { issuer, onFault } = options
    this.#outage = new Outage((error) => {
      const rest = this.#find
        ? 'Those that are known go on being used.'
        : 'Until they can be, every token is answered with 503.'
      onFault(`The keys of ${issuer} cannot be fetched. ${rest}`, error)
    })
  }

  get generation(): number {
    return this.#generation
  }

  /** The key that a token is signed with. A key that is not known may be new: the issuer is asked, not too often. */
  async find(header: JWSHeaderParameters, token: FlattenedJWSInput): Promise<CryptoKey> {
    await this.#renew()
    if (!this.#find) throw this.#away()
    try {
      return await this.#find(header, token)
    } catch (error) {
      if (!(error instanceof joseErrors.JWKSNoMatchingKey)) throw error
    }
    await this.#fetch()
    try {
      return await this.#find(header, token)
    } catch (error) {
      if (this.#outage.fault !== undefined && error instanceof joseErrors.JWKSNoMatchingKey) throw this.#away()
      throw error
    }
  }

  /** Nobody waits for an issuer that was away at the last try, as long as there are keys. */
  async #renew(): Promise<void> {
    if (performance.now() - this.#fetchedAt < oldAfter) return
    const wasAway = this.#outage.fault !== undefined
    const fetched = this.#fetch()
    if (!(wasAway && this.#find)) await fetched
  }

  /** Asks the issuer, once for all who wait. A failure is kept, not thrown. */
  #fetch(): Promise<void> {
    if (this.#underWay) return this.#underWay
    const since = performance.now() - this.#triedAt
    if (since < (this.#find ? pause : pauseWithout)) return Promise.resolve()
    this.#triedAt = performance.now()
    this.#underWay = this.#load()
      .then(
        () => this.#succeed(),
        (error) => this.#outage.fail(error),
      )
      .finally(() => {
        this.#underWay = undefined
      })
    return this.#underWay
  }

  async #load(): Promise<void> {
    const keys = (await getJson(await this.#address(), timeoutMs)) as JSONWebKeySet
    const text = JSON.stringify(keys)
    if (text === this.#text) return
    this.#find = createLocalJWKSet(keys)
    this.#text = text
    this.#generation++
  }

  async #address(): Promise<string> {
    return this.#options.jwksUrl ?? (await discover(this.#options.issuer))
  }

  #succeed(): void {
    const { issuer, onFault } = this.#options
    if (this.#outage.succeed()) onFault(`The keys of ${issuer} can be fetched again.`, undefined)
    this.#fetchedAt = performance.now()
  }

  #away(): IssuerAway {
    return new IssuerAway(`The keys of ${this.#options.issuer} cannot be fetched.`, { cause: this.#outage.fault })
  }
}

/** The address of the keys, from the issuer's own document. */
async function discover(issuer: string): Promise<string> {
  const { address, jwks_uri: keys } = await issuerDocument(issuer, timeoutMs)
  if (typeof keys !== 'string') throw new Error(`${address} names no jwks_uri.`)
  return keys
}
