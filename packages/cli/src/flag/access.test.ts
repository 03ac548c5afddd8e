import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { readArguments } from '../command.ts'
import { CommandError } from '../command-error.ts'
import { accessFlags, readAccess } from './access.ts'

function access(argv: string, host = '127.0.0.1') {
  return readAccess(
    readArguments(
      accessFlags,
      argv.split(' ').filter((word) => word !== ''),
    ),
    host,
  )
}

const jwt = '--auth jwt --jwt-issuer https://login.example.com --jwt-audience directory'

describe('the access settings', () => {
  it('allows any request from this machine by default', () => {
    expect(access('')).toEqual({ isLocalOnly: true })
    expect(access('--auth off')).toEqual({ isLocalOnly: true })
  })

  it('allows anonymous requests from other machines only with --allow-anonymous', () => {
    for (const argv of ['', '--auth off'])
      for (const host of ['0.0.0.0', '10.0.0.1', '::', 'api.example.com'])
        expect(() => access(argv, host)).toThrow(`Other machines can reach ${host}`)
    expect(access('--allow-anonymous', '0.0.0.0')).toEqual({ isLocalOnly: false })
  })

  it('requires a token with --auth jwt, on any address', () => {
    const auth = { issuer: 'https://login.example.com', audience: ['directory'] }
    for (const host of ['127.0.0.1', '0.0.0.0']) expect(access(jwt, host)).toEqual({ auth, isLocalOnly: false })
  })

  it('reads all settings of tokens', () => {
    const all = `${jwt},access --jwt-jwks-url https://login.example.com/keys --jwt-algorithms ES256,EdDSA --jwt-clock-skew 5 --jwt-user-claim email`
    expect(access(all).auth).toEqual({
      issuer: 'https://login.example.com',
      audience: ['directory', 'access'],
      jwksUrl: 'https://login.example.com/keys',
      algorithms: ['ES256', 'EdDSA'],
      clockSkewSeconds: 5,
      userClaim: 'email',
    })
  })

  it('requires a token of the development issuer with --auth dev, and only on this machine', () => {
    for (const host of ['0.0.0.0', '10.0.0.1', '::', 'api.example.com'])
      expect(() => access('--auth dev', host)).toThrow(
        `Other machines can reach ${host}, but --auth dev is only for this machine`,
      )
    for (const argv of ['--jwt-issuer https://a.example', '--public-url https://a.example', '--trust-proxy 1'])
      expect(() => access(`--auth dev ${argv}`)).toThrow('cannot be combined with --auth dev')
    vi.stubEnv('NODE_ENV', 'production')
    onTestFinished(() => void vi.unstubAllEnvs())
    expect(() => access('--auth dev')).toThrow('--auth dev is only for development, but NODE_ENV is "production".')
  })

  it('reads the OAuth client of the console', () => {
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
    ['--auth basic', '--auth must be off, jwt or dev, but is "basic".'],
    ['--auth jwt', '--auth jwt needs --jwt-issuer (JWT_ISSUER).'],
    ['--auth jwt --jwt-issuer https://login.example.com', '--auth jwt needs --jwt-audience (JWT_AUDIENCE).'],
    ['--jwt-issuer https://login.example.com', '--jwt-issuer is set, but --auth (AUTH) is not'],
    ['--console-client-id people', '--console-client-id is set, but --auth (AUTH) is not'],
    [jwt.replace('https://', ''), '--jwt-issuer is "login.example.com".'],
    [`${jwt},`, '--jwt-audience is "directory,".'],
    [`${jwt} --jwt-algorithms HS256`, '--jwt-algorithms is "HS256".'],
    [`${jwt} --jwt-clock-skew soon`, '--jwt-clock-skew is "soon".'],
    [`${jwt} --jwt-clock-skew 86400`, '--jwt-clock-skew is "86400".'],
    [`${jwt} --jwt-jwks-url /keys`, '--jwt-jwks-url is "/keys".'],
    ['--trust-proxy true', 'or the number of proxies, but is "true".'],
    ['--public-url api.example.com', 'such as https://api.example.com, but is "api.example.com".'],
    [
      '--public-url https://api.example.com?x=1',
      '--public-url must be an http or https URL without user name, query or fragment',
    ],
    ['--problem-type-url problems#', 'such as https://docs.example.com/problems, but is "problems#".'],
  ])('reject %s', (argv, message) => {
    const error = attempt(() => access(argv))
    expect(error).toBeInstanceOf(CommandError)
    expect(`${error}`.replace('\n  ', ' ')).toContain(message)
  })

  it('may come through proxies, and by another address', () => {
    expect(
      access(
        '--trust-proxy 10.0.0.0/8 --public-url https://api.example.com/directory --problem-type-url https://a.example',
      ),
    ).toEqual({
      isLocalOnly: true,
      trustProxy: ['10.0.0.0/8'],
      publicUrl: 'https://api.example.com/directory',
      problemTypeUrl: 'https://a.example',
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
