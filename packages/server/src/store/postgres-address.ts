/** Database addresses of PostgreSQL: `postgres://user:password@host:5432,other:5432/database?sslmode=verify-full`. */
import { nearest } from '@nomen/core'
import { DatabaseError } from './database-error.ts'

export interface Host {
  /** A name or an address; or the folder of a socket, which begins with a slash. */
  readonly name: string
  readonly port: string | undefined
}

export interface PostgresAddress {
  readonly hosts: readonly Host[]
  /** What the address says about the connection, such as `sslmode` or `statement_timeout`. */
  readonly parameters: ReadonlyMap<string, string>
  /** The address of one host as the driver takes it, with further parameters. */
  of(host: Host, more: Readonly<Record<string, string>>): string
  /** The address without password and parameters, for messages. */
  readonly shown: string
}

/** What the driver takes from an address, and `connect_timeout`, which we do. */
const honoured = [
  ...['application_name', 'binary', 'client_encoding', 'connect_timeout', 'fallback_application_name', 'host'],
  ...['idle_in_transaction_session_timeout', 'lock_timeout', 'options', 'password', 'port', 'query_timeout'],
  ...['replication', 'ssl', 'sslcert', 'sslkey', 'sslmode', 'sslnegotiation', 'sslrootcert', 'statement_timeout'],
  ...['uselibpqcompat', 'user'],
]

/** Providers write these into the addresses that they give. Nothing here depends on them. */
const passedOver = [
  ...['channel_binding', 'gssencmode', 'keepalives', 'keepalives_count', 'keepalives_idle', 'keepalives_interval'],
  ...['load_balance_hosts', 'target_session_attrs', 'tcp_user_timeout'],
]

/** In place of the address of replicas: other instances read from some, this one from the primary. */
export const elsewhere = 'elsewhere'

export function isPostgresAddress(address: string): boolean {
  return /^postgres(?:ql)?:/i.test(address)
}

/** Reads an address, its hosts separated by commas. What is wrong with it is told without the password. */
export function readAddress(address: string): PostgresAddress {
  const rest = /^postgres(?:ql)?:\/\/(.*)$/is.exec(address)?.[1]
  if (rest === undefined) throw wrong('it does not begin with postgres://')
  const [authority = '', path = '', query = ''] = /^([^/?]*)(?:\/([^?]*))?(?:\?(.*))?$/s.exec(rest)?.slice(1) ?? []
  const at = authority.lastIndexOf('@')
  // A slash in a password would end it early, and what follows be told as a host.
  if (at === -1 && `${path}${query}`.includes('@')) throw wrong('there is a / or a ? before the last @')
  const [user = '', password] = halves(authority.slice(0, Math.max(at, 0))).map(decoded)
  const given = new URLSearchParams(query)
  for (const name of given.keys())
    if (!honoured.includes(name) && !passedOver.includes(name)) throw unknown(name, given)
  const { host = '', port = '', ...parameters } = Object.fromEntries(given)
  const hosts = hostsOf(authority.slice(at + 1) || host || 'localhost', port)
  const database = decoded(path)
  const login = encodeURIComponent(user) + (password === undefined ? '' : `:${encodeURIComponent(password)}`)
  return {
    hosts,
    parameters: new Map(Object.entries(parameters)),
    of: ({ name, port: own }, more) => {
      const all = new URLSearchParams({ ...parameters, ...more, host: unbracketed(name), ...(own && { port: own }) })
      return `postgres://${login}@localhost/${encodeURI(database)}?${all}`
    },
    shown: `postgres://${user && `${user}@`}${hosts.map(shownHost).join()}/${database}`,
  }
}

/** Each host may have its port behind a colon; the others take theirs, or the only one, from the parameter. */
function hostsOf(given: string, port: string): readonly Host[] {
  const ports = port === '' ? [] : port.split(',')
  return given.split(',').map((text, index) => {
    const parts = /^(\/.*|\[[\da-f:.]+\]|[^\s:@/[\]]+)(?::(\d{1,5}))?$/i.exec(decoded(text))
    if (!parts?.[1]) throw wrong('a host in it cannot be read')
    return { name: parts[1], port: parts[2] ?? ports[index] ?? ports[0] }
  })
}

export function shownHost({ name, port }: Host): string {
  return port === undefined ? name : `${name}:${port}`
}

/** An IPv6 address stands in brackets in an address only. */
function unbracketed(name: string): string {
  return name.replace(/^\[(.*)\]$/, '$1')
}

function halves(text: string): readonly string[] {
  const position = text.indexOf(':')
  return position === -1 ? [text] : [text.slice(0, position), text.slice(position + 1)]
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw wrong('it holds a % that encodes nothing')
  }
}

/** The driver would pass it over without a word: a misspelt sslmode would mean a connection without TLS. */
function unknown(name: string, given: URLSearchParams): DatabaseError {
  const near = nearest(name, honoured)
  // What follows an & in a password that is not encoded looks like a parameter.
  const what = given.has('password') ? 'it has an unknown parameter' : `it has no parameter "${name}"`
  const known = `It takes ${honoured.join(', ')}. Settings of a session go into options, such as options=-csearch_path%3Dname.`
  return new DatabaseError(
    'postgres:…',
    `: ${what}`,
    near && !given.has('password') ? `Did you mean "${near}"?` : known,
  )
}

function wrong(reason: string): DatabaseError {
  const fix =
    'Give postgres://user:password@host:5432/database; in a password, / is %2F, ? is %3F, @ is %40 and % is %25.'
  return new DatabaseError('postgres:…', `: ${reason}`, fix)
}
