// The connections that a list may use, by the duration of earlier lists of its form.
import { afterEach, expect, it, vi } from 'vitest'
import { ListSpeed } from './list-speed.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

it('a list that reads few records is never slow', () => {
  const speed = new ListSpeed(true)
  speed.recordDuration(60_000)
  expect(speed.connectionUse(false)).toBe('list')
})

it('the first list of a form is slow, unless the table is small', () => {
  expect(new ListSpeed(false).connectionUse(false)).toBe('slow')
  expect(new ListSpeed(false).connectionUse(true)).toBe('scan')
})

it('one slow list does not make a fast form slow', () => {
  const speed = new ListSpeed(false)
  for (const tookMs of [3, 4, 3, 1500]) speed.recordDuration(tookMs)
  expect(speed.connectionUse(false)).toBe('scan')
})

it('the first list of a small table may be slow', () => {
  const speed = new ListSpeed(false)
  speed.connectionUse(true)
  speed.recordDuration(1500)
  expect(speed.connectionUse(true)).toBe('scan')
})

it('a form whose lists are slow gets a second chance after a minute', () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(1000)
  const speed = new ListSpeed(false)
  for (const tookMs of [3, 8000]) speed.recordDuration(tookMs)
  expect(speed.connectionUse(true)).toBe('slow')
  now.mockReturnValue(1000 + 59_999)
  expect(speed.connectionUse(false)).toBe('slow')
  now.mockReturnValue(1000 + 60_000)
  expect(speed.connectionUse(false)).toBe('scan')
  speed.recordDuration(8000)
  expect(speed.connectionUse(false)).toBe('slow')
})

it('a form is fast again when its lists are fast', () => {
  const speed = new ListSpeed(false)
  speed.recordDuration(400)
  expect(speed.connectionUse(false)).toBe('slow')
  for (let times = 0; times < 4; times++) speed.recordDuration(3)
  expect(speed.connectionUse(false)).toBe('scan')
})
