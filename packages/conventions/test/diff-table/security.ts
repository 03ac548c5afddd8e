/** Changes of security requirements and schemes. */
import { department, type Row, record, row } from './row.ts'

export const securityRows: readonly Row[] = [
  row(
    'credentials where none were asked',
    { [`${department}/get/security`]: [{ bearer: [] }] },
    'breaks security-added',
    'keeps security-loosened',
  ),
  row(
    'no word on credentials',
    { [`${department}/get/security`]: undefined },
    'breaks security-added',
    'keeps security-loosened',
  ),
  row(
    'other credentials',
    { [`${record}/get/security`]: [{ key: [] }] },
    ['breaks security-tightened', 'keeps security-loosened'],
    ['breaks security-tightened', 'keeps security-loosened'],
  ),
  row(
    'further credentials',
    { [`${record}/get/security`]: [{ bearer: [] }, { key: [] }] },
    'keeps security-loosened',
    'breaks security-tightened',
  ),
  row(
    'two credentials at once',
    { [`${record}/get/security`]: [{ bearer: [], key: [] }] },
    'breaks security-tightened',
    'keeps security-loosened',
  ),
  row(
    'a scope',
    { [`${department}/put/security/0/oauth/+`]: 'department:write' },
    'breaks security-tightened',
    'keeps security-loosened',
  ),
  row(
    'other credentials for the whole api',
    { '/security': [{ key: [] }] },
    ['breaks security-tightened', 'keeps security-loosened'],
    ['breaks security-tightened', 'keeps security-loosened'],
  ),
  row(
    'no credentials for the whole api',
    { '/security': undefined },
    'keeps security-loosened',
    'breaks security-added',
  ),
  row('a scheme that nothing uses', { '/components/securitySchemes/key': undefined }, [], []),
  row(
    'credentials of another kind',
    { '/components/securitySchemes/bearer/scheme': 'basic' },
    'breaks security-scheme-changed',
    'breaks security-scheme-changed',
  ),
]
