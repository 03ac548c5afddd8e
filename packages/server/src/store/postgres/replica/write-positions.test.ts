import { describe, expect, it } from 'vitest'
import { beyond } from './log-position.ts'
import { WritePositions } from './write-positions.ts'

describe('the marks of readers', () => {
  it('are the latest write of each caller, or what the caller names', () => {
    const marks = new WritePositions()
    marks.note('a', 5n)
    marks.note('a', 3n)
    expect(marks.neededBy('a')).toBe(5n)
    expect(marks.neededBy('b')).toBe(0n)
    expect(marks.neededBy('b', 10n)).toBe(10n)
    expect(marks.neededBy('a', 4n)).toBe(5n)
  })

  it('are forgotten once they have been reached everywhere', () => {
    const marks = new WritePositions()
    marks.note('a', 5n)
    marks.note('b', 6n)
    marks.forget(5n)
    expect([marks.neededBy('a'), marks.neededBy('b')]).toEqual([0n, 6n])
    marks.forget(6n)
    expect(marks.isEmpty).toBe(true)
  })

  it('that are not known wait for the primary to say where its log ends', () => {
    const marks = new WritePositions()
    marks.note('a', beyond)
    marks.forget(100n)
    expect([marks.neededBy('a'), marks.hasUnknown]).toEqual([beyond, true])
    marks.settle(101n)
    expect([marks.neededBy('a'), marks.hasUnknown]).toEqual([101n, false])
  })

  it('of very many callers become one that all wait for', () => {
    const marks = new WritePositions()
    for (let caller = 1; caller <= 10_001; caller++) marks.note(`${caller}`, BigInt(caller))
    expect(marks.isEmpty).toBe(true)
    expect([marks.neededBy('1'), marks.neededBy('another')]).toEqual([10_001n, 10_001n])
  })
})
