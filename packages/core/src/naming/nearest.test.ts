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
  ])('takes %s for %s', (given, meant) => {
    expect(nearest(given, names)).toBe(meant)
  })

  it.each(['xyz', 'salary', 'q', '', 'dateOfBirth', 'constructor'])('has no idea what %j means', (given) => {
    expect(nearest(given, names)).toBeUndefined()
  })

  it('has no idea where there are no names', () => {
    expect(nearest('name', [])).toBeUndefined()
  })

  it('takes the nearer of two', () => {
    expect(nearest('lastUpdate', ['lastUploaded', 'lastUpdated'])).toBe('lastUpdated')
    expect(nearest('colour', ['colours', 'color', 'collar'])).toBe('colours')
  })

  it('takes the first of two that are equally near', () => {
    expect(nearest('cat', ['car', 'cab'])).toBe('car')
    expect(nearest('cat', ['cab', 'car'])).toBe('cab')
  })

  it('knows every name by itself, whatever its case', () => {
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.infiniteStream(fc.boolean()), (name, raise) => {
        const given = [...name].map((letter) => (raise.next().value ? letter.toUpperCase() : letter)).join('')
        expect(nearest(given, names)).toBe(name)
      }),
    )
  })

  it('forgives one slip in any name of four letters or more', () => {
    const slip = fc.tuple(fc.nat(), fc.constantFrom('q', '', '7'), fc.nat({ max: 1 }))
    fc.assert(
      fc.property(fc.constantFrom('firstName', 'department', 'email', 'created'), slip, (name, [place, put, taken]) => {
        const at = place % name.length
        expect(nearest(name.slice(0, at) + put + name.slice(at + taken), names)).toBe(name)
      }),
    )
  })

  it('answers one of the names or nothing, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.array(fc.string()), (given, all) => {
        const found = nearest(given, all)
        expect(found === undefined || all.includes(found)).toBe(true)
      }),
    )
  })

  it('looks at no more than the beginning of a very long text', () => {
    expect(nearest('x'.repeat(1_000_000), names)).toBeUndefined()
    expect(nearest(`${'x'.repeat(64)}${'y'.repeat(1_000_000)}`, ['x'.repeat(64)])).toBe('x'.repeat(64))
  })

  it('prefers the name itself to a longer one that begins with it', () => {
    expect(nearest('lastname', ['lastNameSuffix', 'lastName'])).toBe('lastName')
  })
})
