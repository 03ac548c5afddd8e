/** Random requests to a service of boxes, tags and notes, with values at the borders of what a database holds. */
import type { Random } from '@nomen/testing/random'

export interface RandomRequest {
  readonly method: string
  readonly url: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

const long = (length: number) => 'ab'.repeat(length / 2)

/** Texts that databases, drivers and JSON have been known to trip over. */
const texts = [
  '',
  ' ',
  'a',
  'A',
  'b',
  'Ä',
  'ä',
  'ß',
  'ẞ',
  'ſ',
  'İ',
  'ı',
  'Σίσυφος',
  'ΣΊΣΥΦΟΣ',
  'a%_b',
  '%',
  '_',
  '\\',
  "'; drop table box; --",
  '"quoted"',
  '$1',
  '{}',
  '{"a":1}',
  'null',
  'NULL',
  'true',
  '0',
  '00',
  '1e3',
  '\t\r\n',
  '\u0001',
  '\u007f',
  '\u0085',
  '\u2028',
  '\ufeff',
  '\uffff',
  '\ufffd',
  'e\u0301',
  'é',
  '😀',
  '😁',
  '\ud7ff',
  '\ue000',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udc00x',
  '😀'.slice(0, 1),
  long(600),
  `${long(600)}x`,
  '😀'.repeat(600),
  `${'😀'.repeat(600)}x`,
  long(3000),
  `x${long(10_000)}`,
]

const emails = [
  'a@example.com',
  'A@example.com',
  'a@EXAMPLE.com',
  'ä@example.com',
  'Ä@example.com',
  'b@example.com',
  'no',
  '',
]
const integers = [
  0,
  -0,
  1,
  -1,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 53 - 1,
  -(2 ** 53) + 1,
  '9007199254740992',
  '-9007199254740993',
  '9223372036854775807',
  '9223372036854775808',
  '1e3',
  '1.0',
  '1.5',
  '-0',
  '-0.0',
  '00',
  '1e400',
  '"1"',
].map(String)
const numbers = [
  '0',
  '-0',
  '0.1',
  '1e-7',
  '1e21',
  '123456789012345680000',
  '1.7976931348623157e308',
  '5e-324',
  '-5e-324',
  '1e400',
  '0.30000000000000004',
  '1e-400',
  '2.2250738585072011e-308',
  '1E+2',
  '100',
  '3.0',
  '9007199254740993',
  '"1"',
]
const decimals = [
  '0',
  '0.00',
  '-0.00',
  '-0',
  '1',
  '1.1',
  '1.10',
  '1.234',
  '9999999999999999.99',
  '-9999999999999999.99',
  '10000000000000000.00',
  '00.10',
  '+1.00',
  '1e2',
  '.5',
  '5.',
  ' 1.00',
  '٣.00',
]
const shares = [
  '0.12345678901234567',
  '9.99999999999999999',
  '-9.99999999999999999',
  '10.00000000000000000',
  '0',
  '0.1',
  '0.123456789012345678',
  '-0.00000000000000000',
]
const dates = [
  '0001-01-01',
  '0000-01-01',
  '9999-12-31',
  '2024-02-29',
  '2023-02-29',
  '1582-10-10',
  '1900-02-29',
  '2026-1-1',
  '10000-01-01',
  '-0001-01-01',
  '2026-11-15',
  'today',
  'infinity',
  '',
]
const moments = [
  '2026-11-15T03:29:00.000Z',
  '2026-11-15T03:29:00Z',
  '2026-11-15T03:29:00.0004Z',
  '2026-11-15T03:29:00.9999Z',
  '2026-11-15T05:29:00.000+02:00',
  '0001-01-01T00:00:00.000Z',
  '0001-01-01T00:00:00.000+14:00',
  '0000-12-31T23:59:59.999Z',
  '9999-12-31T23:59:59.999Z',
  '9999-12-31T23:59:59.999-12:00',
  '9999-12-31T23:59:59.9999Z',
  '2026-12-31T23:59:60Z',
  '2026-11-15T24:00:00Z',
  '1969-12-31T23:59:59.999Z',
  '2026-11-15',
  'now',
  'infinity',
  '',
]
const guids = [
  '0a1b2c3d-0000-4000-8000-000000000001',
  '0A1B2C3D-0000-4000-8000-000000000001',
  '{0a1b2c3d-0000-4000-8000-000000000001}',
  '0a1b2c3d000040008000000000000001',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '',
]
const urls = [
  'https://example.com',
  'http://example.com/ä?q=%20#x',
  'ftp://example.com',
  'https://',
  'javascript:alert(1)',
  `https://example.com/${long(1000)}`,
]

const json = (all: readonly string[]) => all.map((text) => JSON.stringify(text))

/** Values of each property as JSON. */
const values: Readonly<Record<string, readonly string[]>> = {
  shelf: [
    '1',
    '1',
    '1',
    '2',
    '2',
    '3',
    '0',
    '-1',
    '99',
    '"1"',
    '1.0',
    '9007199254740991',
    '9223372036854775808',
    'null',
  ],
  title: json(texts),
  owner: json(emails),
  state: json(['NEW', 'DONE', 'ÜBER', "it's", 'new', '']),
  isOpen: ['true', 'false', 'null', '0', '"true"'],
  effort: integers,
  cost: json(decimals),
  share: json(shares),
  ratio: numbers,
  due: json(dates),
  at: json(moments),
  key: json(guids),
  home: json(urls),
  parent: ['null', '1', '2', '3', '4', '99', '"2"'],
  words: json(texts),
  name: json(texts),
}

const box = Object.keys(values).filter((name) => name !== 'words' && name !== 'name')
const orders = [...box, 'id', 'parent', 'nothing'].flatMap((name) => [name, `-${name}`])

const ranges = [
  ['workedFrom', 'effort'],
  ['workedTo', 'effort'],
  ['pricedFrom', 'cost'],
  ['pricedTo', 'cost'],
  ['ratedFrom', 'ratio'],
  ['dayFrom', 'due'],
  ['dayTo', 'due'],
  ['momentFrom', 'at'],
  ['momentTo', 'at'],
] as const

/** The value in a query or a path. A lone surrogate has no UTF-8 form: it is sent as the three bytes that some encoders write. */
function encoded(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text) : '%ED%A0%80'
}

