import type { UsageReport } from '@nomen/core/usage'
import { describe, expect, it } from 'vitest'
import { doubtsOf } from './retirement.ts'

const base: UsageReport = {
  source: 'access logs',
  window: { first: '2026-10-01T00:00:00Z', last: '2026-10-31T00:00:00Z', gaps: [] },
  quietAfter: 30,
  requests: 9900,
  unreadable: 0,
  others: 0,
  endpoints: [],
}

const doubts = (change: Partial<UsageReport>, areGapsAllowed = false) =>
  doubtsOf({ ...base, ...change }, areGapsAllowed).map(({ detail }) => detail)

const window = (first: string, last: string, ...gaps: string[]) => ({ window: { first, last, gaps } })

describe('a removal', () => {
  it('has no doubt if the data covers the whole period', () => {
    expect(doubts({})).toEqual([])
  })

  it('is in doubt if more than 1 % of the lines are unreadable', () => {
    expect(doubts({ unreadable: 100 })).toEqual([])
    expect(doubts({ unreadable: 101 })).toEqual(['101 of 10,001 lines could not be read, more than 1 %.'])
    const outside = { requests: 100, first: '2026-09-01T00:00:00Z', last: '2026-09-02T00:00:00Z' }
    expect(doubts({ unreadable: 101, outside })).toEqual([])
  })

  it('is in doubt if there is no request', () => {
    const { window: _, ...empty } = base
    const details = (report: Partial<UsageReport>) =>
      doubtsOf({ ...empty, ...report }, true).map(({ detail }) => detail)
    expect(details({})).toEqual(['The logs contain no requests.'])
    expect(details({ source: 'service', requested: {} })).toEqual([
      'The service has counted no requests in that period.',
    ])
  })

  it('is in doubt if the data covers less than the quiet period', () => {
    const short = window('2026-10-01T00:00:01Z', '2026-10-31T00:00:00Z')
    expect(doubts(short)).toEqual(['The logs cover 29 days, less than 30 days.'])
    expect(doubts({ ...short, source: 'service' })).toEqual(['The service has counted for 29 days, less than 30 days.'])
    expect(doubts({ ...short, quietAfter: 29 })).toEqual([])
  })

  it('treats requests outside of the requested period as a sign that the logs cover it', () => {
    const short = window('2026-10-01T08:00:00Z', '2026-10-30T20:00:00Z')
    const requested = { from: '2026-10-01', to: '2026-10-30' }
    expect(doubts({ ...short, requested })).toEqual(['The logs cover 29 days, less than 30 days.'])
    const outside = { requests: 2, first: '2026-09-30T08:00:00Z', last: '2026-10-31T08:00:00Z' }
    expect(doubts({ ...short, requested, outside })).toEqual([])
  })

  it('is in doubt if the data has gaps, unless they are allowed', () => {
    const gap = window('2026-10-01T00:00:00Z', '2026-10-31T00:00:00Z', '2026-10-07')
    expect(doubts(gap)).toEqual(['Calls may be missing on 2026-10-07.'])
    expect(doubts({ ...gap, source: 'service' })).toEqual(['Calls may be missing on 2026-10-07.'])
    expect(doubts(gap, true)).toEqual([])
    const gaps = window('2026-10-01T00:00:00Z', '2026-10-31T00:00:00Z', '2026-10-07', '2026-10-08')
    expect(doubts(gaps)).toEqual(['Calls may be missing on 2 days, the first is 2026-10-07.'])
  })

  it.each([
    [{ from: '2026-10-01' }, true],
    [{ from: '2026-09-30' }, false],
    [{ to: '2026-10-31' }, true],
    [{ to: '2026-11-01' }, false],
  ])('is in doubt if a service has not counted for the whole period %j', (requested, isCovered) => {
    const detail =
      'The service has counted from 2026-10-01T00:00:00Z to 2026-10-31T00:00:00Z, not for the whole requested period.'
    expect(doubts({ source: 'service', requested })).toEqual(isCovered ? [] : [detail])
  })

  it('has all doubts at once', () => {
    const short = window('2026-10-01T00:00:00Z', '2026-10-11T00:00:00Z', '2026-10-07')
    expect(doubts({ ...short, unreadable: 200 })).toHaveLength(3)
  })
})
