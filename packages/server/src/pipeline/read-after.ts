/** The header by which a client that has written reads its write, whichever process and replica it asks. */
import { ProblemError } from '@nomen/core'
import type { Caller } from '../define/caller.ts'
import { type Answer, problemAnswer } from '../message/answer.ts'
import type { Outcome } from '../store/outcome.ts'
import type { Reader } from '../store/plan.ts'
import type { RecordStore } from '../store/store.ts'
import type { PlanStage } from './plan.ts'
import type { Ask, RawRequest } from './read/ask.ts'

/** In the answer to a write it names a state of the records; in a request, the state that an answer must not be older than. */
export const readAfter = 'x-read-after'

/** Callers are told apart by their user, and without authentication by their address. */
export function readerOf({ headers, address, isCurrent }: RawRequest, caller: Caller): Reader {
  const after = headers[readAfter]
  const name = caller.user === undefined ? `${address}` : `user ${caller.user}`
  if (isCurrent) return { name, isCurrent }
  return typeof after === 'string' ? { name, after } : { name }
}

/** Tells the store how recent a read must be; undefined if the store has no replicas. */
export function readPosition({ hasReplicas }: Pick<RecordStore, 'hasReplicas'>): PlanStage | undefined {
  return hasReplicas ? (plan, { raw }, { caller }) => ({ ...plan, reader: readerOf(raw, caller) }) : undefined
}

type Write = (ask: Ask, outcome: Outcome) => Answer

/** Adds the position of an outcome to its response, also if that is a problem: a problem depends on a state, too. */
export function withPosition(write: Write): Write {
  return (ask, outcome) => {
    if (outcome.position === undefined) return write(ask, outcome)
    const position = { [readAfter]: outcome.position }
    try {
      const answer = write(ask, outcome)
      return { ...answer, headers: { ...answer.headers, ...position } }
    } catch (error) {
      if (error instanceof ProblemError) return problemAnswer(error.problem, position)
      throw error
    }
  }
}
