/** Refuses conditions where there is no record whose tag could be compared. A client that sends one relies on it: it must not be passed over. */
import { type Operation, ProblemError, problem } from '@nomen/core'
import type { RawRequest } from './ask.ts'

export function refuseConditions({ method, path, kind }: Operation, { headers }: RawRequest): void {
  const name = conditions.find((one) => headers[one.toLowerCase()] !== undefined)
  if (name === undefined) return
  const why = kind === 'create' ? 'a record that is new has no tag' : 'it would be done whatever has changed meanwhile'
  const detail = `${method} ${path} looks at no ${name}: ${why}.`
  throw new ProblemError(problem('invalid-header', { detail, hint: 'Send it without one.' }))
}

const conditions = ['If-Match', 'If-None-Match']
