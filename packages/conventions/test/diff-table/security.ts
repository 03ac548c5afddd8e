/** Changes of security requirements and schemes. */
import { department, type Row, record, row } from './row.ts'

export const securityRows: readonly Row[] = [
  row(
    'credentials where none were required',
    { [`${department}/get/security`]: [{ bearer: [] }] },
    'breaking security-added',
    'compatible security-loosened',
  ),
  row(
    'no word on credentials',
    { [`${department}/get/security`]: undefined },
    'breaking security-added',
    'compatible security-loosened',
  ),
  row(
    'other credentials',
    { [`${record}/get/security`]: [{ key: [] }] },
    ['breaking security-tightened', 'compatible security-loosened'],
    ['breaking security-tightened', 'compatible security-loosened'],
  ),
  row(
    'further credentials',
    { [`${record}/get/security`]: [{ bearer: [] }, { key: [] }] },
    'compatible security-loosened',
    'breaking security-tightened',
  ),
  row(
    'two credentials at once',
    { [`${record}/get/security`]: [{ bearer: [], key: [] }] },
    'breaking security-tightened',
    'compatible security-loosened',
  ),
  row(
    'a scope',
    { [`${department}/put/security/0/oauth/+`]: 'department:write' },
    'breaking security-tightened',
    'compatible security-loosened',
  ),
  row(
    'other credentials for the whole api',
    { '/security': [{ key: [] }] },
    ['breaking security-tightened', 'compatible security-loosened'],
    ['breaking security-tightened', 'compatible security-loosened'],
  ),
  row(
    'no credentials for the whole api',
    { '/security': undefined },
    'compatible security-loosened',
    'breaking security-added',
  ),
  row('a scheme that nothing uses', { '/components/securitySchemes/key': undefined }, [], []),
  row(
    'credentials of another kind',
    { '/components/securitySchemes/bearer/scheme': 'basic' },
    'breaking security-scheme-changed',
    'breaking security-scheme-changed',
  ),
  row(
    'a scope for the whole api',
    { '/security/0/bearer/+': 'user:read' },
    'breaking security-tightened',
    'compatible security-loosened',
  ),
  row(
    'a scheme of another type',
    { '/components/securitySchemes/bearer': { type: 'openIdConnect', openIdConnectUrl: 'https://id.example' } },
    'breaking security-scheme-changed',
    'breaking security-scheme-changed',
  ),
]

const scheme = '/components/securitySchemes/oauth'
const flow = {
  authorizationUrl: 'https://id.example/a',
  tokenUrl: 'https://id.example/t',
  scopes: { 'user:read': 'd' },
}

/** Two schemes with URLs: OAuth 2.0, which an operation of the base document requires, and OpenID Connect. */
export const withSchemeUrls = {
  [`${scheme}/flows`]: { authorizationCode: flow },
  '/components/securitySchemes/bearer': { type: 'openIdConnect', openIdConnectUrl: 'https://id.example' },
}

const changed = ['breaking security-scheme-changed', 'breaking security-scheme-changed'] as const

/** The edits apply to the base document with those schemes. */
export const schemeUrlRows: readonly Row[] = [
  row(
    'the issuer of OpenID Connect',
    { '/components/securitySchemes/bearer/openIdConnectUrl': 'https://b.example' },
    ...changed,
  ),
  row('the URL of tokens', { [`${scheme}/flows/authorizationCode/tokenUrl`]: 'https://b.example' }, ...changed),
  row(
    'the URL of authorization',
    { [`${scheme}/flows/authorizationCode/authorizationUrl`]: 'https://b.example' },
    ...changed,
  ),
  row(
    'a further flow',
    { [`${scheme}/flows/clientCredentials`]: { tokenUrl: 'https://id.example/t', scopes: {} } },
    [],
    'breaking security-scheme-changed',
  ),
  row('a scope that no operation requires', { [`${scheme}/flows/authorizationCode/scopes/a`]: 'd' }, [], []),
  row('the description of a scope', { [`${scheme}/flows/authorizationCode/scopes/user:read`]: 'e' }, [], []),
  row('the metadata of a scheme', { [`${scheme}/description`]: 'd' }, [], []),
]
