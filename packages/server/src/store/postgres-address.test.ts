import { describe, expect, it } from 'vitest'
import { isPostgresAddress, readAddress } from './postgres-address.ts'

/** What the driver is given for each host. */
function read(address: string, more: Record<string, string> = {}) {
  const { hosts, of, shown } = readAddress(address)
  const urls = hosts.map((host) => new URL(of(host, more)))
  return {
    hosts: urls.map(({ searchParams }) => [searchParams.get('host'), searchParams.get('port')]),
    login: urls.map(({ username, password }) => [decodeURIComponent(username), decodeURIComponent(password)])[0],
    database: decodeURI(urls[0]?.pathname ?? ''),
    parameters: Object.fromEntries([...(urls[0]?.searchParams ?? [])].filter(([name]) => !/host|port/.test(name))),
    shown,
  }
}

describe('an address', () => {
  it('is told by its beginning', () => {
    expect(['postgres://a', 'postgresql://a', 'POSTGRES://a', 'postgres:'].map(isPostgresAddress)).toEqual(
      Array(4).fill(true),
    )
    expect(['sqlite:postgres://', 'mysql://a', 'postgres', ''].map(isPostgresAddress)).toEqual(Array(4).fill(false))
  })

  it('names a user, a password, a host and a database', () => {
    expect(read('postgres://ada:secret@db.example.com:5433/directory')).toEqual({
      hosts: [['db.example.com', '5433']],
      login: ['ada', 'secret'],
      database: '/directory',
      parameters: {},
      shown: 'postgres://ada@db.example.com:5433/directory',
    })
  })

  it('may name several hosts, each with its port, or all with one', () => {
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
    expect(read('postgres://u@a:1,b:2/d').shown).toBe('postgres://u@a:1,b:2/d')
  })

  it('may name the folder of a socket, or nothing but the database', () => {
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
  ])('takes the password %s', (given, password) => {
    expect(read(`postgres://u:${given}@h/d`)).toMatchObject({ login: ['u', password], hosts: [['h', null]] })
  })

  it('keeps the parameters of the connection and takes more', () => {
    const address = 'postgres://u@h/my%20db?sslmode=verify-full&options=-c%20a%3Db&application_name=x'
    const own = { sslmode: 'verify-full', options: '-c a=b', application_name: 'x' }
    expect(read(address)).toMatchObject({ parameters: own, database: '/my db' })
    expect(read(address, { options: '-c c=d' }).parameters).toEqual({ ...own, options: '-c c=d' })
  })

  it.each([
    ['sslmod=verify-full', 'sslmod', 'Did you mean "sslmode"?'],
    ['SSLMODE=verify-full', 'SSLMODE', 'Did you mean "sslmode"?'],
    ['host=a&statement_timout=5', 'statement_timout', 'Did you mean "statement_timeout"?'],
    ['zzz=1', 'zzz', 'It takes application_name, '],
    ['search_path=x', 'search_path', 'options=-csearch_path%3Dname'],
    ['=x', '', 'It takes '],
  ])('refuses the parameter in ?%s, and says which was meant', (query, name, hint) => {
    const read = () => readAddress(`postgres://u:hidden@h/d?${query}`)
    expect(read).toThrow(`cannot be opened: it has no parameter "${name}".`)
    expect(read).toThrow(hint)
    expect(read).not.toThrow(/hidden/)
  })

  it('shows nothing of a password among the parameters', () => {
    const read = () => readAddress('postgres://u@h/d?password=hid&den=1')
    expect(read).toThrow('it has an unknown parameter.')
    expect(read).not.toThrow(/hid|den=|"den"/)
  })

  it('takes every parameter that the driver and its server know', () => {
    const known =
      'application_name binary channel_binding client_encoding connect_timeout fallback_application_name gssencmode host idle_in_transaction_session_timeout keepalives keepalives_count keepalives_idle keepalives_interval load_balance_hosts lock_timeout options password port query_timeout replication ssl sslcert sslkey sslmode sslnegotiation sslrootcert statement_timeout target_session_attrs tcp_user_timeout uselibpqcompat user'
    for (const name of known.split(' ')) expect(() => readAddress(`postgres://u@h/d?${name}=1`), name).not.toThrow()
  })

  it.each([
    ['postgres:h/d', 'it does not begin with postgres://'],
    ['postgres:/h/d', 'it does not begin with postgres://'],
    ['postgres://u:hidden/word@h/d', 'there is a / or a ? before the last @'],
    ['postgres://u:hidden?word@h/d', 'there is a / or a ? before the last @'],
    ['postgres://u:hidden%word@h/d', 'it holds a % that encodes nothing'],
    ['postgres://u:hidden@h:port/d', 'a host in it cannot be read'],
    ['postgres://u:hidden@h:123456/d', 'a host in it cannot be read'],
    ['postgres://u:hidden@a,,b/d', 'a host in it cannot be read'],
  ])('%s is wrong, and its password is not told', (address, reason) => {
    expect(() => readAddress(address)).toThrow(`The database "postgres:…" cannot be opened: ${reason}.`)
    expect(() => readAddress(address)).toThrow(/%2F/)
    expect(() => readAddress(address)).not.toThrow(/hidden/)
  })
})
