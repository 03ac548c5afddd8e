import { describe, expect, it } from 'vitest'
import { oldVersionIn } from './server-version.ts'

describe('the version of a server', () => {
  it.each([
    ['PostgreSQL 13.23 on x86_64-pc-linux-gnu, compiled by gcc (GCC) 4.8.5, 64-bit', '13.23'],
    ['PostgreSQL 13.23 (Debian 13.23-0+deb11u1) on x86_64-pc-linux-gnu, compiled by gcc 10.2.1, 64-bit', '13.23'],
    ['PostgreSQL 9.6.24 on x86_64-pc-linux-gnu, compiled by gcc, 64-bit', '9.6.24'],
  ])('is too old in %s', (text, version) => expect(oldVersionIn(text)).toBe(version))

  it.each([
    'PostgreSQL 14.0 on x86_64-pc-linux-gnu, compiled by gcc, 64-bit',
    'PostgreSQL 19beta1 on x86_64-pc-linux-gnu, compiled by gcc, 64-bit',
    'CockroachDB CCL v24.3.1 (x86_64-pc-linux-gnu, built 2024/12/01 00:00:00, go1.22.8)',
    'PostgreSQL 11.2-YB-2.20.1.0-b0 on x86_64-pc-linux-gnu, compiled by clang version 16.0.6, 64-bit',
  ])('is not too old in %s', (text) => expect(oldVersionIn(text)).toBeUndefined())
})
