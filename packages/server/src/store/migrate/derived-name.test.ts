import fc from 'fast-check'
import { expect, it } from 'vitest'
import { postgresName } from '../postgres/name.ts'
import { derivedName } from './derived-name.ts'

/** Few words, many ways to put them together. */
const word = fc.constantFrom('a', 'b', 'delta', 'on', 'insert', 'unique')
const part = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join('_'))
const parts = fc.array(part, { minLength: 1, maxLength: 4 })

it('makes one name of the same parts, and others of others', () => {
  fc.assert(
    fc.property(parts, parts, (one, other) => {
      const isSame = JSON.stringify(one) === JSON.stringify(other)
      expect(postgresName(derivedName(one)) === postgresName(derivedName(other))).toBe(isSame)
    }),
    { numRuns: 2000 },
  )
})

it('leaves parts without lines as they were in every edition', () => {
  expect(derivedName(['', 'tally', 'role-action', 'on', 'insert'])).toBe('_tally_role-action_on_insert')
  expect(derivedName(['user', 'first_name'])).toMatch(/^user_first_name_[0-9a-f]{16}$/)
  expect(derivedName(['user', 'first_name'], 1)).toBe('user_first_name')
})
