/** What stands between tokens and callers, put together for a service. */
import type { Service } from '../define/definition.ts'
import { type Authenticate, authenticator } from './authenticate.ts'
import type { CallerRecords } from './caller-records.ts'
import { checkJwtSettings, type JwtSettings } from './jwt-settings.ts'
import { KeySet } from './key-set.ts'
import { type Challenger, challenger } from './token-problem.ts'
import { tokenVerifier } from './verify-token.ts'

export interface Guard {
  readonly authenticate: Authenticate
  readonly challenge: Challenger
}

export function guard(
  { name }: Service,
  settings: JwtSettings,
  records: CallerRecords | undefined,
  onFault: (message: string, error: unknown) => void,
): Guard {
  checkJwtSettings(settings)
  const { issuer, jwksUrl } = settings
  const keys = new KeySet({ issuer, jwksUrl, onFault })
  const challenge = challenger(name)
  const verify = tokenVerifier(settings, keys)
  return {
    authenticate: authenticator({ issuer, verify, keys, challenge, records }),
    challenge,
  }
}
