import { describe, expect, it } from 'vitest'
import { beyond } from './log-position.ts'
import { ReaderMarks } from './reader-marks.ts'

describe('the marks of readers', () => {
  it('are the latest write of each caller, or what the caller names', () => {
    const marks = new ReaderMarks()
    marks.note('a', 5n)
    marks.note('a', 3n)
    expect(marks.neededBy({ name: 'a' })).toBe(5n)
    expect(marks.neededBy({ name: 'b' })).toBe(0n)
    expect(marks.neededBy({ name: 'b', after: '1/A' })).toBe(2n ** 32n + 10n)
    expect(marks.neededBy({ name: 'a', after: '0/4' })).toBe(5n)
  })

  it('are forgotten once they have been reached everywhere', () => {
    const marks = new ReaderMarks()
    marks.note('a', 5n)
    marks.note('b', 6n)
    marks.forget(5n)
    expect([marks.neededBy({ name: 'a' }), marks.neededBy({ name: 'b' })]).toEqual([0n, 6n])
    marks.forget(6n)
    expect(marks.isEmpty).toBe(true)
  })

  it('that are not known wait for the primary to say where its log ends', () => {
    const marks = new ReaderMarks()
    marks.note('a', beyond)
    marks.forget(100n)
    expect([marks.neededBy({ name: 'a' }), marks.hasUnknown]).toEqual([beyond, true])
    marks.settle(101n)
    expect([marks.neededBy({ name: 'a' }), marks.hasUnknown]).toEqual([101n, false])
  })

  it('of very many callers become one that all wait for', () => {
    const marks = new ReaderMarks()
    for (let caller = 1; caller <= 10_001; caller++) marks.note(`${caller}`, BigInt(caller))
    expect(marks.isEmpty).toBe(true)
    expect([marks.neededBy({ name: '1' }), marks.neededBy({ name: 'another' })]).toEqual([10_001n, 10_001n])
  })
})
