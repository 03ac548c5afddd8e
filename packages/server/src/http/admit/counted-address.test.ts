import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countedAddress } from './counted-address.ts'

describe('an IPv6 address', () => {
  it.each([
    ['2001:db8:0:7::1', '2001:db8:0:7::/64'],
    ['2001:0DB8:0000:0007:ffff:ffff:ffff:ffff', '2001:db8:0:7::/64'],
    ['2001:db8::7:0:0:0:1', '2001:db8:0:7::/64'],
    ['2001:db8:0:8::1', '2001:db8:0:8::/64'],
    ['2001:db8::', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['1:2:3:4:5:6:192.0.2.1', '1:2:3:4::/64'],
    ['64:ff9b:1::192.0.2.1', '64:ff9b:1:0::/64'],
  ])('counts as its network of 64 bits: %s', (address, counted) => {
    expect(countedAddress(address)).toBe(counted)
  })

  it('counts as one caller within a network, and as another in another network', () => {
    const group = fc.integer({ min: 0, max: 0xffff })
    const four = fc.array(group, { minLength: 4, maxLength: 4 })
    const addressText = (groups: readonly number[]) => groups.map((group) => group.toString(16)).join(':')
    // None of those that hold an address of version 4.
    const network = four.map(([, ...rest]) => [0x2001, ...rest])
    fc.assert(
      fc.property(network, network, four, four, (networkA, networkB, first, second) => {
        const counted = countedAddress(addressText([...networkA, ...first]))
        expect(countedAddress(addressText([...networkA, ...second]))).toBe(counted)
        expect(countedAddress(addressText([...networkB, ...first])) === counted).toBe(
          addressText(networkA) === addressText(networkB),
        )
      }),
    )
  })
})

describe('an IPv4 address', () => {
  it.each(['192.0.2.1', '::ffff:192.0.2.1', '::FFFF:c000:201', '0:0:0:0:0:ffff:192.0.2.1', '64:ff9b::192.0.2.1'])(
    'counts for itself, however it is written: %s',
    (address) => {
      expect(countedAddress(address)).toBe('192.0.2.1')
    },
  )
})

it('leaves a string that is not an address unchanged', () => {
  for (const address of ['', 'unknown', '1:2']) expect(countedAddress(address)).toBe(address)
})
