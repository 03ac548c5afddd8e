import { describe, expect, it } from 'vitest'
import { identityIn } from './identity.ts'

function token(claims: object): string {
  return ['e30', Buffer.from(JSON.stringify(claims)).toString('base64url'), 'signature'].join('.')
}

describe('the identity of a token', () => {
  it('has the name of the ID token, and issuer and scopes of the access token', () => {
    const access = token({ iss: 'https://login.example.com', sub: 'u-7', scope: 'user:read user:write' })
    expect(identityIn({ access, id: token({ sub: 'u-7', name: 'Łukasz Nowak' }) })).toEqual({
      name: 'Łukasz Nowak',
      issuer: 'https://login.example.com',
      scopes: ['user:read', 'user:write'],
    })
  })

  it('reads scopes from scp, or else from the response of the provider', () => {
    expect(identityIn({ access: token({ sub: 'u', scp: ['a:read'] }) }).scopes).toEqual(['a:read'])
    expect(identityIn({ access: token({ sub: 'u', scp: 'a:read b:read' }) }).scopes).toEqual(['a:read', 'b:read'])
    expect(identityIn({ access: 'opaque', scope: 'a:read' }).scopes).toEqual(['a:read'])
  })

  it('is unknown for a token that is not readable', () => {
    for (const access of ['opaque', 'a.b.c', '', token([])])
      expect(identityIn({ access })).toEqual({ name: undefined, issuer: undefined, scopes: undefined })
  })
})
