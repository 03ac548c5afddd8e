/** The person and the scopes of a token, as far as the page can read them. The service verifies the token, not the page. */
import { isObject, type Json } from '../../model/service/openapi.ts'

export interface Identity {
  /** The name of the person, or the ID of the user; undefined if the token is not readable. */
  readonly name: string | undefined
  readonly issuer: string | undefined
  /** Undefined if they are not known. */
  readonly scopes: readonly string[] | undefined
}

export interface IdentityTokens {
  readonly access: string
  readonly id?: string
  /** The granted scopes, from the response of the provider. */
  readonly scope?: string
}

export function identityIn({ access, id, scope }: IdentityTokens): Identity {
  const claims = claimsIn(access)
  const person = { ...claims, ...claimsIn(id ?? '') }
  const names = [person.name, person.preferred_username, person.email, person.sub]
  const scopes = [claims.scope, claims.scp, scope].flat().find((value) => typeof value === 'string')
  return {
    name: names.find((name): name is string => typeof name === 'string' && name !== ''),
    issuer: typeof claims.iss === 'string' ? claims.iss : undefined,
    scopes: Array.isArray(claims.scp) ? claims.scp.map(String) : scopes?.split(' ').filter(Boolean),
  }
}

/** The payload of a JSON Web Token; empty for any other token. */
function claimsIn(token: string): Json {
  const [, payload = ''] = token.split('.')
  try {
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (letter) =>
      letter.charCodeAt(0),
    )
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return isObject(claims) ? claims : {}
  } catch {
    return {}
  }
}