function valueFor(random: Random, name: string): string {
  return random.below(12) === 0 ? 'null' : random.pick(values[name] ?? ['1'])
}

function bodyOf(random: Random, names: readonly string[], share: number): string {
  const chosen = names.filter(() => random.next() < share)
  if (random.below(40) === 0) chosen.push('nothing')
  return `{${chosen.map((name) => `${JSON.stringify(name)}:${valueFor(random, name)}`).join()}}`
}

/** A box that is mostly right, so that many come to be; some of them twice. */
function boxBody(random: Random): string {
  const needed = {
    shelf: random.pick(['1', '2']),
    title: JSON.stringify(random.pick(random.below(2) === 0 ? texts : texts.slice(0, 6))),
    owner: `"${random.below(8) === 0 ? random.pick(emails) : `${random.below(10_000)}@example.com`}"`,
  }
  const more = box.filter((name) => !(name in needed) && random.below(12) === 0)
  const parts = [...Object.entries(needed), ...more.map((name) => [name, valueFor(random, name)] as const)]
  return `{${parts.map(([name, value]) => `"${name}":${value}`).join()}}`
}

function query(random: Random): string {
  const parts: string[] = []
  const add = (name: string, text: string) => parts.push(`${name}=${encoded(text)}`)
  const asText = (name: string) => {
    const value = valueFor(random, name)
    return value === 'null' ? '' : value.startsWith('"') ? (JSON.parse(value) as string) : value
  }
  for (const name of box) if (random.below(14) === 0) for (let n = random.below(2); n >= 0; n--) add(name, asText(name))
  for (const [name, of] of ranges) if (random.below(20) === 0) add(name, asText(of))
  if (random.below(4) === 0) add('search', random.pick(texts))
  for (let n = random.below(3); n > 0; n--) add('sort', random.pick(orders))
  if (random.below(4) === 0)
    for (let n = 3; n > 0; n--) add('include', `${random.pick([1, 2, 3, 4, 5, 99, '9007199254740992', 'x'])}`)
  if (random.below(3) === 0) add('pageSize', `${random.pick([1, 2, 3, 5, 1000, 1001, 0])}`)
  if (random.below(3) === 0)
    add('pageNumber', `${random.pick([1, 2, 3, 9, 0, '9007199254740991', '9007199254740992', '99999999999999999999'])}`)
  return parts.length === 0 ? '' : `?${parts.join('&')}`
}

