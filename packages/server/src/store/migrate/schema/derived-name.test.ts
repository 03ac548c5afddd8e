import fc from 'fast-check'
import { expect, it } from 'vitest'
import { postgresName } from '../../postgres/name.ts'
import { derivedName } from './derived-name.ts'

/** Few words with many combinations. */
const word = fc.constantFrom('a', 'b', 'delta', 'on', 'insert', 'unique')
const part = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join('_'))
const parts = fc.array(part, { minLength: 1, maxLength: 4 })

it('gives equal parts the same name, and different parts different names', () => {
  fc.assert(
    fc.property(parts, parts, (first, second) => {
      const isSame = JSON.stringify(first) === JSON.stringify(second)
      expect(postgresName(derivedName(first)) === postgresName(derivedName(second))).toBe(isSame)
    }),
    { numRuns: 2000 },
  )
})

it('adds a hash only if a part contains an underscore', () => {
  expect(derivedName(['', 'tally', 'role-action', 'on', 'insert'])).toBe('_tally_role-action_on_insert')
  expect(derivedName(['user', 'first_name'])).toMatch(/^user_first_name_[0-9a-f]{16}$/)
})
