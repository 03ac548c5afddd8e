import { describe, expect, it } from 'vitest'
import { isPostgresUrl, readPostgresUrl } from './postgres-url.ts'

/** The driver's settings for each host. */
function read(url: string, more: Record<string, string> = {}) {
  const { hosts, connectionString, redactedUrl } = readPostgresUrl(url)
  const urls = hosts.map((host) => new URL(connectionString(host, more)))
  return {
    hosts: urls.map(({ searchParams }) => [searchParams.get('host'), searchParams.get('port')]),
    login: urls.map(({ username, password }) => [decodeURIComponent(username), decodeURIComponent(password)])[0],
    database: decodeURI(urls[0]?.pathname ?? ''),
    parameters: Object.fromEntries([...(urls[0]?.searchParams ?? [])].filter(([name]) => !/host|port/.test(name))),
    redactedUrl,
  }
}

describe('a PostgreSQL URL', () => {
  it('starts with postgres: or postgresql:', () => {
    expect(['postgres://a', 'postgresql://a', 'POSTGRES://a', 'postgres:'].map(isPostgresUrl)).toEqual(
      Array(4).fill(true),
    )
    expect(['sqlite:postgres://', 'mysql://a', 'postgres', ''].map(isPostgresUrl)).toEqual(Array(4).fill(false))
  })

  it('has a user, a password, a host and a database', () => {
    expect(read('postgres://ada:secret@db.example.com:5433/directory')).toEqual({
      hosts: [['db.example.com', '5433']],
      login: ['ada', 'secret'],
      database: '/directory',
      parameters: {},
      redactedUrl: 'postgres://ada@db.example.com:5433/directory',
    })
  })

  it('can have several hosts, each with its own port or with one port for all', () => {
    expect(read('postgres://u@a:1,b:2,c/d').hosts).toEqual([
      ['a', '1'],
      ['b', '2'],
      ['c', null],
    ])
    expect(read('postgresql://u@a,[::1]:6,10.0.0.1/d?port=7').hosts).toEqual([
      ['a', '7'],
      ['::1', '6'],
      ['10.0.0.1', '7'],
    ])
    expect(read('postgres:///d?host=a,b&port=1,2').hosts).toEqual([
      ['a', '1'],
      ['b', '2'],
    ])
    expect(read('postgres://u@a:1,b:2/d').redactedUrl).toBe('postgres://u@a:1,b:2/d')
  })

  it('can have the folder of a Unix socket as its host, or no host', () => {
    expect(read('postgres://u@%2Fvar%2Frun/d').hosts).toEqual([['/var/run', null]])
    expect(read('postgres:///d?host=/var/run').hosts).toEqual([['/var/run', null]])
    expect(read('postgres:///d')).toMatchObject({ hosts: [['localhost', null]], database: '/d', login: ['', ''] })
  })

  it.each([
    ['p%40ss%2Fw%3Ford%25', 'p@ss/w?ord%'],
    ['p@ss', 'p@ss'],
    ['p:s:s', 'p:s:s'],
    ['p#s&s=s', 'p#s&s=s'],
    ['%E2%82%AC', '€'],
    ['', ''],
  ])('can have the password %s', (encoded, password) => {
    expect(read(`postgres://u:${encoded}@h/d`)).toMatchObject({ login: ['u', password], hosts: [['h', null]] })
  })

  it('passes its parameters to the driver, and accepts further ones', () => {
    const url = 'postgres://u@h/my%20db?sslmode=verify-full&options=-c%20a%3Db&application_name=x'
    const parameters = { sslmode: 'verify-full', options: '-c a=b', application_name: 'x' }
    expect(read(url)).toMatchObject({ parameters: parameters, database: '/my db' })
    expect(read(url, { options: '-c c=d' }).parameters).toEqual({ ...parameters, options: '-c c=d' })
  })

  it.each([
    ['sslmod=verify-full', 'sslmod', 'Did you mean "sslmode"?'],
    ['SSLMODE=verify-full', 'SSLMODE', 'Did you mean "sslmode"?'],
    ['host=a&statement_timout=5', 'statement_timout', 'Did you mean "statement_timeout"?'],
    ['zzz=1', 'zzz', 'The parameters are application_name, '],
    ['search_path=x', 'search_path', 'options=-csearch_path%3Dname'],
    ['=x', '', 'The parameters are '],
  ])('with the unknown parameter in ?%s is rejected with a suggestion', (query, name, hint) => {
    const read = () => readPostgresUrl(`postgres://u:hidden@h/d?${query}`)
    expect(read).toThrow(`cannot be opened: unknown parameter "${name}".`)
    expect(read).toThrow(hint)
    expect(read).not.toThrow(/hidden/)
  })

  it('does not show a password that is in the parameters', () => {
    const read = () => readPostgresUrl('postgres://u@h/d?password=hid&den=1')
    expect(read).toThrow('it has an unknown parameter.')
    expect(read).not.toThrow(/hid|den=|"den"/)
  })

  it('can have every parameter of the driver and its server', () => {
    const names = [
      'application_name binary channel_binding client_encoding connect_timeout fallback_application_name',
      'gssencmode host idle_in_transaction_session_timeout keepalives keepalives_count keepalives_idle',
      'keepalives_interval load_balance_hosts lock_timeout options password port query_timeout',
      'replication ssl sslcert sslkey sslmode sslnegotiation sslrootcert statement_timeout target_session_attrs',
      'tcp_user_timeout uselibpqcompat user',
    ].flatMap((line) => line.split(' '))
    for (const name of names) expect(() => readPostgresUrl(`postgres://u@h/d?${name}=1`), name).not.toThrow()
  })

  it.each([
    ['postgres:h/d', 'it does not start with postgres://'],
    ['postgres:/h/d', 'it does not start with postgres://'],
    ['postgres://u:hidden/word@h/d', 'there is a / or a ? before the last @'],
    ['postgres://u:hidden?word@h/d', 'there is a / or a ? before the last @'],
    ['postgres://u:hidden%word@h/d', 'it contains a % that is not part of an escape'],
    ['postgres://u:hidden@h:port/d', 'a host or port in it is not valid'],
    ['postgres://u:hidden@h:123456/d', 'a host or port in it is not valid'],
    ['postgres://u:hidden@a,,b/d', 'a host or port in it is not valid'],
  ])('%s is rejected, and the message does not contain the password', (url, reason) => {
    expect(() => readPostgresUrl(url)).toThrow(`The database "postgres:…" cannot be opened: ${reason}.`)
    expect(() => readPostgresUrl(url)).toThrow(/%2F/)
    expect(() => readPostgresUrl(url)).not.toThrow(/hidden/)
  })
})
