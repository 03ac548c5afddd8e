import { expect, it } from 'vitest'
import { DeclarationError } from './error.ts'

it('contains the declaration, the mistake and the fix', () => {
  const error = new DeclarationError('noun "users"', 'a noun is singular.', 'name it "user".')
  expect(error).toBeInstanceOf(Error)
  expect(error).toMatchObject({
    name: 'DeclarationError',
    subject: 'noun "users"',
    mistake: 'a noun is singular.',
    fix: 'name it "user".',
    message: 'noun "users": a noun is singular.\n  Fix: name it "user".',
  })
})
