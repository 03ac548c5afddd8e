import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pageInfo } from './page.ts'

const size = fc.integer({ min: 1, max: 1000 })
const count = fc.oneof(fc.nat({ max: 5000 }), fc.nat({ max: Number.MAX_SAFE_INTEGER }))

describe('pageInfo', () => {
  it.each([
    [0, 10, 0],
    [1, 10, 1],
    [9, 10, 1],
    [10, 10, 1],
    [11, 10, 2],
    [25, 10, 3],
    [25, 1, 25],
    [1000, 1000, 1],
  ])('spreads %i records over pages of %i: %i pages', (numberOfRecords, pageSize, numberOfPages) => {
    expect(pageInfo({ pageNumber: 1, pageSize }, numberOfRecords)).toEqual({
      pageSize,
      pageNumber: 1,
      numberOfPages,
      numberOfRecords,
    })
  })

  it('has just enough pages for all records', () => {
    fc.assert(
      fc.property(size, count, (pageSize, numberOfRecords) => {
        const { numberOfPages } = pageInfo({ pageNumber: 1, pageSize }, numberOfRecords)
        const capacity = BigInt(numberOfPages) * BigInt(pageSize)
        expect(Number.isSafeInteger(numberOfPages)).toBe(true)
        expect(capacity >= numberOfRecords && capacity - BigInt(pageSize) < numberOfRecords).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })

  it('returns the requested page number, even past the end', () => {
    fc.assert(
      fc.property(size, fc.integer({ min: 1 }), count, (pageSize, pageNumber, numberOfRecords) => {
        expect(pageInfo({ pageNumber, pageSize }, numberOfRecords)).toMatchObject({
          pageNumber,
          pageSize,
          numberOfRecords,
        })
      }),
    )
  })

  it('has exactly four properties for any input', () => {
    const page = { pageNumber: 2, pageSize: 5, offset: 5 }
    expect(Object.keys(pageInfo(page, 7))).toEqual(['pageSize', 'pageNumber', 'numberOfPages', 'numberOfRecords'])
  })
})
