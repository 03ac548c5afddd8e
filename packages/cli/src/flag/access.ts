/** The flags of `nomen serve` for authentication, proxies and public URLs. */
import type { JwtSettings, Settings } from '@nomen/server'
import {
  checkJwtSettings,
  devIssuerSettings,
  isLoopback,
  readTrustProxy,
  SettingError,
  signatures,
} from '@nomen/server/internal'
import { type Arguments, type Flag, inGroup } from '../command.ts'
import { CommandError, invalidValue } from '../command-error.ts'
import { choiceOf } from './choice.ts'
import { devKeyFile, requireDevelopment } from './dev-issuer.ts'

export const accessFlags: readonly Flag[] = [
  ...inGroup('Authentication', [
    {
      name: 'auth',
      environment: 'AUTH',
      value: 'off, jwt or dev',
      about:
        'off: no authentication; jwt: require a token from the issuer; dev: require a token from "nomen token", and listen only on this machine (default: off)',
    },
    {
      name: 'jwt-issuer',
      environment: 'JWT_ISSUER',
      value: 'URL',
      about: 'issuer of the tokens, exactly as in their iss claim',
    },
    {
      name: 'jwt-audience',
      environment: 'JWT_AUDIENCE',
      value: 'names',
      about: 'accepted audiences, comma-separated; the aud claim of a token must contain one of them',
    },
    {
      name: 'jwt-jwks-url',
      environment: 'JWT_JWKS_URL',
      value: 'URL',
      about: 'URL of the JSON Web Key Set (default: from the openid-configuration of the issuer)',
    },
    {
      name: 'jwt-algorithms',
      environment: 'JWT_ALGORITHMS',
      value: 'names',
      about: `accepted signature algorithms, comma-separated (default: ${signatures.join(', ')})`,
    },
    {
      name: 'jwt-clock-skew',
      environment: 'JWT_CLOCK_SKEW',
      value: 'seconds',
      about: 'accepted clock difference (default: 30)',
    },
    {
      name: 'jwt-user-claim',
      environment: 'JWT_USER_CLAIM',
      value: 'name',
      about: 'the claim that identifies the user (default: sub)',
    },
    {
      name: 'allow-anonymous',
      about: 'allow --auth off on an address that other machines can reach: anyone can change all data',
    },
  ]),
  ...inGroup('Console', [
    {
      name: 'console-client-id',
      environment: 'CONSOLE_CLIENT_ID',
      value: 'name',
      about: 'client ID of the console at the issuer (default: nomen-console)',
    },
    {
      name: 'console-scope',
      environment: 'CONSOLE_SCOPE',
      value: 'scopes',
      about:
        'scopes that the console requests, separated by spaces (default: openid, profile and the scopes of all operations)',
    },
  ]),
  ...inGroup('HTTP', [
    {
      name: 'trust-proxy',
      environment: 'TRUST_PROXY',
      value: 'proxies',
      about:
        'proxies whose X-Forwarded-For or Forwarded header is trusted: addresses, networks, the words "loopback" and "private", or the number of proxies (default: none)',
    },
    {
      name: 'public-url',
      environment: 'PUBLIC_URL',
      value: 'URL',
      about:
        'URL at which clients reach the service, for OpenAPI documents and webhook events (default: relative URLs)',
    },
    {
      name: 'problem-type-url',
      environment: 'PROBLEM_TYPE_URL',
      value: 'URL',
      about:
        'base URL for `type` in error responses; the code is added as an anchor (default: urn:nomen:problem:<code>)',
    },
  ]),
]

type Access = Pick<Settings, 'auth' | 'consoleSignIn' | 'trustProxy' | 'publicUrl' | 'problemTypeUrl' | 'isLocalOnly'>

/** Reads the access settings of a service that listens on `host`. */
export function readAccess(args: Arguments, host: string): Access {
  const isDev = args.text('auth') === 'dev'
  const auth = isDev ? readDevAuth(args, host) : readAuth(args)
  if (!auth) requireAuthentication(host, args)
  const trustProxy = readTrust(args)
  const publicUrl = readUrl(args, 'public-url', 'https://api.example.com')
  const problemTypeUrl = readUrl(args, 'problem-type-url', 'https://docs.example.com/problems')
  return {
    ...(auth && { auth, ...readSignIn(args) }),
    ...(trustProxy !== undefined && { trustProxy }),
    ...(publicUrl !== undefined && { publicUrl }),
    ...(problemTypeUrl !== undefined && { problemTypeUrl }),
    // Protects from DNS rebinding. With --auth jwt that is not needed: a page of another site has no token.
    isLocalOnly: (!auth || isDev) && isLoopback(host),
  }
}

/** The flag of each setting. */
const flagOf: { readonly [Setting in Exclude<keyof JwtSettings, 'jwks'>]-?: string } = {
  issuer: 'jwt-issuer',
  audience: 'jwt-audience',
  jwksUrl: 'jwt-jwks-url',
  algorithms: 'jwt-algorithms',
  clockSkewSeconds: 'jwt-clock-skew',
  userClaim: 'jwt-user-claim',
}

