/** Which tokens are accepted. */

export interface JwtSettings {
  /** Who makes the tokens, exactly as `iss` has it: `https://login.example.com/realms/main`. */
  readonly issuer: string
  /** For whom they must be made: one of these must be in `aud`. */
  readonly audience: string | readonly string[]
  /** Where the issuer's keys are; its `/.well-known/openid-configuration` says so where left out. */
  readonly jwksUrl?: string
  /** How they may be signed; every one of `signatures` unless given. */
  readonly algorithms?: readonly string[]
  /** How many seconds the clocks may differ; 30 where left out. */
  readonly clockSkew?: number
  /**
   * The claim that identifies the user. Name another one only if the issuer never gives its value to a second user.
   *
   * @default 'sub'
   */
  readonly userClaim?: string
}

/** Signatures of a key pair. With a shared secret, whoever can verify a token could make one. */
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

/** What is wrong with one of the settings, and what to do. */
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

/** Throws where tokens could not be verified by these settings, or too many would be accepted. */
export function checkJwtSettings(settings: JwtSettings) {
  const { issuer, audience, jwksUrl, algorithms = signatures, clockSkew = 0, userClaim = 'sub' } = settings
  if (!isAddress(issuer)) throw new SettingError('issuer', `The issuer is "${issuer}".`, addressHint)
  if (jwksUrl !== undefined && !isAddress(jwksUrl))
    throw new SettingError('jwksUrl', `The address of the keys is "${jwksUrl}".`, addressHint)
  if ([audience].flat().length === 0 || [audience].flat().includes(''))
    throw new SettingError('audience', 'The audience is empty.', 'Give the name by which the issuer knows the service.')
  const unknown = algorithms.find((one) => !signatures.includes(one))
  if (unknown !== undefined || algorithms.length === 0)
    throw new SettingError(
      'algorithms',
      unknown === undefined ? 'No algorithm is accepted.' : `"${unknown}" is no signature that is accepted.`,
      `Use some of ${signatures.join(', ')}.`,
    )
  if (!(clockSkew >= 0 && clockSkew <= mostSkew))
    throw new SettingError('clockSkew', `The clock skew is ${clockSkew}.`, `Give seconds from 0 to ${mostSkew}.`)
  if (userClaim.trim() === '')
    throw new SettingError('userClaim', 'The claim that identifies the user is empty.', 'Give its name, such as sub.')
}

const addressHint = 'Give an address that begins with https://, or with http:// on a network that you trust.'

/** Clocks that differ by more are wrong, and tokens would live on. */
const mostSkew = 600

function isAddress(text: string): boolean {
  return /^https?:$/.test(URL.parse(text)?.protocol ?? '')
}
