// Every kind of field from end to end: stored, returned, filtered, sorted and ranged exactly.
import { createHash } from 'node:crypto'
import {
  boolean,
  choice,
  date,
  decimal,
  guid,
  identity,
  integer,
  noun,
  number,
  range,
  reference,
  resource,
  text,
  timestamp,
  url,
} from '@nomen/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Opened, opened, plainApi, serviceOf } from './opened.ts'

const item = noun('item', {
  id: identity(),
  price: decimal({ scale: 2 }).default('0.00'),
  share: decimal({ precision: 18, scale: 17 }).nullable(),
  whole: decimal({ precision: 18, scale: 0 }).nullable(),
  ratio: number().default(0),
  count: integer().default(0),
  home: url().nullable(),
  due: date().nullable(),
  at: timestamp().nullable(),
  state: choice('NEW', 'DONE', 'ÜBER').nullable(),
  isOpen: boolean().nullable(),
  key: guid().nullable(),
})
const filters = {
  priced: range('price'),
  rated: range('ratio'),
  counted: range('count'),
  dueDay: range('due'),
  moment: range('at'),
} as const
const items = serviceOf([plainApi(resource(item, { filters }))])

/** Posts one record for each value of a property. */
async function posted(app: Opened, property: string, values: readonly unknown[]): Promise<unknown[]> {
  const shown: unknown[] = []
  for (const value of values) {
    const made = await app.ask('POST', '/item', { [property]: value })
    expect([made.status, value], made.text).toEqual([201, value])
    const read = await app.get(`/item/${made.body.id}`)
    expect(read.body).toEqual(made.body)
    shown.push(read.body[property])
  }
  return shown
}

const query = (name: string, ...values: unknown[]) =>
  values.map((value) => `${name}=${encodeURIComponent(`${value}`)}`).join('&')

/** Each value alone, and with another, finds the records that have it and no others. */
async function expectFiltered(app: Opened, property: string, values: readonly unknown[]): Promise<void> {
  const other = values[0]
  for (const value of values) {
    expect(await app.column(property, `/item?${query(property, value)}`), `${value}`).toEqual([value])
    const both = await app.column(property, `/item?${query(property, value, other)}`)
    expect(new Set(both), `${value} or ${other}`).toEqual(new Set([value, other]))
  }
}

