import { describe, expect, it } from 'vitest'
import { unknownPosition } from './log-position.ts'
import { WritePositions } from './write-positions.ts'

describe('write positions', () => {
  it('are the latest write of each caller, or the position that the caller sends', () => {
    const positions = new WritePositions()
    positions.record('a', 5n)
    positions.record('a', 3n)
    expect(positions.neededBy('a')).toBe(5n)
    expect(positions.neededBy('b')).toBe(0n)
    expect(positions.neededBy('b', 10n)).toBe(10n)
    expect(positions.neededBy('a', 4n)).toBe(5n)
  })

  it('are forgotten once all replicas have replayed them', () => {
    const positions = new WritePositions()
    positions.record('a', 5n)
    positions.record('b', 6n)
    positions.forget(5n)
    expect([positions.neededBy('a'), positions.neededBy('b')]).toEqual([0n, 6n])
    positions.forget(6n)
    expect(positions.isEmpty).toBe(true)
  })

  it("that are unknown are replaced by the end of the primary's log", () => {
    const positions = new WritePositions()
    positions.record('a', unknownPosition)
    positions.forget(100n)
    expect([positions.neededBy('a'), positions.hasUnknown]).toEqual([unknownPosition, true])
    positions.settle(101n)
    expect([positions.neededBy('a'), positions.hasUnknown]).toEqual([101n, false])
  })

  it('of very many callers become one position for all', () => {
    const positions = new WritePositions()
    for (let caller = 1; caller <= 10_001; caller++) positions.record(`${caller}`, BigInt(caller))
    expect(positions.isEmpty).toBe(true)
    expect([positions.neededBy('1'), positions.neededBy('another')]).toEqual([10_001n, 10_001n])
  })
})
