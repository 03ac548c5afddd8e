import { describe, expect, it } from 'vitest'
import { readArguments } from '../command.ts'
import { periodQuery, requestedPeriod } from './requested-period.ts'

const flags = ['from', 'to'].map((name) => ({ name, value: 'time', about: '' }))
const now = Date.parse('2026-11-15T19:00:00Z')
const periodOf = (...args: string[]) => requestedPeriod(readArguments(flags, args), now)
const spanOf = (from: string | undefined, to: string | undefined) => ({
  ...(from && { from: Date.parse(from) }),
  ...(to && { to: Date.parse(to) }),
})

describe('the requested period', () => {
  it.each([
    [['--from', '2026-11-01'], spanOf('2026-11-01T00:00:00Z', undefined), { from: '2026-11-01' }],
    [['--to', '2026-11-02'], spanOf(undefined, '2026-11-03T00:00:00Z'), { to: '2026-11-02' }],
    [['--from', '30d'], spanOf('2026-10-16T00:00:00Z', undefined), { from: '2026-10-16' }],
    [['--from', '2d', '--to', '1d'], spanOf('2026-11-13', '2026-11-15'), { from: '2026-11-13', to: '2026-11-14' }],
    [
      ['--from', '2026-11-01', '--to', '2026-11-01'],
      spanOf('2026-11-01', '2026-11-02'),
      { from: '2026-11-01', to: '2026-11-01' },
    ],
    [['--from', '36h'], spanOf('2026-11-14T07:00:00Z', undefined), { from: '2026-11-14T07:00:00Z' }],
    [['--to', '2026-11-01T08:00:00+02:00'], spanOf(undefined, '2026-11-01T06:00:00Z'), { to: '2026-11-01T06:00:00Z' }],
  ])('%j', (args, expected, requested) => {
    expect(periodOf(...args)).toMatchObject({ span: expected, requested })
  })

  it('does not go beyond now', () => {
    expect(periodOf('--from', '2026-11-01')?.past).toEqual({ from: Date.parse('2026-11-01'), to: now })
    expect(periodOf('--to', '2026-11-20')?.past).toEqual({ to: now })
    expect(periodOf('--to', '2026-11-02')?.past).toEqual({ to: Date.parse('2026-11-03') })
  })

  it('is undefined without flags', () => {
    expect(periodOf()).toBeUndefined()
  })

  it.each([
    [['--from', '2026-02-30'], /^--from must be a day such as 2026-11-01 \(UTC\), a time .*, but is "2026-02-30"\.$/],
    [['--to', '01.11.2026'], /^--to must be .*, but is "01\.11\.2026"\.$/],
    [['--from', '30'], /^--from must be .*, but is "30"\.$/],
    [['--from', '2026-11-01T08:00'], /^--from must be .*, but is "2026-11-01T08:00"\.$/],
    [['--from', '2026-11-02', '--to', '2026-11-01'], '--from 2026-11-02 is not before --to 2026-11-01.\n  Swap them'],
    [['--from', '2027-01-01'], '--from 2027-01-01 is in the future.\n'],
  ])('%j is rejected', (args, message) => {
    expect(() => periodOf(...args)).toThrow(message)
  })

  it('is days for a service, which counts no shorter time', () => {
    expect(periodQuery(periodOf('--from', '30d', '--to', '2026-11-01'))).toEqual({
      from: '2026-10-16',
      to: '2026-11-01',
    })
    expect(periodQuery(undefined)).toEqual({})
    expect(() => periodQuery(periodOf('--from', '12h'))).toThrow(
      '--from is the time 2026-11-15T07:00:00Z, but a service counts by day.\n  Use a day, such as 2026-11-15 or 30d',
    )
  })
})
