import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readDate, readTimestamp } from './read-date.ts'

const twoDigits = (part: number) => String(part).padStart(2, '0')
const dayText = (year: number, month: number, day: number) =>
  `${String(year).padStart(4, '0')}-${twoDigits(month)}-${twoDigits(day)}`

const minute = 60_000
const firstMoment = Date.parse('0001-01-01T00:00:00.000Z')
const lastMoment = Date.parse('9999-12-31T23:59:59.999Z')

describe('readDate', () => {
  it('accepts every day of a 400-year cycle of the calendar', () => {
    const last = Date.UTC(2300, 0, 1)
    let days = 0
    for (let moment = Date.UTC(1900, 0, 1); moment < last; moment += 24 * 60 * minute) {
      const day = new Date(moment).toISOString().slice(0, 10)
      if (readDate(day) !== day) expect.unreachable(`${day} is rejected`)
      days++
    }
    expect(days).toBe(146_097)
  })

  it('accepts the last day of every month from 0001 to 9999, and no day of the year 0000', () => {
    const calendar = new Date(0)
    for (let year = 0; year <= 9999; year++) {
      for (let month = 1; month <= 12; month++) {
        calendar.setUTCFullYear(year, month, 0)
        const last = calendar.getUTCDate()
        for (const day of [0, 1, 28, 29, 30, 31, 32]) {
          const text = dayText(year, month, day)
          const expected = year >= 1 && day >= 1 && day <= last ? text : undefined
          if (readDate(text) !== expected) expect.unreachable(`${text} should read as ${expected}`)
        }
      }
    }
  })

  it.each([
    ['2024-02-29', true],
    ['2023-02-29', false],
    ['2000-02-29', true],
    ['1900-02-29', false],
    ['0000-02-29', false],
    ['0001-01-01', true],
    ['2026-00-10', false],
    ['2026-13-10', false],
  ])('returns for %s: %s', (text, isDay) => {
    expect(readDate(text)).toBe(isDay ? text : undefined)
  })

  it.each([
    '',
    '2026-1-5',
    '26-01-05',
    '20260105',
    '2026/01/05',
    ' 2026-01-05',
    '2026-01-05 ',
    '2026-01-05\n',
    '+2026-01-05',
    '-002026-01-05',
    '12026-01-05',
    '2026-01-05T00:00:00Z',
    '٢٠٢٦-٠١-٠٥',
  ])('rejects %j', (text) => {
    expect(readDate(text)).toBeUndefined()
  })
})

describe('readTimestamp', () => {
  it('converts a timestamp with any offset to UTC', () => {
    const moment = fc.integer({ min: firstMoment, max: lastMoment })
    const offset = fc.integer({ min: -(24 * 60 - 1), max: 24 * 60 - 1 })
    fc.assert(
      fc.property(moment, offset, (utc, minutes) => {
        const local = utc + minutes * minute
        fc.pre(local >= firstMoment && local <= lastMoment)
        const size = Math.abs(minutes)
        const zone = `${minutes < 0 ? '-' : '+'}${twoDigits(Math.floor(size / 60))}:${twoDigits(size % 60)}`
        const text = `${new Date(local).toISOString().slice(0, -1)}${zone}`
        expect(readTimestamp(text)).toBe(new Date(utc).toISOString())
      }),
      { numRuns: 2000 },
    )
  })

  it('leaves the stored form unchanged', () => {
    fc.assert(
      fc.property(fc.integer({ min: firstMoment, max: lastMoment }), (utc) => {
        const text = new Date(utc).toISOString()
        expect(readTimestamp(text)).toBe(text)
      }),
    )
  })

  it('truncates fractions of a second after three digits and never rounds up', () => {
    const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(digits, fc.constantFrom('Z', '+00:00', '-05:30'), (fraction, zone) => {
        const seconds = /\.(\d{3})Z$/.exec(readTimestamp(`2026-12-31T23:59:59.${fraction}${zone}`) ?? '')?.[1]
        expect(seconds).toBe(`${fraction}00`.slice(0, 3))
      }),
    )
  })

  it.each([
    ['2026-11-15T03:29:00Z', '2026-11-15T03:29:00.000Z'],
    ['2026-11-15T03:29:00.5Z', '2026-11-15T03:29:00.500Z'],
    ['2026-11-15T03:29:00.9999999Z', '2026-11-15T03:29:00.999Z'],
    ['2026-11-15T03:29:00+01:00', '2026-11-15T02:29:00.000Z'],
    ['2026-11-15T03:29:00-05:30', '2026-11-15T08:59:00.000Z'],
    ['2027-01-01T00:30:00+01:00', '2026-12-31T23:30:00.000Z'],
    ['2024-02-28T23:30:00-01:00', '2024-02-29T00:30:00.000Z'],
    ['2026-11-15T03:29:00-00:00', '2026-11-15T03:29:00.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('reads %s as %s', (input, expected) => {
    expect(readTimestamp(input)).toBe(expected)
  })

  it.each([
    ['0000-12-31T23:59:59.999Z', 'lies before the year 0001'],
    ['0001-01-01T00:00:00+00:01', 'lies before the year 0001'],
    ['0000-12-31T23:59:59-01:00', 'has a day of the year 0000'],
    ['9999-12-31T23:59:59-00:01', 'lies after the year 9999'],
    ['2026-11-15', 'has no time'],
    ['2026-11-15T03:29Z', 'has no seconds'],
    ['2026-11-15T03:29:00', 'has no offset'],
    ['2026-11-15 03:29:00Z', 'has a space'],
    ['2026-11-15t03:29:00z', 'is in lower case'],
    ['2026-11-15T24:00:00Z', 'has an hour that does not exist'],
    ['2026-11-15T03:60:00Z', 'has a minute that does not exist'],
    ['2026-11-15T03:29:60Z', 'has a second that does not exist'],
    ['2016-12-31T23:59:60Z', 'is a leap second, which Nomen does not support'],
    ['2026-11-15T03:29:00.Z', 'has a point without digits'],
    ['2026-11-15T03:29:00,5Z', 'has a comma'],
    ['2026-11-15T03:29:00+1:00', 'has an offset of one digit'],
    ['2026-11-15T03:29:00+0100', 'has an offset without a colon'],
    ['2026-11-15T03:29:00+24:00', 'has an offset that does not exist'],
    ['2026-11-15T03:29:00+01:60', 'has an offset that does not exist'],
    ['2026-02-30T03:29:00Z', 'has a day that does not exist'],
    ['2026-02-30T03:29:00+01:00', 'has a day that does not exist'],
    ['2026-11-15T03:29:00Z\n', 'has a line break'],
    ['', 'is empty'],
    ['now', 'is a word'],
  ])('rejects %j, which %s', (text) => {
    expect(readTimestamp(text)).toBeUndefined()
  })
})
