/** PostgreSQL URLs: `postgres://user:password@host:5432,other:5432/database?sslmode=verify-full`. */
import { nearest } from '@nomen/core'
import { DatabaseError } from '../fault/database-error.ts'

export interface Host {
  /** A host name or an IP address; or the folder of a Unix socket, which starts with a slash. */
  readonly name: string
  readonly port: string | undefined
}

export interface PostgresUrl {
  readonly hosts: readonly Host[]
  /** Connection parameters, such as `sslmode` or `statement_timeout`. */
  readonly parameters: ReadonlyMap<string, string>
  /** The connection string of one host for the driver, with further parameters; undefined ones are left out. */
  connectionString(host: Host, moreParameters: Readonly<Record<string, string | undefined>>): string
  /** The URL without password and parameters, for messages. */
  readonly redactedUrl: string
}

/** The parameters that the driver supports, and `connect_timeout`, which Nomen implements. */
const knownParameters = [
  ...['application_name', 'binary', 'client_encoding', 'connect_timeout', 'fallback_application_name', 'host'],
  ...['idle_in_transaction_session_timeout', 'lock_timeout', 'options', 'password', 'port', 'query_timeout'],
  ...['replication', 'ssl', 'sslcert', 'sslkey', 'sslmode', 'sslnegotiation', 'sslrootcert', 'statement_timeout'],
  ...['uselibpqcompat', 'user'],
]

/** Parameters that providers add to their URLs. They have no effect here. */
const ignoredParameters = [
  ...['channel_binding', 'gssencmode', 'keepalives', 'keepalives_count', 'keepalives_idle', 'keepalives_interval'],
  ...['load_balance_hosts', 'target_session_attrs', 'tcp_user_timeout'],
]

/** The setting for replicas if only other instances read from replicas, and this one reads from the primary. */
export const replicasElsewhere = 'elsewhere'

export function isPostgresUrl(url: string): boolean {
  return /^postgres(?:ql)?:/i.test(url)
}

/** Parses a URL with comma-separated hosts. Error messages do not contain the password. */
export function readPostgresUrl(url: string): PostgresUrl {
  const remainder = /^postgres(?:ql)?:\/\/(.*)$/is.exec(url)?.[1]
  if (remainder === undefined) throw malformedUrl('it does not start with postgres://')
  const [authority = '', path = '', queryText = ''] =
    /^([^/?]*)(?:\/([^?]*))?(?:\?(.*))?$/s.exec(remainder)?.slice(1) ?? []
  const atSign = authority.lastIndexOf('@')
  // A slash in a password would end it early, and an error would show the remainder as a host.
  if (atSign === -1 && `${path}${queryText}`.includes('@')) throw malformedUrl('there is a / or a ? before the last @')
  const [user = '', password] = splitAtColon(authority.slice(0, Math.max(atSign, 0))).map(decode)
  const query = new URLSearchParams(queryText)
  for (const name of query.keys())
    if (!knownParameters.includes(name) && !ignoredParameters.includes(name)) throw unknownParameter(name, query)
  const { host = '', port = '', ...parameters } = Object.fromEntries(query)
  const hosts = hostsOf(authority.slice(atSign + 1) || host || 'localhost', port)
  const database = decode(path)
  const login = encodeURIComponent(user) + (password === undefined ? '' : `:${encodeURIComponent(password)}`)
  return {
    hosts,
    parameters: new Map(Object.entries(parameters)),
    connectionString: ({ name, port: hostPort }, moreParameters) => {
      const allParameters = {
        ...parameters,
        ...moreParameters,
        host: withoutBrackets(name),
        ...(hostPort && { port: hostPort }),
      }
      const search = new URLSearchParams(
        Object.entries(allParameters).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
      )
      return `postgres://${login}@localhost/${encodeURI(database)}?${search}`
    },
    redactedUrl: `postgres://${user && `${user}@`}${hosts.map(hostText).join()}/${database}`,
  }
}

/** Each host may have a port after a colon; otherwise the parameter `port` has its port, or one port for all hosts. */
function hostsOf(list: string, port: string): readonly Host[] {
  const ports = port === '' ? [] : port.split(',')
  return list.split(',').map((text, index) => {
    const match = /^(\/.*|\[[\da-f:.]+\]|[^\s:@/[\]]+)(?::(\d{1,5}))?$/i.exec(decode(text))
    if (!match?.[1]) throw malformedUrl('a host or port in it is not valid')
    return { name: match[1], port: match[2] ?? ports[index] ?? ports[0] }
  })
}

export function hostText({ name, port }: Host): string {
  return port === undefined ? name : `${name}:${port}`
}

/** IPv6 addresses have brackets only in URLs. */
function withoutBrackets(name: string): string {
  return name.replace(/^\[(.*)\]$/, '$1')
}

function splitAtColon(text: string): readonly string[] {
  const position = text.indexOf(':')
  return position === -1 ? [text] : [text.slice(0, position), text.slice(position + 1)]
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw malformedUrl('it contains a % that is not part of an escape')
  }
}

/** The driver would ignore an unknown parameter: a misspelled sslmode would mean a connection without TLS. */
function unknownParameter(name: string, query: URLSearchParams): DatabaseError {
  const suggestion = nearest(name, knownParameters)
  // The part of an unencoded password after an & looks like a parameter.
  const fault = query.has('password') ? 'it has an unknown parameter' : `unknown parameter "${name}"`
  const advice = `The parameters are ${knownParameters.join(', ')}. Put session settings into options, such as options=-csearch_path%3Dname.`
  return new DatabaseError(
    'postgres:…',
    `: ${fault}`,
    suggestion && !query.has('password') ? `Did you mean "${suggestion}"?` : advice,
  )
}

function malformedUrl(reason: string): DatabaseError {
  const fix =
    'Use postgres://user:password@host:5432/database. In a password, write / as %2F, ? as %3F, @ as %40 and % as %25.'
  return new DatabaseError('postgres:…', `: ${reason}`, fix)
}
