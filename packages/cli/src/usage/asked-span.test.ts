import { describe, expect, it } from 'vitest'
import { readArguments } from '../command.ts'
import { askedSpan, daysOf } from './asked-span.ts'

const flags = ['from', 'to'].map((name) => ({ name, value: 'time', about: '' }))
const now = Date.parse('2026-11-15T19:00:00Z')
const span = (...given: string[]) => askedSpan(readArguments(flags, given), now)
const moments = (from: string | undefined, to: string | undefined) => ({
  ...(from && { from: Date.parse(from) }),
  ...(to && { to: Date.parse(to) }),
})

describe('the time that is asked for', () => {
  it.each([
    [['--from', '2026-11-01'], moments('2026-11-01T00:00:00Z', undefined), { from: '2026-11-01' }],
    [['--to', '2026-11-02'], moments(undefined, '2026-11-03T00:00:00Z'), { to: '2026-11-02' }],
    [['--from', '30d'], moments('2026-10-16T00:00:00Z', undefined), { from: '2026-10-16' }],
    [['--from', '2d', '--to', '1d'], moments('2026-11-13', '2026-11-15'), { from: '2026-11-13', to: '2026-11-14' }],
    [
      ['--from', '2026-11-01', '--to', '2026-11-01'],
      moments('2026-11-01', '2026-11-02'),
      { from: '2026-11-01', to: '2026-11-01' },
    ],
    [['--from', '36h'], moments('2026-11-14T07:00:00Z', undefined), { from: '2026-11-14T07:00:00Z' }],
    [['--to', '2026-11-01T08:00:00+02:00'], moments(undefined, '2026-11-01T06:00:00Z'), { to: '2026-11-01T06:00:00Z' }],
  ])('%j', (given, expected, asked) => {
    expect(span(...given)).toEqual({ moments: expected, asked })
  })

  it('is all of it where nothing is said', () => {
    expect(span()).toBeUndefined()
  })

  it.each([
    [['--from', '2026-02-30'], '--from is "2026-02-30".\n  Give a day such as 2026-11-01 (UTC), a moment'],
    [['--to', '01.11.2026'], '--to is "01.11.2026".\n'],
    [['--from', '30'], '--from is "30".\n'],
    [['--from', '2026-11-01T08:00'], '--from is "2026-11-01T08:00".\n'],
    [['--from', '2026-11-02', '--to', '2026-11-01'], '--from 2026-11-02 is not before --to 2026-11-01.\n  Swap them'],
    [['--from', '2027-01-01'], '--from 2027-01-01 is still to come.\n'],
  ])('%j is refused', (given, message) => {
    expect(() => span(...given)).toThrow(message)
  })

  it('is days for a service, which counts no shorter time', () => {
    expect(daysOf(span('--from', '30d', '--to', '2026-11-01'))).toEqual({ from: '2026-10-16', to: '2026-11-01' })
    expect(daysOf(undefined)).toEqual({})
    expect(() => daysOf(span('--from', '12h'))).toThrow(
      '--from is the moment 2026-11-15T07:00:00Z, and a service counts by days.\n  Give a day, such as 2026-11-15 or 30d',
    )
  })
})
