/** Notes that require a token, the OpenID provider that issues tokens, and handmade tokens. */
import { api, createdBy, identity, noun, reference, resource, text, updatedBy } from '@nomen/core'
import { callerNoun, type JwtSettings, type Service, type Settings, service } from '@nomen/server'
import { audience, newKey, type OpenIdProvider, startOpenIdProvider } from '@nomen/testing/openid-provider'
import { type CryptoKey, importJWK, type JWTHeaderParameters, type JWTPayload, SignJWT } from 'jose'
import { afterAll, beforeAll } from 'vitest'
import { openService, type TestService } from './test-service.ts'

export const user = noun('user', { id: identity(), username: text().unique() })
export const note = noun('note', {
  id: identity(),
  title: text(),
  about: reference(() => user).nullable(),
  author: createdBy(() => user),
  editor: updatedBy(() => user),
})

export const notes: Service = service({
  name: 'notes',
  apis: [api('notes', { versioning: 'per-noun', writes: 'nested', resources: [resource(user), resource(note)] })],
  callers: callerNoun(user, 'username'),
})

/** The key that the provider begins with. */
export const firstKey = newKey('RS256', 'first')

const scopes = ['user:read', 'user:write', 'note:read', 'note:write', '*:read', '*:write']

/** One provider for all tests of a file. */
export function providedOnce(): () => OpenIdProvider {
  const shared: { provider?: OpenIdProvider } = {}
  beforeAll(async () => {
    shared.provider = await startOpenIdProvider(scopes, firstKey)
  })
  afterAll(() => shared.provider?.close())
  return () => shared.provider as OpenIdProvider
}

export function bearer(token: string): { authorization: string } {
  return { authorization: `Bearer ${token}` }
}

/** Opens the notes for those with a token of the provider. */
export function openNotes(
  { issuer }: OpenIdProvider,
  auth: Partial<JwtSettings> = {},
  settings: Partial<Settings> = {},
): Promise<TestService> {
  return openService(notes, { auth: { issuer, audience, ...auth }, onFault: () => undefined, ...settings })
}

/** The claims of a valid token, with some replaced; undefined removes a claim. */
export function claims(issuer: string, other: Readonly<Record<string, unknown>> = {}): JWTPayload {
  const now = Math.floor(Date.now() / 1000)
  const good = { iss: issuer, aud: audience, sub: 'tester', iat: now, exp: now + 600, scope: '*:read *:write' }
  return JSON.parse(JSON.stringify({ ...good, ...other }))
}

/** A token as the provider would sign it, whatever it says. */
export async function signed(
  payload: JWTPayload,
  header: Partial<JWTHeaderParameters> = {},
  key?: CryptoKey | Uint8Array,
): Promise<string> {
  const signer = new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid: firstKey.kid, ...header })
  return signer.sign(key ?? (await importJWK({ ...firstKey }, 'RS256')))
}

/** A token of any parts, its signature as given. */
export function assembled(header: object, payload: object, signature = ''): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part(header)}.${part(payload)}.${signature}`
}
