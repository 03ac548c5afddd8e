// Times in an input, in UTC and in the time zone of the browser.
import { afterEach, expect, it, vi } from 'vitest'
import { timeStep, utcTime, wallTime } from './wall-time.ts'

afterEach(() => void vi.unstubAllEnvs())

it.each([
  ['Asia/Kathmandu', '2026-03-29T00:30:00.000Z', '2026-03-29T06:15'],
  ['America/New_York', '2026-01-01T01:00:05.000Z', '2025-12-31T20:00:05'],
  // The first digit of a year that is typed.
  ['Europe/Berlin', '0002-01-01T09:06:32.000Z', '0002-01-01T10:00'],
  // Summer time.
  ['Europe/Berlin', '2026-07-01T10:00:00.250Z', '2026-07-01T12:00:00.250'],
])('in %s, %s is %s, and back', (zone, value, local) => {
  vi.stubEnv('TZ', zone)
  expect(wallTime(value, true)).toBe(local)
  expect(utcTime(local, true)).toBe(value)
  expect(utcTime(wallTime(value, false), false)).toBe(value)
})

it('shows UTC whatever the zone of the value, and of one without a zone', () => {
  expect(wallTime('2026-01-01T01:00:00+02:00', false)).toBe('2025-12-31T23:00')
  expect(wallTime('2026-01-01T01:00', false)).toBe('2026-01-01T01:00')
  expect([wallTime('', true), utcTime('', true), utcTime('', false)]).toEqual(['', '', ''])
})

it('has no seconds unless the value has some', () => {
  expect(['', '2026-01-01T01:00:00Z', '2026-01-01T01:00:07Z', '2026-01-01T01:00:07.5Z'].map(timeStep)).toEqual([
    '60',
    '60',
    '1',
    '0.001',
  ])
})
