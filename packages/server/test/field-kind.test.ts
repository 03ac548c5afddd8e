// Every kind of field from end to end: stored, returned, filtered, sorted and ranged exactly.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { expectFiltered, items, posted, query } from './item-service.ts'
import { openService } from './test-service.ts'

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

  it('of 18 digits is stored exactly and compared as a number', async () => {
    const app = await openService(items)
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

  it('has one canonical form', async () => {
    const app = await openService(items)
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

  it('may have all digits but one after the point, or none', async () => {
    const app = await openService(items)
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
      const app = await openService(items)
      expect((await app.send('POST', '/item', { price: value })).status).toBe(400)
    },
  )

  it('is not found by another value', async () => {
    const app = await openService(items)
    await posted(app, 'price', ['10.00', '123.45', '0.10'])
    // 1000 and 12345 are how many hundredths 10.00 and 123.45 are.
    for (const text of ['1000', '12345', '-10']) {
      expect(await app.column('price', `/item?${query('price', text)}`)).toEqual([])
      expect(await app.column('price', `/item?${query('price', text, '0.1')}`)).toEqual(['0.10'])
    }
  })

  it.each(['1e3', '12.345', ' 10', '+10', '10.', '0x0A', 'abc', '99999999999999999999', '1'.repeat(40)])(
    'cannot be filtered by %s',
    async (text) => {
      const app = await openService(items)
      for (const values of [[text], ['0.1', text]])
        expect(await app.get(`/item?${query('price', ...values)}`)).toMatchObject({
          status: 400,
          body: { code: 'invalid-parameter', errors: [{ parameter: 'price' }] },
        })
    },
  )

  it('compares with a range as with a value, and an invalid bound is 400', async () => {
    const app = await openService(items)
    for (const text of ['1e3', '12.345', 'x', '', '9'.repeat(30)])
      expect((await app.get(`/item?${query('pricedFrom', text)}`)).status, text).toBe(400)
  })

  it('agrees with exact arithmetic for all values', async () => {
    const app = await openService(items)
    const units = fc.bigInt({ min: -(10n ** 18n) + 1n, max: 10n ** 18n - 1n })
    const all = fc.sample(units, { numRuns: 150, seed: 1 })
    const textOf = (value: bigint) => {
      const digits = `${value < 0n ? -value : value}`.padStart(3, '0')
      return `${value < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
    }
    expect(await posted(app, 'price', all.map(textOf))).toEqual(all.map(textOf))
    const ordered = all.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)).map(textOf)
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
    const app = await openService(items)
    expect(await posted(app, 'ratio', values)).toEqual(values)
    await expectFiltered(app, 'ratio', values)
    const sorted = values.toSorted((a, b) => a - b)
    expect(await app.column('ratio', '/item?sort=ratio')).toEqual(sorted)
    expect(await app.column('ratio', `/item?ratedFrom=0.30000000000000004&ratedTo=100.5&sort=ratio`)).toEqual(
      sorted.filter((value) => value >= 0.1 + 0.2 && value < 100.5),
    )
  })

  it('that is whole has no decimal point, and zero has no sign', async () => {
    const app = await openService(items)
    const created = await app.send('POST', '/item', '{"ratio":-0}')
    expect(created.text).toContain('"ratio":0,')
    expect((await app.send('POST', '/item', '{"ratio":5.0}')).text).toContain('"ratio":5,')
    expect(await app.column('id', '/item?ratio=-0')).toEqual([1])
    expect(await app.column('id', '/item?ratio=0.0')).toEqual([1])
    expect(await app.column('id', '/item?ratio=5e0')).toEqual([2])
  })

  it('round-trips every double', async () => {
    const app = await openService(items)
    const doubles = fc.sample(fc.double({ noNaN: true, noDefaultInfinity: true }), { numRuns: 200, seed: 2 })
    const distinct = [...new Set(doubles.map((value) => (value === 0 ? 0 : value)))]
    expect(await posted(app, 'ratio', distinct)).toEqual(distinct)
    await expectFiltered(app, 'ratio', distinct)
    expect(await app.column('ratio', '/item?sort=-ratio')).toEqual(distinct.toSorted((a, b) => b - a))
  })

  it('is not a string, not infinite and not another type', async () => {
    const app = await openService(items)
    for (const body of ['{"ratio":"5"}', '{"ratio":1e999}', '{"ratio":true}', '{"ratio":null}', '{"ratio":[1]}'])
      expect((await app.send('POST', '/item', body)).status, body).toBe(400)
    for (const text of ['NaN', 'Infinity', '1e999', '0x10', ' 1', '', '1,5', '.5', '5.'])
      expect((await app.get(`/item?${query('ratio', text)}`)).status, text).toBe(400)
  })
})

describe('an integer', () => {
  const values = [0, 1, -1, 7, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]

  it('is exact within ±(2^53 - 1), and rejected beyond', async () => {
    const app = await openService(items)
    expect(await posted(app, 'count', values)).toEqual(values)
    await expectFiltered(app, 'count', values)
    expect(await app.column('count', '/item?sort=count')).toEqual(values.toSorted((a, b) => a - b))
    expect(await app.column('count', '/item?countedFrom=1&countedTo=9007199254740991&sort=count')).toEqual([1, 7])
    for (const body of ['{"count":9007199254740992}', '{"count":1.5}', '{"count":"1"}', '{"count":1e400}'])
      expect((await app.send('POST', '/item', body)).status, body).toBe(400)
  })
})

describe('a flag', () => {
  it('is true, false or null, and filtered and sorted as such', async () => {
    const app = await openService(items)
    expect(await posted(app, 'isOpen', [true, false, null])).toEqual([true, false, null])
    expect(await app.column('isOpen', '/item?isOpen=true')).toEqual([true])
    expect(await app.column('isOpen', '/item?isOpen=false')).toEqual([false])
    expect(await app.column('isOpen', '/item?isOpen=')).toEqual([null])
    expect(await app.column('isOpen', '/item?isOpen=&isOpen=true')).toEqual([true, null])
    expect(await app.column('isOpen', '/item?sort=isOpen')).toEqual([null, false, true])
    for (const text of ['1', 'TRUE', 'yes', '0']) expect((await app.get(`/item?isOpen=${text}`)).status).toBe(400)
    for (const value of [1, 0, 'true']) expect((await app.send('POST', '/item', { isOpen: value })).status).toBe(400)
  })
})

describe('a date', () => {
  it('is a calendar date, compared as such', async () => {
    const app = await openService(items)
    const days = ['0001-01-01', '1999-12-31', '2024-02-29', '2026-11-15', '9999-12-31']
    expect(await posted(app, 'due', [...days.toReversed(), null])).toEqual([...days.toReversed(), null])
    await expectFiltered(app, 'due', days)
    expect(await app.column('due', '/item?sort=due')).toEqual([null, ...days])
    expect(await app.column('due', '/item?sort=-due')).toEqual([...days.toReversed(), null])
    expect(await app.column('due', '/item?dueDayFrom=1999-12-31&dueDayTo=2026-11-15&sort=due')).toEqual(
      days.slice(1, 3),
    )
    expect(await app.column('due', '/item?due=')).toEqual([null])
    for (const wrong of ['tomorrow', '2025-02-29', '2026-11-15T00:00:00Z'])
      expect((await app.get(`/item?due=${wrong}`)).status, wrong).toBe(400)
    for (const wrong of ['0000-12-31', '2025-02-29', '2026-13-01', '2026-1-1', '20261115', '2026-11-15T00:00:00Z', ''])
      expect((await app.send('POST', '/item', { due: wrong })).status, wrong).toBe(400)
    expect((await app.get('/item?dueDayFrom=2025-02-29')).status).toBe(400)
  })
})

describe('a timestamp', () => {
  it('is a time in UTC with milliseconds, whatever its offset was', async () => {
    const app = await openService(items)
    const texts = [
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
      ...texts.slice(3),
    ]
    expect(await posted(app, 'at', texts)).toEqual(moments)
    expect(await app.column('id', `/item?${query('at', '2026-11-15T04:29:00.123+01:00')}`)).toEqual([1, 2])
    expect(await app.column('id', '/item?sort=at')).toEqual([5, 4, 3, 1, 2, 6])
    expect(await app.column('id', '/item?momentFrom=2024-02-29&momentTo=2026-11-15T03:29:00.123Z')).toEqual([3, 4])
    expect(await app.column('id', '/item?momentFrom=2026-11-15T03:29:00.123Z&momentTo=2027-01-01')).toEqual([1, 2])
    for (const wrong of ['soon', '2026-11-15T24:00:00Z', '2026-02-30T00:00:00Z'])
      expect((await app.get(`/item?at=${wrong}`)).status, wrong).toBe(400)
    const { status, body } = await app.get('/item?at=2026-11-15')
    expect([status, body.hint]).toEqual([400, 'For a whole day, use momentFrom=2026-11-15&momentTo=2026-11-16.'])
    expect((await app.get('/item?at=9999-12-31')).body.hint).toBe('For a whole day, use momentFrom=9999-12-31.')
    for (const wrong of [
      '0000-12-31T23:59:59Z',
      '2026-11-15',
      '2026-11-15T03:29:00',
      '2026-11-15T24:00:00Z',
      '2026-11-15 03:29:00Z',
      '0',
    ])
      expect((await app.send('POST', '/item', { at: wrong })).status, wrong).toBe(400)
  })
})