describe('a decimal', () => {
  const sorted = [
    '-9999999999999999.99',
    '-123.45',
    '-0.01',
    '0.01',
    '9.99',
    '10.00',
    '12.50',
    '100.00',
    '123.45',
    '9999999999999999.98',
    '9999999999999999.99',
  ]

  it('of 18 digits is kept to the last, and compared as the number that it is', async () => {
    const app = await opened(items)
    expect(await posted(app, 'price', sorted.toReversed())).toEqual(sorted.toReversed())
    await expectFiltered(app, 'price', sorted)
    expect(await app.column('price', '/item?sort=price')).toEqual(sorted)
    expect(await app.column('price', '/item?sort=-price')).toEqual(sorted.toReversed())
    expect(await app.column('price', '/item?pricedFrom=9.99&pricedTo=100&sort=price')).toEqual([
      '9.99',
      '10.00',
      '12.50',
    ])
    expect(await app.column('price', '/item?pricedFrom=9999999999999999.99')).toEqual(['9999999999999999.99'])
    expect(await app.column('price', '/item?pricedTo=-123.44')).toEqual(['-123.45', '-9999999999999999.99'])
  })

  it('has one form, whatever the form that it came in', async () => {
    const app = await opened(items)
    expect(await posted(app, 'price', ['12.5', '012.50', '12', '-0', '0.0', '-0.00', '-1.5'])).toEqual([
      '12.50',
      '12.50',
      '12.00',
      '0.00',
      '0.00',
      '0.00',
      '-1.50',
    ])
    expect(await app.column('id', '/item?price=12.5')).toEqual([1, 2])
    expect(await app.column('id', '/item?price=00012.50')).toEqual([1, 2])
    expect(await app.column('id', '/item?price=-0')).toEqual([4, 5, 6])
  })

  it('may have all digits but one behind the point, or none', async () => {
    const app = await opened(items)
    const shares = ['0.00000000000000001', '-9.99999999999999999', '0.10000000000000000', null]
    expect(await posted(app, 'share', shares)).toEqual(shares)
    expect(await app.column('share', '/item?sort=-share')).toEqual([shares[2], shares[0], shares[1], null])
    const wholes = ['999999999999999999', '-999999999999999999', '0']
    expect(await posted(app, 'whole', wholes)).toEqual(wholes)
    expect(await app.column('id', '/item?whole=-999999999999999999')).toEqual([6])
  })

  it.each([1.5, '1.005', '12345678901234567', '1e3', ' 1', '+1', '1.', '.5', '', 'x', '١'])(
    'is not %j',
    async (value) => {
      const app = await opened(items)
      expect((await app.ask('POST', '/item', { price: value })).status).toBe(400)
    },
  )

  it.each(['1e3', '12.345', '1000', ' 10', '+10', '10.', '0x0A', 'abc', '99999999999999999999', '1'.repeat(40)])(
    'is not found by what it is not: %s',
    async (text) => {
      const app = await opened(items)
      await posted(app, 'price', ['10.00', '123.45', '0.10'])
      // 1000 and 12345 are how many hundredths 10.00 and 123.45 are.
      expect(await app.column('price', `/item?${query('price', text)}`)).toEqual([])
      expect(await app.column('price', `/item?${query('price', text, '0.1')}`)).toEqual(['0.10'])
    },
  )

  it('compares with a range as it does with a value: what is none is 400', async () => {
    const app = await opened(items)
    for (const text of ['1e3', '12.345', 'x', '', '9'.repeat(30)])
      expect((await app.get(`/item?${query('pricedFrom', text)}`)).status, text).toBe(400)
  })

  it('agrees with exact arithmetic, whatever the values', async () => {
    const app = await opened(items)
    const units = fc.bigInt({ min: -(10n ** 18n) + 1n, max: 10n ** 18n - 1n })
    const all = fc.sample(units, { numRuns: 150, seed: 1 })
    const textOf = (value: bigint) => {
      const digits = `${value < 0n ? -value : value}`.padStart(3, '0')
      return `${value < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
    }
    expect(await posted(app, 'price', all.map(textOf))).toEqual(all.map(textOf))
    const ordered = all.toSorted((one, other) => (one < other ? -1 : one > other ? 1 : 0)).map(textOf)
    expect(await app.column('price', '/item?sort=price')).toEqual(ordered)
    const [low, high] = [ordered[40], ordered[90]]
    const between = await app.column('price', `/item?${query('pricedFrom', low)}&${query('pricedTo', high)}&sort=price`)
    expect(between).toEqual(ordered.slice(40, 90))
  })
})

describe('a number', () => {
  const values = [
    0.1 + 0.2,
    0.3,
    1e21,
    5,
    -5.5,
    1 / 3,
    5e-324,
    Number.MAX_VALUE,
    -Number.MAX_VALUE,
    2 ** 53,
    2 ** 53 - 1,
    1e15,
    999_999_999_999_999.9,
    123_456_789_012_345_680_000,
    -1.5e-7,
    100.5,
  ]

  it('is returned, found and sorted to the last bit', async () => {
    const app = await opened(items)
    expect(await posted(app, 'ratio', values)).toEqual(values)
    await expectFiltered(app, 'ratio', values)
    const sorted = values.toSorted((one, other) => one - other)
    expect(await app.column('ratio', '/item?sort=ratio')).toEqual(sorted)
    expect(await app.column('ratio', `/item?ratedFrom=0.30000000000000004&ratedTo=100.5&sort=ratio`)).toEqual(
      sorted.filter((one) => one >= 0.1 + 0.2 && one < 100.5),
    )
  })

  it('that is whole is written without a point, and zero has no sign', async () => {
    const app = await opened(items)
    const made = await app.ask('POST', '/item', '{"ratio":-0}')
    expect(made.text).toContain('"ratio":0,')
    expect((await app.ask('POST', '/item', '{"ratio":5.0}')).text).toContain('"ratio":5,')
    expect(await app.column('id', '/item?ratio=-0')).toEqual([1])
    expect(await app.column('id', '/item?ratio=0.0')).toEqual([1])
    expect(await app.column('id', '/item?ratio=5e0')).toEqual([2])
  })

  it('is the same double, whatever the double', async () => {
    const app = await opened(items)
    const doubles = fc.sample(fc.double({ noNaN: true, noDefaultInfinity: true }), { numRuns: 200, seed: 2 })
    const distinct = [...new Set(doubles.map((one) => (one === 0 ? 0 : one)))]
    expect(await posted(app, 'ratio', distinct)).toEqual(distinct)
    await expectFiltered(app, 'ratio', distinct)
    expect(await app.column('ratio', '/item?sort=-ratio')).toEqual(distinct.toSorted((one, other) => other - one))
  })

  it('is no text, no infinity and nothing else', async () => {
    const app = await opened(items)
    for (const body of ['{"ratio":"5"}', '{"ratio":1e999}', '{"ratio":true}', '{"ratio":null}', '{"ratio":[1]}'])
      expect((await app.ask('POST', '/item', body)).status, body).toBe(400)
    for (const text of ['NaN', 'Infinity', '1e999', '0x10', ' 1', '', '1,5', '.5', '5.'])
      expect((await app.get(`/item?${query('ratio', text)}`)).status, text).toBe(400)
  })
})

describe('an integer', () => {
  const values = [0, 1, -1, 7, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]

  it('is exact within ±(2^53 - 1), and nothing beyond', async () => {
    const app = await opened(items)
    expect(await posted(app, 'count', values)).toEqual(values)
    await expectFiltered(app, 'count', values)
    expect(await app.column('count', '/item?sort=count')).toEqual(values.toSorted((one, other) => one - other))
    expect(await app.column('count', '/item?countedFrom=1&countedTo=9007199254740991&sort=count')).toEqual([1, 7])
    for (const body of ['{"count":9007199254740992}', '{"count":1.5}', '{"count":"1"}', '{"count":1e400}'])
      expect((await app.ask('POST', '/item', body)).status, body).toBe(400)
  })
})

describe('a flag', () => {
  it('is true, false or null, and filtered and sorted as such', async () => {
    const app = await opened(items)
    expect(await posted(app, 'isOpen', [true, false, null])).toEqual([true, false, null])
    expect(await app.column('isOpen', '/item?isOpen=true')).toEqual([true])
    expect(await app.column('isOpen', '/item?isOpen=false')).toEqual([false])
    expect(await app.column('isOpen', '/item?isOpen=')).toEqual([null])
    expect(await app.column('isOpen', '/item?isOpen=&isOpen=true')).toEqual([true, null])
    expect(await app.column('isOpen', '/item?sort=isOpen')).toEqual([null, false, true])
    for (const text of ['1', 'TRUE', 'yes', '0']) expect((await app.get(`/item?isOpen=${text}`)).status).toBe(400)
    for (const value of [1, 0, 'true']) expect((await app.ask('POST', '/item', { isOpen: value })).status).toBe(400)
  })
})

describe('a date', () => {
  it('is a day of the calendar, compared as one', async () => {
    const app = await opened(items)
    const days = ['0001-01-01', '1999-12-31', '2024-02-29', '2026-11-15', '9999-12-31']
    expect(await posted(app, 'due', [...days.toReversed(), null])).toEqual([...days.toReversed(), null])
    await expectFiltered(app, 'due', days)
    expect(await app.column('due', '/item?sort=due')).toEqual([null, ...days])
    expect(await app.column('due', '/item?sort=-due')).toEqual([...days.toReversed(), null])
    expect(await app.column('due', '/item?dueDayFrom=1999-12-31&dueDayTo=2026-11-15&sort=due')).toEqual(
      days.slice(1, 3),
    )
    expect(await app.column('due', '/item?due=')).toEqual([null])
    expect(await app.column('due', '/item?due=tomorrow')).toEqual([])
    for (const wrong of ['0000-12-31', '2025-02-29', '2026-13-01', '2026-1-1', '20261115', '2026-11-15T00:00:00Z', ''])
      expect((await app.ask('POST', '/item', { due: wrong })).status, wrong).toBe(400)
    expect((await app.get('/item?dueDayFrom=2025-02-29')).status).toBe(400)
  })
})

describe('a timestamp', () => {
  it('is one moment in UTC to the millisecond, whatever the offset it came with', async () => {
    const app = await opened(items)
    const given = [
      '2026-11-15T05:29:00.123456+02:00',
      '2026-11-14T22:29:00.123-05:00',
      '2026-11-15T03:29:00Z',
      '2024-02-29T23:59:59.999Z',
      '0001-01-01T00:00:00.000Z',
      '9999-12-31T23:59:59.999Z',
    ]
    const moments = [
      '2026-11-15T03:29:00.123Z',
      '2026-11-15T03:29:00.123Z',
      '2026-11-15T03:29:00.000Z',
      ...given.slice(3),
    ]
    expect(await posted(app, 'at', given)).toEqual(moments)
    expect(await app.column('id', `/item?${query('at', '2026-11-15T04:29:00.123+01:00')}`)).toEqual([1, 2])
    expect(await app.column('id', '/item?sort=at')).toEqual([5, 4, 3, 1, 2, 6])
    expect(await app.column('id', '/item?momentFrom=2024-02-29&momentTo=2026-11-15T03:29:00.123Z')).toEqual([3, 4])
    expect(await app.column('id', '/item?momentFrom=2026-11-15T03:29:00.123Z&momentTo=2027-01-01')).toEqual([1, 2])
    expect(await app.column('id', '/item?at=soon')).toEqual([])
    for (const wrong of [
      '0000-12-31T23:59:59Z',
      '2026-11-15',
      '2026-11-15T03:29:00',
      '2026-11-15T24:00:00Z',
      '2026-11-15 03:29:00Z',
      '0',
    ])
      expect((await app.ask('POST', '/item', { at: wrong })).status, wrong).toBe(400)
  })
})

describe('a choice that may be null', () => {
  it('is one of its words or null, filtered by both and sorted by code point', async () => {
    const app = await opened(items)
    expect(await posted(app, 'state', ['NEW', 'ÜBER', null, 'DONE'])).toEqual(['NEW', 'ÜBER', null, 'DONE'])
    expect(await app.column('state', '/item?state=DONE&state=')).toEqual([null, 'DONE'])
    expect(await app.column('state', '/item?sort=state')).toEqual([null, 'DONE', 'NEW', 'ÜBER'])
    expect(await app.column('state', '/item?sort=-state')).toEqual(['ÜBER', 'NEW', 'DONE', null])
    expect((await app.ask('PATCH', '/item/1', { state: null })).body.state).toBeNull()
    for (const wrong of ['new', '', 1]) expect((await app.ask('POST', '/item', { state: wrong })).status).toBe(400)
    expect((await app.get('/item?state=OLD')).status).toBe(400)
  })
})

describe('a url', () => {
  it('is an absolute web address, kept letter by letter', async () => {
    const app = await opened(items)
    const addresses = [
      'https://example.com',
      'HTTP://Example.com:80/A%20b?c=d&e#f',
      'https://xn--bcher-kva.example/%C3%BC',
    ]
    expect(await posted(app, 'home', addresses)).toEqual(addresses)
    await expectFiltered(app, 'home', addresses)
    for (const wrong of [
      'example.com',
      '/path',
      'ftp://example.com',
      'javascript:alert(1)',
      'https://',
      'http://a b',
      'https://bücher.example',
      '',
    ])
      expect((await app.ask('POST', '/item', { home: wrong })).status, wrong).toBe(400)
    expect(await app.column('home', '/item?home=no+address')).toEqual([])
  })
})

describe('a guid', () => {
  it('is in lower case on the wire, and found in any', async () => {
    const app = await opened(items)
    const key = '0B2F8C1E-5D1C-4C0E-9B57-2F6F3F1F9A10'
    expect(await posted(app, 'key', [key])).toEqual([key.toLowerCase()])
    expect(await app.column('id', `/item?key=${key}`)).toEqual([1])
    expect(await app.column('id', '/item?key=none')).toEqual([])
    expect((await app.ask('POST', '/item', { key: 'none' })).status).toBe(400)
  })
})

describe('an identity that is a guid', () => {
  const box = noun('box', { id: identity('guid'), name: text() }, { label: 'name' })
  const thing = noun('thing', { id: identity('guid'), box: reference(() => box), name: text() })
  const label = noun('label', { id: identity(), box: reference(() => box).nullable() })
  const boxes = serviceOf([plainApi(resource(box, { children: [resource(thing)] }), resource(label))])
  const form = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
  const unknown = '00000000-0000-4000-8000-000000000000'

  it('is given by the service and stands in paths, in any case', async () => {
    const app = await opened(boxes)
    const made = await app.ask('POST', '/box', { name: 'a', id: unknown })
    expect(made.body.id).toMatch(form)
    expect(made.body.id).not.toBe(unknown)
    expect(made.headers.location).toBe(`/box/${made.body.id}`)
    expect((await app.get(`/box/${made.body.id.toUpperCase()}`)).body).toEqual(made.body)
    for (const path of [unknown, '1', 'x', made.body.id.slice(0, -1)])
      expect((await app.get(`/box/${path}`)).status, path).toBe(404)
    const put = await app.ask('PUT', `/box/${made.body.id}`, { id: made.body.id, name: 'b' })
    expect(put.body).toEqual({ id: made.body.id, name: 'b' })
    expect((await app.ask('PUT', `/box/${made.body.id}`, { id: unknown, name: 'b' })).status).toBe(409)
    expect((await app.ask('DELETE', `/box/${made.body.id}`)).body.name).toBe('b')
    expect((await app.get(`/box/${made.body.id}`)).status).toBe(404)
  })

  it('is the natural order, and what include and filters take', async () => {
    const app = await opened(boxes)
    const made = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => app.ask('POST', '/box', { name })))
    const ids = made.map(({ body }) => body.id)
    expect(await app.column('id', '/box')).toEqual(ids.toSorted())
    expect(await app.column('id', '/box?sort=-id')).toEqual(ids.toSorted().reverse())
    const included = await app.column('id', `/box?name=a&include=${ids[3].toUpperCase()}&include=${unknown}`)
    expect(included).toEqual([ids[0], ids[3]].toSorted())
    expect(await app.column('name', `/box?id=${ids[1]}&id=${ids[2].toUpperCase()}&sort=name`)).toEqual(['b', 'c'])
    expect(await app.column('name', '/box?id=none')).toEqual([])
  })

  it('is what references hold, in lists too, and nesting follows it', async () => {
    const app = await opened(boxes)
    const { body } = await app.ask('POST', '/box', { name: 'a' })
    const nested = await app.ask('POST', `/box/${body.id.toUpperCase()}/thing`, { name: 'x', box: body.id })
    expect([nested.status, nested.body]).toEqual([201, { id: nested.body.id, box: body.id, name: 'x' }])
    expect(await app.column('name', `/box/${body.id}/thing`)).toEqual(['x'])
    expect((await app.get(`/box/${unknown}/thing`)).status).toBe(404)
    const labelled = await app.ask('POST', '/label', { box: body.id.toUpperCase() })
    expect(labelled.body).toEqual({ id: 1, box: body.id })
    expect(await app.column('box', `/label?box=${body.id.toUpperCase()}`)).toEqual(['a'])
    expect((await app.ask('POST', '/label', { box: unknown })).status).toBe(422)
    for (const wrong of [1, 'x', true]) expect((await app.ask('POST', '/label', { box: wrong })).status).toBe(400)
    const refused = await app.ask('DELETE', `/box/${body.id}`)
    expect([refused.status, refused.body.code]).toEqual([409, 'still-referenced'])
    expect(await app.column('name', `/box/${body.id}/thing`)).toEqual(['x'])
  })

  it('has a tag, a key that can be repeated, and pages', async () => {
    const app = await opened(boxes)
    const first = await app.ask('POST', '/box', { name: 'a' }, { 'idempotency-key': 'k' })
    const again = await app.ask('POST', '/box', { name: 'a' }, { 'idempotency-key': 'k' })
    expect([again.status, again.body, again.headers.location, again.headers.etag]).toEqual([
      201,
      first.body,
      first.headers.location,
      first.headers.etag,
    ])
    const patch = (tag: string) => app.ask('PATCH', `/box/${first.body.id}`, { name: 'b' }, { 'if-match': tag })
    expect((await patch(`${first.headers.etag}`)).status).toBe(200)
    expect((await patch(`${first.headers.etag}`)).status).toBe(412)
    await Promise.all(Array.from({ length: 6 }, (_, at) => app.ask('POST', '/box', { name: `${at}` })))
    const pages = await Promise.all([1, 2, 3].map((page) => app.get(`/box?pageSize=3&pageNumber=${page}`)))
    const walked = pages.flatMap(({ body }) => body.results.map(({ id }: { id: string }) => id))
    expect(walked).toEqual(await app.column('id', '/box'))
  })
})

describe('a text', () => {
  const page = noun('page', { id: identity(), words: text() })
  /** A text that no trick makes shorter. */
  const noise = Array.from({ length: 80 }, (_, at) => createHash('sha256').update(`${at}`).digest('base64')).join('')

  it('of any length is kept, and found by all of it', async () => {
    const app = await opened(serviceOf([plainApi(resource(page))]))
    const same = 'é'.repeat(700)
    const texts = [`${same}b`, `${same}a`, same, 'é', noise]
    for (const words of texts) expect((await app.ask('POST', '/page', { words })).body.words).toBe(words)
    for (const words of texts) expect(await app.column('words', `/page?${query('words', words)}`)).toEqual([words])
    expect(await app.column('id', `/page?${query('words', texts[0], texts[2])}`)).toEqual([1, 3])
    expect(await app.column('id', '/page?sort=words')).toHaveLength(5)
  })
})

describe('names that are longer than a database keeps them', () => {
  const long = 'aVeryLongNameThatSaysEverythingThereIsToSayAboutAPropertyAndThenSome'
  const [first, second] = [`${long}One`, `${long}Two`]
  const thing = noun(`thing-${'of-a-kind-'.repeat(7)}end`, {
    id: identity(),
    [first]: text(),
    [second]: text().unique(),
  })
  const path = `/${thing.name}`

  it('are told apart, and answered whole', async () => {
    const app = await opened(serviceOf([plainApi(resource(thing, { search: [first] }))]))
    const made = await app.ask('POST', path, { [first]: 'b', [second]: 'a' })
    expect(made.body).toEqual({ id: 1, [first]: 'b', [second]: 'a' })
    expect((await app.ask('POST', path, { [first]: 'a', [second]: 'a' })).body).toMatchObject({ code: 'value-taken' })
    await app.ask('POST', path, { [first]: 'a', [second]: 'b' })
    expect(await app.column(second, `${path}?${first}=b`)).toEqual(['a'])
    expect(await app.column(first, `${path}?sort=${first}`)).toEqual(['a', 'b'])
    expect(await app.column('id', `${path}?search=B`)).toEqual([1])
    expect((await app.ask('PATCH', `${path}/1`, { [first]: 'c' })).body).toEqual({ id: 1, [first]: 'c', [second]: 'a' })
  })
})

describe('a choice that may be null, with transitions', () => {
  const order = noun('order', {
    id: identity(),
    title: text(),
    state: choice({ null: ['NEW'], NEW: ['PAID', null], PAID: ['DONE'], DONE: [] }).nullable(),
  })
  const orders = serviceOf([plainApi(resource(order))])

  it('treats null as a state: it becomes, and comes from, what is declared', async () => {
    const app = await opened(orders)
    const create = async (state: string | null): Promise<string> => {
      const { status, body } = await app.ask('POST', '/order', { title: `${state}`, state })
      expect(status).toBe(201)
      return `/order/${body.id}`
    }
    const change = async (url: string, state: string | null, method = 'PATCH') =>
      (await app.ask(method, url, { state, ...(method === 'PUT' && { title: 'a' }) })).status

    const fresh = await create(null)
    expect(await change(fresh, 'DONE')).toBe(422)
    expect(await change(fresh, 'PAID', 'PUT')).toBe(422)
    expect(await change(fresh, null)).toBe(200)
    expect(await change(fresh, 'NEW')).toBe(200)
    expect(await change(fresh, null)).toBe(200)
    expect(await change(fresh, 'NEW', 'PUT')).toBe(200)
    expect(await change(fresh, 'PAID')).toBe(200)
    expect(await change(fresh, null)).toBe(422)
    expect(await change(fresh, null, 'PUT')).toBe(422)
    expect((await app.get(fresh)).body.state).toBe('PAID')

    const done = await app.ask('PATCH', await create('DONE'), { state: null })
    expect(done.body).toMatchObject({
      code: 'transition-not-allowed',
      detail: 'state cannot become null from "DONE".',
      hint: '"DONE" is a last state.',
    })
    const none = await app.ask('PATCH', await create(null), { state: 'DONE' })
    expect(none.body).toMatchObject({
      detail: 'state cannot become "DONE" from null.',
      hint: 'From null it can become "NEW".',
    })
    const paid = await app.ask('PATCH', await create('NEW'), { state: 'DONE' })
    expect(paid.body.hint).toBe('From "NEW" it can become "PAID" or null.')
  })

  it('says so in its document, and is not a word of its own there', async () => {
    const app = await opened(orders)
    const { body } = await app.get('/openapi.json')
    const found = JSON.stringify(body)
    expect(found).toContain('"x-nomen-transitions":{"null":["NEW"],"NEW":["PAID",null],"PAID":["DONE"],"DONE":[]}')
    expect(found).toContain('"enum":["NEW","PAID","DONE",null]')
  })
})
