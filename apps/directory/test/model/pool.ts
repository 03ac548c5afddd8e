/** The values of random requests: few, so that they repeat, and with special cases. */
import type { PropertyType } from './view.ts'

/** Texts: empty, equal except for case, non-ASCII, with quotes, percent signs, emoji and SQL. U+FF21 sorts before an emoji. */
export const texts = [
  'Ann',
  'ann',
  'Zoë',
  'ZOË',
  'O\'Brien "Bob"',
  '',
  '😀 Ω',
  'Ａ',
  'ΣΊΣΥΦΟΣ',
  'σίσυφος',
  'İnci',
  'straße',
  'STRAẞE SS',
  "'; DROP TABLE user; --",
  '100% _%',
  'a,b&c=d+e',
  ' x ',
  'null',
  '0',
]

/** Search texts: in another letter case than the stored text, or with another length after case folding. */
export const searchTexts = [
  'ss',
  'SS',
  'ß',
  'ẞ',
  'TRASSE',
  'φος',
  'ΦΟΣ',
  'συφ',
  'Σ',
  'i̇n',
  'zoë',
  'ë',
  '',
  ' ',
  "'",
  '%',
  '_',
  '@EX',
  'Ł',
  'ø',
]

export const emails = [
  'ann@example.com',
  'Ann@Example.com',
  'ANN@EXAMPLE.COM',
  'bob@example.org',
  "o'brien@example.org",
  'a+b%c@example.com',
  'zoe_1@example.com',
  'zoeX1@example.com',
  'max@example.com',
  'eve@example.com',
]

const guids = [
  '0b2f8c1e-5d1c-4c0e-9b57-2f6f3f1f9a10',
  '0B2F8C1E-5D1C-4C0E-9B57-2F6F3F1F9A10',
  '7d444840-9dc0-11d1-b245-5ffdce74fad2',
  '00000000-0000-4000-8000-000000000001',
  'AAAAAAAA-BBBB-4CCC-8DDD-EEEEEEEEEEEE',
]

/** Valid values in a body. References are chosen from existing records. */
export const validValues: Record<Exclude<PropertyType, 'reference' | 'identity' | 'moment'>, readonly unknown[]> = {
  text: texts,
  email: emails,
  guid: guids,
  boolean: [true, false],
  choice: ['ACTIVE', 'SUSPENDED'],
}

const otherTypes = [null, {}, []]

/** Invalid values in a body. */
export const invalidValues: Record<Exclude<PropertyType, 'identity' | 'moment'>, readonly unknown[]> = {
  text: [1, true, 'a\u0000b', '\ud800', ...otherTypes],
  email: ['nobody', 'a b@example.com', '@example.com', 'a@b@example.com', '', 7, ...otherTypes],
  guid: ['1', '0b2f8c1e5d1c4c0e9b572f6f3f1f9a10', '', 7, ...otherTypes],
  boolean: ['true', 0, 1, '', ...otherTypes],
  choice: ['active', 'DELETED', '', 1, ...otherTypes],
  reference: ['1', 1.5, 0, -1, 2 ** 53, true, '', ...otherTypes],
}

/** Valid and invalid values of filters. */
export const filterValues: Record<PropertyType, readonly string[]> = {
  identity: ['', '0', '-1', '007', '1e3', '1.0', ' 1', '9007199254740991', '9007199254740992', 'x', "1' OR '1'='1"],
  reference: ['', '0', '-1', '007', '1.0', '1,2', '9007199254740992', 'null'],
  text: [...texts, 'a\u0000b'],
  email: [...emails, 'nobody', ''],
  guid: [...guids, 'no guid', ''],
  boolean: ['true', 'false', 'TRUE', '1', '', 'null'],
  choice: ['ACTIVE', 'SUSPENDED', 'active', ''],
  moment: ['2026-02-30T00:00:00Z', '2026-01-01', 'soon', '', '2026-01-01T00:00:00.000Z'],
}

export const bounds = [
  '2014-01-06',
  '2016-07-01',
  '2020-01-01T00:00:00.000Z',
  '2022-06-15T12:00:00+02:00',
  '2026-06-30',
  '2999-01-01',
  '2026-02-30',
  'soon',
  '',
]

export const pages = {
  pageNumber: ['1', '2', '2', '3', '4', '02', '99', '9007199254740991'],
  pageSize: ['1', '2', '3', '4', '5', '10', '11', '007', '1000'],
  bad: ['0', '-1', '1.5', '', 'x', '1e1', '+1', ' 1', '9007199254740992'],
  tooLarge: '1001',
}
export const sorts = ['', '-', '--id', 'lastname', 'id,name', '+id', 'version', '__proto__']
export const unknownParameters = [
  'lastname',
  'desc',
  'page',
  'Include',
  'status',
  'search',
  'user',
  'pageNumber',
  'toString',
]

/** IDs in a path that no record has. */
export const invalidIds = [
  '0',
  '-1',
  '1e3',
  '1.0',
  'x',
  ' 1',
  '9007199254740991',
  '9007199254740992',
  '１',
  '1;DROP TABLE user',
  '%',
]

export const unknownPaths = [
  'users',
  'User',
  'user/',
  'v1/user/',
  'v1',
  'v2/user',
  'v1/user-detail',
  'v1/preference',
  'preference',
  'application',
  'department-detail',
  'user/1/role',
  'user/1/preference/',
  'v1/user/1/action',
  'v1/user/1/role/1/action',
  'user/by-username/x',
  'v1/user/by-email/x',
  'v1/application/1/action',
  'v1/application/1/user/by-username/x',
]
