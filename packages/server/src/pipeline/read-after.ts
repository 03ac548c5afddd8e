/** The header by which a client that has written reads its write, whichever process and replica it asks. */
import { ProblemError } from '@nomen/core'
import type { Caller } from '../define/caller.ts'
import { type Answer, problemAnswer } from '../message/answer.ts'
import type { Outcome, Reader } from '../store/plan.ts'
import type { RawRequest } from './read/target-list.ts'

/** In the answer to a write it names a state of the records; in a request, the state that an answer must not be older than. */
export const readAfter = 'x-read-after'

/** The caller is the user; the address that the request came from where nobody knows the user. */
export function readerOf({ headers, address, isCurrent }: RawRequest, caller: Caller): Reader {
  const after = headers[readAfter]
  const name = caller.user === undefined ? `${address}` : `user ${caller.user}`
  if (isCurrent) return { name, isCurrent }
  return typeof after === 'string' ? { name, after } : { name }
}

/** Writes an answer that bears the mark of its outcome, also where it is a problem: that too has come from a state. */
export function marked(outcome: Outcome, write: () => Answer): Answer {
  if (outcome.mark === undefined) return write()
  const mark = { [readAfter]: outcome.mark }
  try {
    const answer = write()
    return { ...answer, headers: { ...answer.headers, ...mark } }
  } catch (error) {
    if (error instanceof ProblemError) return problemAnswer(error.problem, mark)
    throw error
  }
}
