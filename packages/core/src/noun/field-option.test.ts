import { describe, expect, it } from 'vitest'
import { choice, date, decimal, identity, integer, noun, text } from '../index.ts'

const declare = (make: () => unknown) => () =>
  noun('book', { id: identity(), title: make() as ReturnType<typeof text> })

describe('an option that a kind of field does not have', () => {
  it.each<[string, () => unknown, string, string]>([
    ['max of a text', () => text({ max: 5 } as object), 'text() has no option "max".', 'write maxLength.'],
    ['minimum of a text', () => text({ minimum: 5 } as object), 'text() has no option "minimum".', 'write minLength.'],
    [
      'maxlength of a text',
      () => text({ maxlength: 5 } as object),
      'text() has no option "maxlength".',
      'write maxLength.',
    ],
    [
      'minItems of a text',
      () => text({ minItems: 5 } as object),
      'text() has no option "minItems".',
      'write minLength.',
    ],
    [
      'minimum of an integer',
      () => integer({ minimum: 5 } as object),
      'integer() has no option "minimum".',
      'write min.',
    ],
    [
      'exclusiveMaximum',
      () => date({ exclusiveMaximum: 5 } as object),
      'date() has no option "exclusiveMaximum".',
      'write max.',
    ],
    [
      'maxLength of an integer',
      () => integer({ maxLength: 5 } as object),
      'integer() has no option "maxLength".',
      'write max.',
    ],
    [
      'fractionDigits',
      () => decimal({ scale: 2, color: 5 } as never),
      'decimal() has no option "color".',
      'use precision, scale, min or max.',
    ],
    [
      'required',
      () => integer({ required: true } as object),
      'integer() has no option "required".',
      'remove it: every field is required, unless it is nullable() or has a default().',
    ],
  ])('%s is rejected with a list of the valid options', (_, make, rule, fix) => {
    expect(declare(make)).toThrow(`noun "book", field "title": ${rule}\n  Fix: ${fix}`)
  })

  it('does not affect modifiers of all fields', () => {
    const declareBook = declare(() => text({ maxLength: 9 }).nullable().indexed().column('t').renamedFrom('name'))
    expect(declareBook).not.toThrow()
    expect(declare(() => choice({ A: ['B'], B: [] }).default('A'))).not.toThrow()
  })
})
