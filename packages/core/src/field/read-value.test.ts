import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fitsSchema, isAccepted, kinds, maybeNullable, otherJson, storable } from '../../test/field-value.ts'
import { choice, date, decimal, email, guid, text, timestamp, url } from './kinds.ts'
import { isStorable, readValue } from './read-value.ts'

describe.each(Object.entries(kinds))('a field of the kind %s', (_kind, { specs, nearValues }) => {
  it('accepts exactly the values that fit its schema', () => {
    fc.assert(
      fc.property(maybeNullable(specs), fc.oneof(nearValues, nearValues, otherJson), (spec, value) => {
        expect(isAccepted(spec, value)).toBe(fitsSchema(spec, value))
      }),
      { numRuns: 1000 },
    )
  })

  it('reads its own output as the same value, which fits its schema', () => {
    fc.assert(
      fc.property(maybeNullable(specs), nearValues, (spec, input) => {
        const first = readValue(spec, input)
        fc.pre('value' in first)
        expect(readValue(spec, first.value)).toEqual(first)
        expect(fitsSchema(spec, first.value)).toBe(true)
      }),
      { numRuns: 200 },
    )
  })

  it('accepts null only if it is nullable', () => {
    fc.assert(
      fc.property(specs, (spec) => {
        expect(readValue({ ...spec, nullable: true }, null)).toEqual({ value: null })
        expect(readValue(spec, null)).toEqual({ fault: 'must not be null' })
      }),
      { numRuns: 20 },
    )
  })

  it('rejects values that are not JSON', () => {
    fc.assert(
      fc.property(
        maybeNullable(specs),
        fc.constantFrom(undefined, Number.NaN, Number.POSITIVE_INFINITY, 1n, Symbol('x'), () => 1, new Date(0)),
        (spec, input) => isAccepted(spec, input) === false,
      ),
      { numRuns: 50 },
    )
  })

  it('reports a fault as the end of a sentence', () => {
    fc.assert(
      fc.property(maybeNullable(specs), fc.oneof(nearValues, otherJson), (spec, input) => {
        const reading = readValue(spec, input)
        if ('fault' in reading) expect(reading.fault).toMatch(/^must [^\n]*[^\s.]$/)
      }),
      { numRuns: 100 },
    )
  })
})

describe('every kind of text field', () => {
  const halves = ['\u0000', 'a\u0000b', '\ud800', 'a\udfff', '\udc00\ud800', '\ud83d\ud83d\ude00']

  it.each(halves)('rejects U+0000 and unpaired surrogates: %j', (unstorable) => {
    const fault = 'must not contain U+0000 or an unpaired surrogate'
    const specs = [text().spec, url().spec, email().spec, date().spec, timestamp().spec, decimal({ scale: 1 }).spec]
    for (const spec of [...specs, choice(unstorable, 'x').spec]) expect(readValue(spec, unstorable)).toEqual({ fault })
    expect(isAccepted(guid().spec, unstorable)).toBe(false)
  })

  it('accepts every other string unchanged', () => {
    fc.assert(
      fc.property(storable, (input) => {
        expect(readValue(text().spec, input)).toEqual({ value: input })
      }),
    )
  })

  it('accepts exactly the characters that both databases can store', () => {
    const units = fc.array(fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.integer({ min: 0xd7ff, max: 0xe000 })))
    fc.assert(
      fc.property(units, (codeUnits) => {
        const input = String.fromCharCode(...codeUnits)
        // UTF-8 encodes every string except one with an unpaired surrogate.
        const survives = new TextDecoder('utf-8', { ignoreBOM: true }).decode(new TextEncoder().encode(input)) === input
        expect(isStorable(input)).toBe(survives && !codeUnits.includes(0))
      }),
    )
  })
})
