import { describe, expect, it } from 'vitest'
import { readArguments } from '../command.ts'
import { CommandError } from '../command-error.ts'
import { accessFlags, readAccess } from './access.ts'

function access(given: string, host = '127.0.0.1') {
  return readAccess(
    readArguments(
      accessFlags,
      given.split(' ').filter((word) => word !== ''),
    ),
    host,
  )
}

const jwt = '--auth jwt --jwt-issuer https://login.example.com --jwt-audience directory'

describe('who may call', () => {
  it('is anyone on this machine unless something else is said', () => {
    expect(access('')).toEqual({ isLocalOnly: true })
    expect(access('--auth off')).toEqual({ isLocalOnly: true })
  })

  it('is anyone at all only where someone says so', () => {
    for (const given of ['', '--auth off'])
      for (const host of ['0.0.0.0', '10.0.0.1', '::', 'api.example.com'])
        expect(() => access(given, host)).toThrow(`Others can reach ${host}`)
    expect(access('--allow-anonymous', '0.0.0.0')).toEqual({ isLocalOnly: false })
  })

  it('is whoever has a token, on any address', () => {
    const auth = { issuer: 'https://login.example.com', audience: ['directory'] }
    for (const host of ['127.0.0.1', '0.0.0.0']) expect(access(jwt, host)).toEqual({ auth, isLocalOnly: false })
  })

  it('may be said in full', () => {
    const all = `${jwt},access --jwt-jwks-url https://login.example.com/keys --jwt-algorithms ES256,EdDSA --jwt-clock-skew 5 --jwt-user-claim email`
    expect(access(all).auth).toEqual({
      issuer: 'https://login.example.com',
      audience: ['directory', 'access'],
      jwksUrl: 'https://login.example.com/keys',
      algorithms: ['ES256', 'EdDSA'],
      clockSkew: 5,
      userClaim: 'email',
    })
  })

  it('says who the console is at the issuer', () => {
    expect(access(`${jwt} --console-client-id people-console`).consoleSignIn).toEqual({ clientId: 'people-console' })
    const scope = ['--console-scope', 'openid user:read']
    const both = readArguments(accessFlags, [...jwt.split(' '), '--console-client-id', 'people-console', ...scope])
    expect(readAccess(both, '127.0.0.1').consoleSignIn).toEqual({
      clientId: 'people-console',
      scope: 'openid user:read',
    })
    expect(access(jwt)).not.toHaveProperty('consoleSignIn')
  })

  it.each([
    ['--auth basic', '--auth is "basic". Give off or jwt.'],
    ['--auth jwt', '--auth jwt needs --jwt-issuer (JWT_ISSUER).'],
    ['--auth jwt --jwt-issuer https://login.example.com', '--auth jwt needs --jwt-audience (JWT_AUDIENCE).'],
    ['--jwt-issuer https://login.example.com', '--jwt-issuer is given, and AUTH is not'],
    ['--console-client-id people', '--console-client-id is given, and AUTH is not'],
    [jwt.replace('https://', ''), '--jwt-issuer is "login.example.com".'],
    [`${jwt},`, '--jwt-audience is "directory,".'],
    [`${jwt} --jwt-algorithms HS256`, '--jwt-algorithms is "HS256". "HS256" is no signature that is accepted.'],
    [`${jwt} --jwt-clock-skew soon`, '--jwt-clock-skew is "soon".'],
    [`${jwt} --jwt-clock-skew 86400`, '--jwt-clock-skew is "86400".'],
    [`${jwt} --jwt-jwks-url /keys`, '--jwt-jwks-url is "/keys".'],
    ['--trust-proxy true', '--trust-proxy is "true".'],
    ['--public-url api.example.com', '--public-url is "api.example.com".'],
    ['--public-url https://api.example.com?x=1', '--public-url is'],
  ])('is refused where it cannot be meant: %s', (given, message) => {
    const refused = attempt(() => access(given))
    expect(refused).toBeInstanceOf(CommandError)
    expect(`${refused}`.replace('\n  ', ' ')).toContain(message)
  })

  it('may come through proxies, and by another address', () => {
    expect(access('--trust-proxy 10.0.0.0/8 --public-url https://api.example.com/directory')).toEqual({
      isLocalOnly: true,
      trustProxy: ['10.0.0.0/8'],
      publicUrl: 'https://api.example.com/directory',
    })
  })
})

function attempt(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return error
  }
}
