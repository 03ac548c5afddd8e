import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readTraceparent, writeTraceparent } from './context.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const spanId = 'b7ad6b7169203331'

describe('a traceparent', () => {
  it('is read as it is written', () => {
    const id = (length: number) =>
      fc
        .string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length })
        .filter((text) => /[^0]/.test(text))
    fc.assert(
      fc.property(id(32), id(16), fc.boolean(), (trace, span, isSampled) => {
        const context = { traceId: trace, spanId: span, isSampled }
        expect(readTraceparent(writeTraceparent(context))).toEqual(context)
      }),
    )
  })

  it.each([
    [`00-${traceId}-${spanId}-01`, true],
    [`00-${traceId}-${spanId}-00`, false],
    // Flags, and versions, that are not known yet.
    [`00-${traceId}-${spanId}-03`, true],
    [`01-${traceId}-${spanId}-01`, true],
    [`cc-${traceId}-${spanId}-01-what-the-future-will-be-like`, true],
  ])('may be %s', (text, isSampled) => {
    expect(readTraceparent(text)).toEqual({ traceId, spanId, isSampled })
  })

  it.each([
    undefined,
    '',
    `ff-${traceId}-${spanId}-01`,
    `00-${'0'.repeat(32)}-${spanId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId}-${spanId}-01-more`,
    `00-${traceId}-${spanId}-01.`,
    `cc-${traceId}-${spanId}-01.what`,
    `00-${traceId.toUpperCase()}-${spanId}-01`,
    `00-${traceId}-${spanId}-1`,
    `00-${traceId}-${spanId}`,
    // Node puts two headers of one name together.
    `00-${traceId}-${spanId}-01, 00-${traceId}-${spanId}-01`,
  ])('may not be %s', (text) => {
    expect(readTraceparent(text)).toBeUndefined()
  })
})
