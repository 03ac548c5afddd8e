// Moments say in which time they are.
import { afterEach, expect, it, vi } from 'vitest'
import { shownMoment } from './moment.ts'

afterEach(() => void vi.unstubAllEnvs())

it.each([
  ['UTC', '2026-03-29 00:30:05 (UTC+00:00)'],
  ['Asia/Kathmandu', '2026-03-29 06:15:05 (UTC+05:45)'],
  ['America/New_York', '2026-03-28 20:30:05 (UTC-04:00)'],
])('are told in UTC, and in the time of %s beside', (zone, here) => {
  vi.stubEnv('TZ', zone)
  const text = '2026-03-29T00:30:05.000Z'
  expect(shownMoment(text)).toEqual({ day: '2026-03-29', time: '00:30', title: `${text}; here ${here}` })
})

it('are in UTC whatever offset they came with', () => {
  expect(shownMoment('2026-01-01T01:00:00+02:00')).toMatchObject({ day: '2025-12-31', time: '23:00' })
})

it('leaves alone what is none', () => {
  expect(shownMoment('yesterday')).toBeUndefined()
  expect(shownMoment('2026-13-45T99:99')).toBeUndefined()
})