const key = (random: Random) =>
  `${random.pick([1, 1, 2, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 99, 0, -1, '01', 'x', '9007199254740993', '9223372036854775808'])}`

/** The next request, whatever came before. */
export function randomRequest(random: Random): RandomRequest {
  const of = key(random)
  const ifMatch = random.below(12) === 0 ? { headers: { 'if-match': random.pick(['*', '"1"', 'x']) } } : {}
  const all: readonly (() => RandomRequest)[] = [
    () => ({ method: 'POST', url: '/box', body: boxBody(random) }),
    () => ({ method: 'POST', url: '/box', body: boxBody(random) }),
    () => ({ method: 'POST', url: '/box', body: bodyOf(random, box, 0.8) }),
    () => ({ method: 'PUT', url: `/box/${of}`, body: bodyOf(random, box, 0.98), ...ifMatch }),
    () => ({ method: 'PATCH', url: `/box/${of}`, body: bodyOf(random, box, 0.1), ...ifMatch }),
    () => ({
      method: 'PATCH',
      url: `/box/${of}`,
      body: bodyOf(random, ['title', 'shelf', 'owner', 'parent', 'state'], 0.4),
    }),
    () => ({ method: 'DELETE', url: `/box/${of}`, ...ifMatch }),
    () => ({ method: 'GET', url: `/box/${of}` }),
    () => ({ method: 'GET', url: `/box${query(random)}` }),
    () => ({ method: 'GET', url: `/box${query(random)}` }),
    () => ({ method: 'GET', url: `/box-detail${query(random)}` }),
    () => ({ method: 'GET', url: `/box/by-owner/${encoded(random.pick([...emails, ...texts]) || 'x')}` }),
    () => ({ method: 'POST', url: '/tag', body: bodyOf(random, ['shelf', 'name'], 0.95) }),
    () => ({ method: 'DELETE', url: `/tag/${of}` }),
    () => ({ method: 'PATCH', url: `/tag/${of}`, body: bodyOf(random, ['shelf', 'name'], 0.5) }),
    () => ({ method: random.pick(['PUT', 'PUT', 'DELETE', 'GET']), url: `/box/${of}/tag/${key(random)}` }),
    () => ({ method: 'GET', url: `/box/${of}/tag${random.pick(['', '?sort=-name', '?pageSize=1'])}` }),
    () => ({ method: 'POST', url: `/box/${of}/note`, body: bodyOf(random, ['words'], 0.95) }),
    () => ({ method: 'GET', url: `/box/${of}/note${random.pick(['', '?sort=words', '?sort=-words'])}` }),
    () => ({ method: random.pick(['GET', 'DELETE']), url: `/box/${of}/note/${key(random)}` }),
    () => ({ method: random.pick(['GET', 'DELETE']), url: `/shelf/${of}` }),
  ]
  return random.pick(all)()
}

/** A file of boxes, some of them there already, some wrong. */
export function randomFile(random: Random): string {
  const line = () => {
    const id = random.pick([1, 2, 3, 500, 501, 502, 600 + random.below(1000), 0, -1, '9007199254740993'])
    return `{"id":${id},${(random.below(3) === 0 ? bodyOf(random, box, 0.8) : boxBody(random)).slice(1)}`.replace(
      ',}',
      '}',
    )
  }
  return Array.from({ length: 12 }, line).join('\n')
}
