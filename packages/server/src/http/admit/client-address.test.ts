import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clientAddress, readTrustProxy, type TrustProxy } from './client-address.ts'

/** The client of a request that came over a connection from `peer`, with these headers. */
function clientOf(trust: TrustProxy | undefined, peer: string, headers: Record<string, string> = {}): string {
  const { address, port } = clientAddress(trust)(headers, { address: peer, port: 1 })
  return port === undefined ? address : `${address} ${port}`
}

const xff = (list: string) => ({ 'x-forwarded-for': list })
const forwarded = (list: string) => ({ forwarded: list })

describe('the client of a request', () => {
  it('is the peer of the connection if no proxy is trusted, whatever the headers say', () => {
    const headers = { ...xff('1.1.1.1'), ...forwarded('for=2.2.2.2') }
    for (const trust of [undefined, 0, [], ['10.0.0.9']] as const)
      expect(clientOf(trust, '10.0.0.1', headers)).toBe('10.0.0.1 1')
  })

  it.each([
    [1, '6.6.6.6, 1.1.1.1', '1.1.1.1'],
    [2, '6.6.6.6, 1.1.1.1, 10.0.0.2', '1.1.1.1'],
    [2, '1.1.1.1', '1.1.1.1'],
    [['10.0.0.0/8'], '6.6.6.6, 1.1.1.1, 10.0.0.2', '1.1.1.1'],
    [['10.0.0.0/8'], '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    [['10.0.0.1'], '6.6.6.6, 1.1.1.1', '1.1.1.1'],
    [1, '1.1.1.1:4711', '1.1.1.1 4711'],
    [1, '[2001:db8::1]:4711', '2001:db8::1 4711'],
    [1, '2001:db8::1', '2001:db8::1'],
    [1, ' 1.1.1.1 ', '1.1.1.1'],
  ] as const)('is the nearest address that is not a trusted proxy: %j with "%s" is %s', (trust, list, client) => {
    expect(clientOf(trust, '10.0.0.1', xff(list))).toBe(client)
  })

  it.each([
    ['for=1.1.1.1', '1.1.1.1'],
    ['For="1.1.1.1:4711"', '1.1.1.1 4711'],
    ['for="[2001:db8::1]:4711";proto=https;by=10.0.0.1', '2001:db8::1 4711'],
    ['proto=https;host="a,b;for=6.6.6.6";for=1.1.1.1', '1.1.1.1'],
    ['for=6.6.6.6, for=1.1.1.1', '1.1.1.1'],
    ['for="6.6.6.6, for=7.7.7.7", for=1.1.1.1;host=x', '1.1.1.1'],
    ['for=unknown', '10.0.0.1 1'],
    ['for=_hidden', '10.0.0.1 1'],
    ['proto=https', '10.0.0.1 1'],
    ['', '10.0.0.1 1'],
  ])('is read from the header of RFC 7239: %s is %s', (list, client) => {
    expect(clientOf(1, '10.0.0.1', forwarded(list))).toBe(client)
  })

  it('is the proxy if the two headers disagree, because the client may have sent one of them', () => {
    expect(clientOf(1, '10.0.0.1', { ...xff('1.1.1.1'), ...forwarded('for=6.6.6.6') })).toBe('10.0.0.1 1')
    expect(clientOf(1, '10.0.0.1', { ...xff('1.1.1.1'), ...forwarded('for=1.1.1.1') })).toBe('1.1.1.1')
  })

  it.each(['', 'x', '1.1.1', '1.1.1.1.1', '256.1.1.1', '1.1.1.1:x', '::g', '[1.1.1.1', "1.1.1.1' or 1"])(
    'is the proxy if its header does not contain an address: "%s"',
    (list) => {
      expect(clientOf(1, '10.0.0.1', xff(list))).toBe('10.0.0.1 1')
    },
  )

  it('is found for an IPv4 connection on a dual-stack socket', () => {
    expect(clientOf(['10.0.0.1'], '::ffff:10.0.0.1', xff('1.1.1.1'))).toBe('1.1.1.1')
    expect(clientOf(['::1'], '::1', xff('1.1.1.1'))).toBe('1.1.1.1')
    expect(clientOf(['10.0.0.1'], '', xff('1.1.1.1'))).toBe(' 1')
  })

  it('cannot be chosen by a client behind trusted proxies with any header', () => {
    const parts = [
      'for=6.6.6.6',
      '6.6.6.6',
      '"',
      '\\',
      ';',
      ',',
      ' ',
      'x=',
      'for="6.6.6.6"',
      '\t',
      'é',
      '=',
      ':1',
      '[',
      ']',
    ]
    // The proxy appends whom it was connected with to what it was sent.
    const appendedValues = {
      'x-forwarded-for': ['1.1.1.1', '1.1.1.1:80'],
      forwarded: ['for=1.1.1.1', 'for="1.1.1.1"', 'for="1.1.1.1:80";proto=https;by="_x"'],
    }
    const sent = fc.array(fc.oneof(fc.constantFrom(...parts), fc.string())).map((all) => all.join(''))
    fc.assert(
      fc.property(sent, fc.constantFrom('x-forwarded-for' as const, 'forwarded' as const), (before, header) => {
        for (const appended of appendedValues[header]) {
          const client = clientOf(['10.0.0.1'], '10.0.0.1', { [header]: `${before}, ${appended}` })
          expect(['1.1.1.1', '1.1.1.1 80', '10.0.0.1 1'], client).toContain(client)
        }
      }),
      { numRuns: 5000 },
    )
  })
})

describe('the setting', () => {
  it.each([
    ['1', 1],
    ['0', 0],
    ['10.0.0.1', ['10.0.0.1']],
    ['10.0.0.0/8, ::1', ['10.0.0.0/8', '::1']],
    ['loopback', ['127.0.0.0/8', '::1']],
    ['private,1.2.3.4', ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7', '1.2.3.4']],
  ])('%s is read', (text, trust) => {
    expect(readTrustProxy(text)).toEqual(trust)
  })

  it.each([
    'true',
    'all',
    '-1',
    '1.5',
    '10.0.0.0/33',
    '10.0.0.0/8/8',
    '::1/129',
    '10.0.0/8',
    'proxy.internal',
    '',
    '10.0.0.1,,',
    'constructor',
  ])('%s is rejected', (text) => {
    expect(readTrustProxy(text)).toBeUndefined()
  })
})
