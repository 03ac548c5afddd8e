/** Verifies a token: its signature, issuer, audience and validity period. */
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
import { InvalidToken } from './token-problem.ts'
import { maxUserLength } from './user-length.ts'

/** The content of a valid token. */
export interface VerifiedToken {
  /** The value of the claim that identifies the user. */
  readonly user: string
  readonly scopes: readonly string[]
  readonly claims: JWTPayload
  /** When the token expires, in milliseconds since the epoch. */
  readonly expiresAt: number
}

/** Returns the content of a token. Throws InvalidToken if it is invalid, and IssuerUnavailable if it cannot be verified now. */
export type Verify = (token: string) => Promise<VerifiedToken>

/** The maximum length of a token. Longer ones would be expensive to parse. */
const maxTokenLength = 8192

/** The types of access tokens. The issuer also signs tokens for other uses, such as logout tokens. */
const types = ['jwt', 'at+jwt', 'application/jwt', 'application/at+jwt']

export function tokenVerifier(settings: JwtSettings, keys: KeySet): Verify {
  const { issuer, clockSkewSeconds = 30, algorithms = signatures, userClaim = 'sub' } = settings
  const audience = [settings.audience].flat()
  const options = {
    issuer,
    audience,
    algorithms: [...algorithms],
    clockTolerance: clockSkewSeconds,
    requiredClaims: ['exp'],
  }
  const findKey = (header: Parameters<KeySet['find']>[0], token: FlattenedJWSInput) => keys.find(header, token)
  return async (token) => {
    if (token.length > maxTokenLength)
      throw new InvalidToken(
        `The token has ${token.length} characters; the limit is ${maxTokenLength}.`,
        'Configure the issuer to put fewer claims into tokens.',
      )
    rejectOtherIssuers(token, issuer)
    const { payload, protectedHeader } = await jwtVerify(token, findKey, options).catch((error) =>
      verifyWithAllKeys(error, token, options).catch((reason) => {
        throw explainError(reason, { issuer, audience, algorithms })
      }),
    )
    const { typ, crit } = protectedHeader
    if (crit !== undefined) throw new InvalidToken('Tokens with a "crit" header are not supported.', plainTokenHint)
    if (typ !== undefined && !types.includes(`${typ}`.toLowerCase()))
      throw new InvalidToken(`The token has the type ${quoted(typ)}.`, 'Send an access token.')
    if (payload.cnf !== undefined)
      throw new InvalidToken('Sender-constrained tokens, with the claim "cnf", are not supported.', plainTokenHint)
    const user = userOf(payload, userClaim)
    const expiresAt = (Number(payload.exp) + clockSkewSeconds) * 1000
    return { user, scopes: scopesIn(payload), claims: payload, expiresAt }
  }
}

const plainTokenHint = 'Request a plain Bearer token from the issuer.'

/** Rejects tokens of other issuers before their key is looked up, because it would be unknown. */
function rejectOtherIssuers(token: string, issuer: string): void {
  const iss = claimsOf(token).iss
  if (iss === issuer) return
  const issuerText = iss === undefined ? 'has no issuer' : `has the issuer ${quoted(iss)}`
  throw new InvalidToken(
    `The token ${issuerText}; only tokens from ${issuer} are accepted.`,
    `Get a token from ${issuer}.`,
  )
}

function claimsOf(token: string): JWTPayload {
  try {
    return decodeJwt(token)
  } catch {
    throw new InvalidToken('The token is not a JWT.', 'Send an access token in JWT format.')
  }
}

/** Tries all keys, for a token that does not name its key. */
async function verifyWithAllKeys(
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

interface AcceptedTokens {
  readonly issuer: string
  readonly audience: readonly string[]
  readonly algorithms: readonly string[]
}

/** Turns an error of jose into a reason for the client. jose checks claims only if the signature is valid. */
function explainError(error: unknown, { issuer, audience, algorithms }: AcceptedTokens): unknown {
  const newTokenHint = `Get a new token from ${issuer}.`
  if (error instanceof jose.JWTExpired)
    return new InvalidToken(
      `The token expired at ${timeText(error.payload.exp)}; the time is ${timeText(Date.now() / 1000)}.`,
      newTokenHint,
    )
  if (error instanceof jose.JWTClaimValidationFailed) return invalidClaim(error, audience, newTokenHint)
  if (error instanceof jose.JOSEAlgNotAllowed || error instanceof jose.JOSENotSupported)
    return new InvalidToken(
      'The signature algorithm of the token is not accepted.',
      `Accepted algorithms: ${algorithms.join(', ')}.`,
    )
  if (error instanceof jose.JWKSNoMatchingKey)
    return new InvalidToken(`The token is signed with a key that ${issuer} does not publish.`, newTokenHint)
  if (error instanceof jose.JWSSignatureVerificationFailed)
    return new InvalidToken('The signature of the token is invalid.', newTokenHint)
  if (error instanceof jose.JWSInvalid || error instanceof jose.JWTInvalid)
    return new InvalidToken('The token is not a valid JWT.', newTokenHint)
  return error
}

/** The maximum number of audiences in a message. */
const maxShown = 5

function invalidClaim(
  { claim, reason, payload }: jose.JWTClaimValidationFailed,
  audience: readonly string[],
  newTokenHint: string,
) {
  if (reason === 'missing')
    return new InvalidToken(`The token has no claim "${claim}".`, `Configure the issuer to add "${claim}".`)
  if (claim === 'aud' && reason === 'check_failed') {
    const audiences = [payload.aud ?? []].flat().slice(0, maxShown).map(quoted).join(', ') || 'empty'
    const expected = audience.map(quoted).join(' or ')
    const detail = `The audience of the token is ${audiences}, not ${expected}.`
    return new InvalidToken(detail, `Request a token for ${expected} from the issuer.`)
  }
  if (claim === 'nbf' && reason === 'check_failed') {
    const detail = `The token is not valid before ${timeText(payload.nbf)}; the time is ${timeText(Date.now() / 1000)}.`
    return new InvalidToken(detail, 'Wait, or check the clocks of both systems.')
  }
  return new InvalidToken(`The claim "${claim}" of the token is invalid.`, newTokenHint)
}

function timeText(seconds: number | undefined): string {
  const date = new Date(Number(seconds) * 1000)
  return Number.isNaN(date.getTime()) ? `${seconds}` : date.toISOString().replace(/\.\d+Z$/, 'Z')
}

/** Exactly one claim identifies the user. With a fallback claim, a token could pass for that of another user. */
function userOf(payload: JWTPayload, claim: string): string {
  const user = payload[claim]
  if (typeof user !== 'string' || user === '')
    throw new InvalidToken(
      `The claim "${claim}", which identifies the user, is missing or not a string.`,
      `Configure the issuer to add "${claim}".`,
    )
  // The access log and the history have the name, so it must not be truncated.
  if (user.length > maxUserLength)
    throw new InvalidToken(
      `The claim "${claim}" of the token has ${user.length} characters; the limit is ${maxUserLength}.`,
      'Configure the issuer to use a shorter value.',
    )
  return user
}

/** `scope` is a list separated by spaces. Some issuers use `scp` instead, as such a string or as an array. */
function scopesIn({ scope, scp }: JWTPayload): readonly string[] {
  const texts = [scope, scp].flat().filter((text) => typeof text === 'string')
  return [...new Set(texts.flatMap((text) => text.split(' ')).filter((text) => text !== ''))]
}
