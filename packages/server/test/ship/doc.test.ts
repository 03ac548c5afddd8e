// The configurations in docs/shipping.md read the lines that a service writes.
import { readFileSync } from 'node:fs'
import { writeLine } from '@nomen/core'
import { describe, expect, it } from 'vitest'

const doc = readFileSync(new URL('../../../../docs/shipping.md', import.meta.url), 'utf8')
const written = [...doc.matchAll(/'(\^\(\?P?<client>.*)'/g)].map(
  ([, pattern = '']) => new RegExp(pattern.replaceAll('?P<', '?<')),
)

describe('docs/shipping.md', () => {
  it.each([['Vector'], ['Fluent Bit']].map(([name], index) => ({ name, pattern: written[index] })))(
    'has a pattern for $name that reads every line',
    ({ pattern }) => {
      const line = writeLine({
        address: '2001:db8::7',
        port: 4001,
        user: 'alice "smith"',
        time: Date.parse('2026-11-15T03:29:00Z'),
        method: 'GET',
        target: '/user/7?search=a"b c',
        protocol: 'HTTP/1.1',
        status: 200,
        size: 512,
        referrer: undefined,
        userAgent: 'shop/1.2 "x" \\ y',
      })
      const fields = {
        client: '[2001:db8::7]:4001',
        user: 'alice\\x20\\x22smith\\x22',
        time: '15/11/2026:03:29:00 +0000',
        method: 'GET',
        target: '/user/7?search=a\\x22b\\x20c',
        protocol: 'HTTP/1.1',
        status: '200',
        size: '512',
        referrer: '-',
        agent: 'shop/1.2 \\x22x\\x22 \\x5C y',
      }
      expect(pattern?.exec(line)?.groups).toEqual(fields)
      // The extended format adds the request ID and the duration.
      expect(pattern?.exec(`${line} 5e0c1f6a-9d0b-4c55-8f0e-3a2b7c1d0001 0.004`)?.groups).toEqual(fields)
    },
  )
})
