/** Verifies a token: that the issuer has made it, for this service, and that it is good now. */
import {
  decodeJwt,
  type FlattenedJWSInput,
  type JWTPayload,
  type JWTVerifyResult,
  errors as jose,
  jwtVerify,
} from 'jose'
import { quoted } from '../foundation/quoted.ts'
import type { JwtSettings } from './jwt-settings.ts'
import { signatures } from './jwt-settings.ts'
import type { KeySet } from './key-set.ts'
import { TokenRefused } from './token-problem.ts'

/** What a good token says. */
export interface Verified {
  /** The value of the claim that identifies the user. */
  readonly user: string
  readonly scopes: readonly string[]
  readonly claims: JWTPayload
  /** When it ends, in milliseconds since the epoch. */
  readonly until: number
}

/** Gives what a token says, or throws TokenRefused, or IssuerAway where nobody can tell. */
export type Verify = (token: string) => Promise<Verified>

/** More than this no issuer makes, and reading it would cost more than it is worth. */
const longestToken = 8192

/** Tokens that are made for other uses, such as to log someone out, are no access tokens though the issuer signs them. */
const types = ['jwt', 'at+jwt', 'application/jwt', 'application/at+jwt']

export function tokenVerifier(settings: JwtSettings, keys: KeySet): Verify {
  const { issuer, clockSkew = 30, algorithms = signatures, userClaim = 'sub' } = settings
  const audience = [settings.audience].flat()
  const options = {
    issuer,
    audience,
    algorithms: [...algorithms],
    clockTolerance: clockSkew,
    requiredClaims: ['exp'],
  }
  const findKey = (header: Parameters<KeySet['find']>[0], token: FlattenedJWSInput) => keys.find(header, token)
  return async (token) => {
    if (token.length > longestToken)
      throw new TokenRefused(
        `The token has ${token.length} characters, and at most ${longestToken} are read.`,
        'Ask the issuer for tokens with fewer claims.',
      )
    refuseOthers(token, issuer)
    const { payload, protectedHeader } = await jwtVerify(token, findKey, options).catch((error) =>
      tryAll(error, token, options).catch((reason) => {
        throw explained(reason, { issuer, audience, algorithms })
      }),
    )
    const { typ, crit } = protectedHeader
    if (crit !== undefined) throw new TokenRefused('The token has a "crit" header.', plainToken)
    if (typ !== undefined && !types.includes(`${typ}`.toLowerCase()))
      throw new TokenRefused(`The token is of the type ${quoted(typ)}.`, 'Send an access token.')
    if (payload.cnf !== undefined)
      throw new TokenRefused('The token is bound to a key of its holder, which is not asked for here.', plainToken)
    const user = userOf(payload, userClaim)
    const until = (Number(payload.exp) + clockSkew) * 1000
    return { user, scopes: scopesIn(payload), claims: payload, until }
  }
}

const plainToken = 'Ask the issuer for a plain Bearer token.'

/** Before a key is looked for: tokens of another issuer are signed with keys that nobody here knows. */
function refuseOthers(token: string, issuer: string): void {
  const iss = claimsOf(token).iss
  if (iss === issuer) return
  const named = iss === undefined ? 'names no issuer' : `is of the issuer ${quoted(iss)}`
  throw new TokenRefused(`The token ${named}, and only those of ${issuer} are accepted.`, `Get one from ${issuer}.`)
}

function claimsOf(token: string): JWTPayload {
  try {
    return decodeJwt(token)
  } catch {
    throw new TokenRefused('The token is no JWT.', 'Send an access token that the issuer makes as a JWT.')
  }
}

/** A token that does not say which key it is signed with may be signed with any. */
async function tryAll(
  error: unknown,
  token: string,
  options: Parameters<typeof jwtVerify>[2],
): Promise<JWTVerifyResult> {
  if (!(error instanceof jose.JWKSMultipleMatchingKeys)) throw error
  for await (const key of error) {
    try {
      return await jwtVerify(token, key, options)
    } catch (reason) {
      if (!(reason instanceof jose.JWSSignatureVerificationFailed)) throw reason
    }
  }
  throw new jose.JWSSignatureVerificationFailed()
}

