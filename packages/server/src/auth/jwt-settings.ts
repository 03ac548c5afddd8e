/** Settings for JWT authentication. */

/** Settings for JWT bearer authentication: the issuer, the audience and the accepted signatures. */
export interface JwtSettings {
  /**
   * The issuer of the tokens, exactly as in their claim `iss`.
   *
   * @example
   * issuer: 'https://login.example.com/realms/main'
   */
  readonly issuer: string
  /**
   * The audience of the tokens. With several, one of them must be in the claim `aud`.
   *
   * @example
   * audience: 'directory'
   */
  readonly audience: string | readonly string[]
  /**
   * The URL of the issuer's keys, a JSON Web Key Set.
   *
   * @default the `jwks_uri` of the issuer's `/.well-known/openid-configuration`
   */
  readonly jwksUrl?: string
  /**
   * The issuer's keys as a JSON Web Key Set. Nothing is fetched from the issuer then.
   *
   * @example
   * jwks: { keys: [publicKey] }
   *
   * @default the keys are fetched from the issuer
   */
  readonly jwks?: { readonly keys: readonly object[] }
  /**
   * The accepted signature algorithms.
   *
   * @default RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512, EdDSA, Ed25519
   */
  readonly algorithms?: readonly string[]
  /**
   * Tolerated difference between the clocks of issuer and service, in seconds, from 0 to 600.
   *
   * @default 30
   */
  readonly clockSkewSeconds?: number
  /**
   * The claim that identifies the user. Set another claim only if the issuer never assigns its value to a second user.
   *
   * @default 'sub'
   */
  readonly userClaim?: string
}

/** Asymmetric signature algorithms. With a shared secret, every service that verifies tokens could also create them. */
export const signatures: readonly string[] = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
]

/** An invalid setting, with a hint how to fix it. */
export class SettingError extends Error {
  override readonly name = 'SettingError'
  readonly setting: keyof JwtSettings
  readonly hint: string

  constructor(setting: keyof JwtSettings, detail: string, hint: string) {
    super(detail)
    this.setting = setting
    this.hint = hint
  }
}

/** Throws SettingError if a setting is invalid or unsafe. */
export function checkJwtSettings(settings: JwtSettings) {
  const { issuer, audience, jwksUrl, algorithms = signatures, clockSkewSeconds = 0, userClaim = 'sub' } = settings
  if (!isUrl(issuer)) throw new SettingError('issuer', `The issuer "${issuer}" is not a URL.`, urlHint)
  if (jwksUrl !== undefined && !isUrl(jwksUrl))
    throw new SettingError('jwksUrl', `The location of the keys, "${jwksUrl}", is not a URL.`, urlHint)
  if ([audience].flat().length === 0 || [audience].flat().includes(''))
    throw new SettingError(
      'audience',
      'The audience must not be empty.',
      'Use the value that tokens for this service have in the aud claim.',
    )
  const unknown = algorithms.find((algorithm) => !signatures.includes(algorithm))
  if (unknown !== undefined || algorithms.length === 0)
    throw new SettingError(
      'algorithms',
      unknown === undefined
        ? 'The list of algorithms must not be empty.'
        : `The signature algorithm "${unknown}" is not supported.`,
      `Use one or more of ${signatures.join(', ')}.`,
    )
  if (!(clockSkewSeconds >= 0 && clockSkewSeconds <= maxSkewSeconds))
    throw new SettingError(
      'clockSkewSeconds',
      `The clock skew ${clockSkewSeconds} is out of range.`,
      `Use seconds from 0 to ${maxSkewSeconds}.`,
    )
  if (userClaim.trim() === '')
    throw new SettingError(
      'userClaim',
      'The claim that identifies the user must not be empty.',
      'Use the name of a claim, such as sub.',
    )
}

const urlHint = 'Use a URL that starts with https://, or with http:// on a trusted network.'

/** A larger skew would accept expired tokens for too long. */
const maxSkewSeconds = 600

function isUrl(text: string): boolean {
  return /^https?:$/.test(URL.parse(text)?.protocol ?? '')
}