function readAuth(args: Arguments): JwtSettings | undefined {
  const kind = choiceOf(args, 'auth', ['off', 'jwt', 'dev'], undefined)
  if (kind !== 'jwt') {
    // A flag about tokens without --auth is a mistake: the service would accept anonymous requests. --auth off allows it.
    const flags = [...Object.values(flagOf), 'console-client-id', 'console-scope']
    const unexpectedFlag = flags.find((flag) => args.text(flag) !== undefined)
    if (kind === 'off' || unexpectedFlag === undefined) return undefined
    throw new CommandError(
      `${args.source(unexpectedFlag)} is set, but --auth (AUTH) is not: the service would not require tokens.`,
      'Add --auth jwt or --auth off.',
    )
  }
  const jwksUrl = args.text('jwt-jwks-url')
  const algorithms = args.text('jwt-algorithms')
  const clockSkewSeconds = args.text('jwt-clock-skew')
  const userClaim = args.text('jwt-user-claim')
  const settings: JwtSettings = {
    issuer: requireFlag(args, 'jwt-issuer', 'Set it to the issuer of the tokens, exactly as in their iss claim.'),
    audience: splitList(
      requireFlag(args, 'jwt-audience', 'Set it to the aud claim that tokens have for this service.'),
    ),
    ...(jwksUrl !== undefined && { jwksUrl }),
    ...(algorithms !== undefined && { algorithms: splitList(algorithms) }),
    ...(clockSkewSeconds !== undefined && { clockSkewSeconds: Number(clockSkewSeconds) }),
    ...(userClaim !== undefined && { userClaim }),
  }
  try {
    checkJwtSettings(settings)
  } catch (error) {
    if (!(error instanceof SettingError)) throw error
    const flag = error.setting === 'jwks' ? 'auth' : flagOf[error.setting]
    throw new CommandError(`${args.source(flag)} is "${args.text(flag)}". ${error.message}`, error.hint)
  }
  return settings
}

/** The settings of the development issuer, whose key is in the project folder: never for other machines or production. */
function readDevAuth(args: Arguments, host: string): JwtSettings {
  requireDevelopment('--auth dev')
  if (!isLoopback(host))
    throw new CommandError(
      `Other machines can reach ${host}, but --auth dev is only for this machine.`,
      'Listen on 127.0.0.1, or use --auth jwt.',
      1,
    )
  const { userClaim, ...others } = flagOf
  const unexpectedFlag = [...Object.values(others), 'trust-proxy', 'public-url'].find(
    (flag) => args.text(flag) !== undefined,
  )
  if (unexpectedFlag !== undefined)
    throw new CommandError(
      `${args.source(unexpectedFlag)} cannot be combined with --auth dev, which has its own issuer and is only for this machine.`,
      'Remove it, or use --auth jwt.',
    )
  const claim = args.text(userClaim)
  return { ...devIssuerSettings(devKeyFile), ...(claim !== undefined && { userClaim: claim }) }
}

/** The registration of the console as an OAuth client of the issuer. */
function readSignIn(args: Arguments): Pick<Settings, 'consoleSignIn'> {
  const clientId = args.text('console-client-id')
  const scope = args.text('console-scope')
  const emptyIndex = [clientId, scope].findIndex((text) => text?.trim() === '')
  if (emptyIndex !== -1)
    throw new CommandError(
      `${args.source(emptyIndex === 0 ? 'console-client-id' : 'console-scope')} is empty.`,
      'Set it to a value that the issuer knows, or remove it.',
    )
  if (clientId === undefined && scope === undefined) return {}
  return { consoleSignIn: { ...(clientId !== undefined && { clientId }), ...(scope !== undefined && { scope }) } }
}

function requireFlag(args: Arguments, flag: string, hint: string): string {
  const text = args.text(flag)
  if (text === undefined) throw new CommandError(`--auth jwt needs --${flag} (${args.source(flag)}).`, hint)
  return text
}

function splitList(text: string): readonly string[] {
  return text.split(',').map((item) => item.trim())
}

/** Without authentication, the service listens only on this machine unless --allow-anonymous is set. */
function requireAuthentication(host: string, args: Arguments): void {
  if (isLoopback(host) || args.isOn('allow-anonymous')) return
  throw new CommandError(
    `Other machines can reach ${host}, and requests are not authenticated: anyone could change all data.`,
    'Require tokens with --auth jwt, listen on 127.0.0.1, or add --allow-anonymous.',
    1,
  )
}

function readTrust(args: Arguments): Settings['trustProxy'] {
  const text = args.text('trust-proxy')
  if (text === undefined) return undefined
  const trust = readTrustProxy(text)
  if (trust !== undefined) return trust
  throw invalidValue(
    args.source('trust-proxy'),
    text,
    'a list of addresses and networks (such as 10.0.0.0/8, loopback or private) or the number of proxies',
  )
}

function readUrl(args: Arguments, flag: string, example: string): string | undefined {
  const text = args.text(flag)
  if (text === undefined) return undefined
  const url = URL.parse(text)
  const isPlain = url && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '' && url.username === ''
  if (isPlain) return text
  throw invalidValue(
    args.source(flag),
    text,
    `an http or https URL without user name, query or fragment, such as ${example}`,
  )
}