interface Accepted {
  readonly issuer: string
  readonly audience: readonly string[]
  readonly algorithms: readonly string[]
}

/** What jose says, in words that help. What it says of the claims is said of a token whose signature is right. */
function explained(error: unknown, { issuer, audience, algorithms }: Accepted): unknown {
  const anew = `Get a new one from ${issuer}.`
  if (error instanceof jose.JWTExpired)
    return new TokenRefused(
      `The token expired at ${moment(error.payload.exp)}; it is ${moment(Date.now() / 1000)}.`,
      anew,
    )
  if (error instanceof jose.JWTClaimValidationFailed) return wrongClaim(error, audience, anew)
  if (error instanceof jose.JOSEAlgNotAllowed || error instanceof jose.JOSENotSupported)
    return new TokenRefused(
      'The token is not signed in a way that is accepted.',
      `Accepted are ${algorithms.join(', ')}.`,
    )
  if (error instanceof jose.JWKSNoMatchingKey)
    return new TokenRefused(`The token is signed with a key that ${issuer} does not publish.`, anew)
  if (error instanceof jose.JWSSignatureVerificationFailed)
    return new TokenRefused('The signature of the token is wrong.', anew)
  if (error instanceof jose.JWSInvalid || error instanceof jose.JWTInvalid)
    return new TokenRefused('The token is no JWT that can be read.', anew)
  return error
}

/** How many audiences of a token a message names. */
const mostShown = 5

function wrongClaim(
  { claim, reason, payload }: jose.JWTClaimValidationFailed,
  audience: readonly string[],
  anew: string,
) {
  if (reason === 'missing') return new TokenRefused(`The token has no "${claim}".`, `Let the issuer put "${claim}" in.`)
  if (claim === 'aud' && reason === 'check_failed') {
    const given = [payload.aud ?? []].flat().slice(0, mostShown).map(quoted).join(', ') || 'nobody'
    const detail = `The token is for ${given}, not for ${audience.map(quoted).join(' or ')}.`
    return new TokenRefused(detail, 'Ask the issuer for one with this audience.')
  }
  if (claim === 'nbf' && reason === 'check_failed') {
    const detail = `The token is good from ${moment(payload.nbf)} on; it is ${moment(Date.now() / 1000)}.`
    return new TokenRefused(detail, 'Wait, or see whether the clocks are right.')
  }
  return new TokenRefused(`The "${claim}" of the token is wrong.`, anew)
}

function moment(seconds: number | undefined): string {
  const date = new Date(Number(seconds) * 1000)
  return Number.isNaN(date.getTime()) ? `${seconds}` : date.toISOString().replace(/\.\d+Z$/, 'Z')
}

/** As OpenID Connect has it for `sub`. The name is in the access log, so it must not be cut. */
const longestUser = 255

/** One claim identifies the user: with a second one in its place, a token could be that of another user. */
function userOf(payload: JWTPayload, claim: string): string {
  const user = payload[claim]
  if (typeof user !== 'string' || user === '')
    throw new TokenRefused(
      `The token has no text in "${claim}", which identifies the user.`,
      `Let the issuer put "${claim}" in.`,
    )
  if (user.length > longestUser)
    throw new TokenRefused(
      `The "${claim}" of the token has ${user.length} characters, and at most ${longestUser} are accepted.`,
      'Let the issuer use a shorter one.',
    )
  return user
}

/** `scope` is a text with spaces; `scp`, as other issuers have it, that or a list. */
function scopesIn({ scope, scp }: JWTPayload): readonly string[] {
  const given = [scope, scp].flat().filter((one) => typeof one === 'string')
  return [...new Set(given.flatMap((text) => text.split(' ')).filter((text) => text !== ''))]
}
