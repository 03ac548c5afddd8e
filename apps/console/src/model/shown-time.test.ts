// Times are shown in UTC, with the local time beside, or in local time.
import { afterEach, expect, it, vi } from 'vitest'
import { shownTime } from './shown-time.ts'

afterEach(() => void vi.unstubAllEnvs())

it('shows the UTC date and time, and the exact value with the local time as a title', () => {
  vi.stubEnv('TZ', 'Asia/Kathmandu')
  const value = '2026-03-29T00:30:05.000Z'
  expect(shownTime(value)).toEqual({
    day: 'Mar 29, 2026',
    time: expect.stringMatching(/^12:30\sAM UTC$/),
    title: expect.stringMatching(/^2026-03-29T00:30:05\.000Z = Mar 29, 2026, 6:15:05\sAM GMT\+5:45$/),
  })
})

it('shows the date and time of the browser for those who prefer them', () => {
  vi.stubEnv('TZ', 'Asia/Kathmandu')
  expect(shownTime('2026-03-28T19:30:05.000Z', true)).toMatchObject({
    day: 'Mar 29, 2026',
    time: expect.stringMatching(/^1:15\sAM GMT\+5:45$/),
  })
})

it('shows UTC whatever the offset of the value', () => {
  expect(shownTime('2026-01-01T01:00:00+02:00')).toMatchObject({ day: 'Dec 31, 2025' })
})

it('is undefined for other texts', () => {
  expect(shownTime('yesterday')).toBeUndefined()
  expect(shownTime('2026-13-45T99:99')).toBeUndefined()
})
