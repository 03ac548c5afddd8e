import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nearest } from './nearest.ts'

const names = [
  'id',
  'firstName',
  'lastName',
  'email',
  'department',
  'description',
  'created',
  'lastUpdated',
  'pageSize',
]

describe('nearest', () => {
  it.each([
    ['lastname', 'lastName'],
    ['LASTNAME', 'lastName'],
    ['lastNmae', 'lastName'],
    ['lastNam', 'lastName'],
    ['lstName', 'lastName'],
    ['lastNames', 'lastName'],
    ['mail', 'email'],
    ['emial', 'email'],
    ['desc', 'description'],
    ['dep', 'department'],
    ['departement', 'department'],
    ['create', 'created'],
    ['pagesize', 'pageSize'],
    ['page_size', 'pageSize'],
    ['Id', 'id'],
    ['di', 'id'],
  ])('suggests for %s: %s', (input, expected) => {
    expect(nearest(input, names)).toBe(expected)
  })

  it.each(['xyz', 'salary', 'q', '', 'dateOfBirth', 'constructor'])('suggests nothing for %j', (input) => {
    expect(nearest(input, names)).toBeUndefined()
  })

  it('suggests nothing if there are no names', () => {
    expect(nearest('name', [])).toBeUndefined()
  })

  it('prefers the nearer of two names', () => {
    expect(nearest('lastUpdate', ['lastUploaded', 'lastUpdated'])).toBe('lastUpdated')
    expect(nearest('colour', ['colours', 'color', 'collar'])).toBe('colours')
  })

  it('prefers the first of two names at the same distance', () => {
    expect(nearest('cat', ['car', 'cab'])).toBe('car')
    expect(nearest('cat', ['cab', 'car'])).toBe('cab')
  })

  it('finds every name itself, in any letter case', () => {
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.infiniteStream(fc.boolean()), (name, raise) => {
        const input = [...name].map((letter) => (raise.next().value ? letter.toUpperCase() : letter)).join('')
        expect(nearest(input, names)).toBe(name)
      }),
    )
  })

  it('tolerates one typo in any name of four letters or more', () => {
    const typo = fc.tuple(fc.nat(), fc.constantFrom('q', '', '7'), fc.nat({ max: 1 }))
    fc.assert(
      fc.property(
        fc.constantFrom('firstName', 'department', 'email', 'created'),
        typo,
        (name, [index, inserted, removedCount]) => {
          const position = index % name.length
          expect(nearest(name.slice(0, position) + inserted + name.slice(position + removedCount), names)).toBe(name)
        },
      ),
    )
  })

  it('returns one of the names or nothing, for any string', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.array(fc.string()), (input, candidates) => {
        const suggestion = nearest(input, candidates)
        expect(suggestion === undefined || candidates.includes(suggestion)).toBe(true)
      }),
    )
  })

  it('reads only the beginning of a very long string', () => {
    expect(nearest('x'.repeat(1_000_000), names)).toBeUndefined()
    expect(nearest(`${'x'.repeat(64)}${'y'.repeat(1_000_000)}`, ['x'.repeat(64)])).toBe('x'.repeat(64))
  })

  it('prefers the exact name to a longer one that begins with it', () => {
    expect(nearest('lastname', ['lastNameSuffix', 'lastName'])).toBe('lastName')
  })
})
