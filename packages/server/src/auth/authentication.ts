/** Creates the parts that authenticate the requests of a service. */
import type { Service } from '../define/definition.ts'
import { type Authenticate, authenticator } from './authenticate.ts'
import type { CallerRecords } from './caller-records.ts'
import { checkJwtSettings, type JwtSettings } from './jwt-settings.ts'
import { KeySet } from './key-set.ts'
import { type Challenger, challenger } from './token-problem.ts'
import { tokenVerifier } from './verify-token.ts'

export interface Authentication {
  readonly authenticate: Authenticate
  readonly challenge: Challenger
  /** Why the keys of the issuer cannot be fetched; undefined if they can. */
  readonly unavailableReason: () => string | undefined
}

export function createAuthentication(
  { name }: Service,
  settings: JwtSettings,
  records: CallerRecords | undefined,
  onFault: (message: string, error: unknown) => void,
): Authentication {
  checkJwtSettings(settings)
  const { issuer, jwksUrl, jwks } = settings
  const keys = new KeySet({ issuer, jwksUrl, jwks, onFault })
  keys.prefetch()
  const challenge = challenger(name)
  const verify = tokenVerifier(settings, keys)
  return {
    authenticate: authenticator({ issuer, verify, keys, challenge, records }),
    challenge,
    unavailableReason: () => keys.unavailableReason(),
  }
}
