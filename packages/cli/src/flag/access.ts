/** Who may call a service that is served, and where from: the flags of it, read and checked. */
import type { JwtSettings, Settings } from '@nomen/server'
import { checkJwtSettings, isLoopback, readTrustProxy, SettingError, signatures } from '@nomen/server/internal'
import type { Arguments, Flag } from '../command.ts'
import { CommandError } from '../command-error.ts'

export const accessFlags: readonly Flag[] = [
  {
    name: 'auth',
    environment: 'AUTH',
    value: 'off or jwt',
    about: 'off lets in anyone on this machine; jwt, whoever has a token of the issuer. off unless given',
  },
  {
    name: 'jwt-issuer',
    environment: 'JWT_ISSUER',
    value: 'address',
    about: 'who makes the tokens, as their iss has it',
  },
  {
    name: 'jwt-audience',
    environment: 'JWT_AUDIENCE',
    value: 'name',
    about: 'for whom they are made, as their aud has it; several with commas between them',
  },
  {
    name: 'jwt-jwks-url',
    environment: 'JWT_JWKS_URL',
    value: 'address',
    about: 'where the keys of the issuer are; its openid-configuration says so unless given',
  },
  {
    name: 'jwt-algorithms',
    environment: 'JWT_ALGORITHMS',
    value: 'names',
    about: `how tokens may be signed, with commas between them: ${signatures.join(',')} unless given`,
  },
  {
    name: 'jwt-clock-skew',
    environment: 'JWT_CLOCK_SKEW',
    value: 'seconds',
    about: 'by how much the clocks may differ, 30 unless given',
  },
  {
    name: 'jwt-user-claim',
    environment: 'JWT_USER_CLAIM',
    value: 'name',
    about: 'the claim that identifies the user (default: sub)',
  },
  {
    name: 'console-client-id',
    environment: 'CONSOLE_CLIENT_ID',
    value: 'name',
    about: 'what the issuer knows the console by, nomen-console unless given',
  },
  {
    name: 'console-scope',
    environment: 'CONSOLE_SCOPE',
    value: 'scopes',
    about: 'what the console asks the issuer for; openid, profile and the scopes of all operations unless given',
  },
  {
    name: 'allow-anonymous',
    about: 'serve without auth on an address that others can reach: anyone may then change everything',
  },
  {
    name: 'trust-proxy',
    environment: 'TRUST_PROXY',
    value: 'proxies',
    about: 'proxies that are believed who the client is: addresses, networks, loopback, private, or how many there are',
  },
  {
    name: 'public-url',
    environment: 'PUBLIC_URL',
    value: 'address',
    about: 'where others reach the service, for its documents',
  },
]

type Access = Pick<Settings, 'auth' | 'consoleSignIn' | 'trustProxy' | 'publicUrl' | 'isLocalOnly'>

/** What the flags say of callers, for a service on this host. */
export function readAccess(args: Arguments, host: string): Access {
  const auth = readAuth(args)
  if (!auth) refuseOpenDoor(host, args)
  const trustProxy = readTrust(args)
  const publicUrl = readPublicUrl(args)
  return {
    ...(auth && { auth, ...readSignIn(args) }),
    ...(trustProxy !== undefined && { trustProxy }),
    ...(publicUrl !== undefined && { publicUrl }),
    // Where all need a token, no page elsewhere can do anything by having its name point here.
    isLocalOnly: !auth && isLoopback(host),
  }
}

/** The flag of each setting. */
const flagOf: { readonly [Setting in keyof JwtSettings]-?: string } = {
  issuer: 'jwt-issuer',
  audience: 'jwt-audience',
  jwksUrl: 'jwt-jwks-url',
  algorithms: 'jwt-algorithms',
  clockSkew: 'jwt-clock-skew',
  userClaim: 'jwt-user-claim',
}

