/**
 * The development issuer: signs tokens with a key in the project folder, so that authentication can be tried on one machine
 * without an identity provider. Only services that are started with the same key accept these tokens.
 */
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { JWK } from 'jose'
import { ownerOnly } from '../foundation/private-file.ts'
import type { JwtSettings } from './jwt-settings.ts'

/** A reserved name. Nothing is fetched from this URL. */
const issuer = 'http://localhost/nomen-dev-issuer'
const audience = 'nomen-dev'
const algorithm = 'ES256'

export interface DevTokenOptions {
  readonly subject: string
  /** Scopes, separated by spaces: `user:read user:write`. */
  readonly scope: string
  /** Other claims: `{ tenant: 'north' }`. */
  readonly claims?: { readonly [name: string]: unknown }
  readonly lifetimeSeconds: number
}

/** The settings of a service that accepts tokens signed with the key in this file. Creates the key if there is none. */
export function devIssuerSettings(keyFile: string): JwtSettings {
  const { d: _, ...publicKey } = devKey(keyFile)
  return { issuer, audience, algorithms: [algorithm], jwks: { keys: [publicKey] } }
}

/** Creates a token, signed with the key in this file. Creates the key if there is none. */
export async function devToken(keyFile: string, options: DevTokenOptions): Promise<string> {
  const { importJWK, SignJWT } = await import('jose')
  const { subject, scope, claims = {}, lifetimeSeconds } = options
  const key = devKey(keyFile)
  const now = Math.floor(Date.now() / 1000)
  return new SignJWT({ ...claims, scope })
    .setProtectedHeader({ alg: algorithm, kid: `${key.kid}` })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject(subject)
    .setIssuedAt(now)
    .setExpirationTime(now + lifetimeSeconds)
    .sign(await importJWK(key, algorithm))
}

function devKey(path: string): JWK {
  const existing = readKey(path)
  if (existing) return existing
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const key = { ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), alg: algorithm, use: 'sig' }
  mkdirSync(dirname(path), { recursive: true })
  try {
    writeFileSync(path, `${JSON.stringify(key)}\n`, { flag: 'wx', mode: ownerOnly })
  } catch (error) {
    // Another process may have created the key at the same time.
    const concurrentKey = readKey(path)
    if (concurrentKey) return concurrentKey
    throw error
  }
  return key as JWK
}

function readKey(path: string): JWK | undefined {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
  const key = JSON.parse(text)
  if (typeof key?.d === 'string' && typeof key.kid === 'string') return key
  throw new Error(`${path} is not a key of the development issuer. Delete the file to create a new key.`)
}