function readAuth(args: Arguments): JwtSettings | undefined {
  const kind = args.text('auth')
  if (kind !== undefined && kind !== 'off' && kind !== 'jwt')
    throw new CommandError(`${args.source('auth')} is "${kind}".`, 'Give off or jwt.')
  if (kind !== 'jwt') {
    // Whoever names an issuer means that tokens are asked for.
    const flags = [...Object.values(flagOf), 'console-client-id', 'console-scope']
    const stray = flags.find((flag) => args.text(flag) !== undefined)
    if (kind === 'off' || stray === undefined) return undefined
    throw new CommandError(
      `${args.source(stray)} is given, and ${args.source('auth')} is not: nobody would be asked for a token.`,
      'Say --auth jwt, or --auth off.',
    )
  }
  const jwksUrl = args.text('jwt-jwks-url')
  const algorithms = args.text('jwt-algorithms')
  const clockSkew = args.text('jwt-clock-skew')
  const userClaim = args.text('jwt-user-claim')
  const settings: JwtSettings = {
    issuer: needed(args, 'jwt-issuer', 'Give the address of who makes the tokens, as their iss has it.'),
    audience: listed(needed(args, 'jwt-audience', 'Give the name that their aud has for this service.')),
    ...(jwksUrl !== undefined && { jwksUrl }),
    ...(algorithms !== undefined && { algorithms: listed(algorithms) }),
    ...(clockSkew !== undefined && { clockSkew: Number(clockSkew) }),
    ...(userClaim !== undefined && { userClaim }),
  }
  try {
    checkJwtSettings(settings)
  } catch (error) {
    if (!(error instanceof SettingError)) throw error
    const flag = flagOf[error.setting]
    throw new CommandError(`${args.source(flag)} is "${args.text(flag)}". ${error.message}`, error.hint)
  }
  return settings
}

/** Who the console is at the issuer. */
function readSignIn(args: Arguments): Pick<Settings, 'consoleSignIn'> {
  const clientId = args.text('console-client-id')
  const scope = args.text('console-scope')
  const empty = [clientId, scope].findIndex((text) => text?.trim() === '')
  if (empty !== -1)
    throw new CommandError(
      `${args.source(empty === 0 ? 'console-client-id' : 'console-scope')} is empty.`,
      'Give what the issuer knows, or leave it out.',
    )
  if (clientId === undefined && scope === undefined) return {}
  return { consoleSignIn: { ...(clientId !== undefined && { clientId }), ...(scope !== undefined && { scope }) } }
}

function needed(args: Arguments, flag: string, hint: string): string {
  const text = args.text(flag)
  if (text === undefined) throw new CommandError(`--auth jwt needs --${flag} (${args.source(flag)}).`, hint)
  return text
}

function listed(text: string): readonly string[] {
  return text.split(',').map((part) => part.trim())
}

/** Without authentication, only this machine itself is let in unless someone says otherwise. */
function refuseOpenDoor(host: string, args: Arguments): void {
  if (isLoopback(host) || args.isOn('allow-anonymous')) return
  throw new CommandError(
    `Others can reach ${host}, and requests are not authenticated: anyone could change everything.`,
    'Ask for tokens with --auth jwt, serve on 127.0.0.1, or say --allow-anonymous.',
    1,
  )
}

function readTrust(args: Arguments): Settings['trustProxy'] {
  const text = args.text('trust-proxy')
  if (text === undefined) return undefined
  const trust = readTrustProxy(text)
  if (trust !== undefined) return trust
  throw new CommandError(
    `${args.source('trust-proxy')} is "${text}".`,
    'Give addresses and networks such as 10.0.0.0/8, loopback, private, or the number of proxies.',
  )
}

function readPublicUrl(args: Arguments): string | undefined {
  const text = args.text('public-url')
  if (text === undefined) return undefined
  const url = URL.parse(text)
  const isPlain = url && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '' && url.username === ''
  if (isPlain) return text
  throw new CommandError(
    `${args.source('public-url')} is "${text}".`,
    'Give an address such as https://api.example.com.',
  )
}
