/** Turns a fault of the store that is no bug into the problem that a client reads. */
import { problem } from '@nomen/core'
import { type Answer, problemAnswer } from '../../message/answer.ts'
import { OutcomeUnknown, QueryTimeout, TooLarge, TooManyLists, TransactionTimeout } from '../../store/error.ts'
import { isUnavailable } from '../../store/fault.ts'

const retryAfter = { 'retry-after': '1' }

/** Undefined for a bug. */
export function faultAnswer(error: unknown): Answer | undefined {
  if (error instanceof QueryTimeout) {
    const hint = 'Filter by fewer properties or by indexed ones, or ask for a smaller page number.'
    return problemAnswer(problem('too-expensive', { detail: 'The list takes longer than the service allows.', hint }))
  }
  if (error instanceof TooLarge) {
    const detail = `The records of this list are more than ${error.maxBytes} bytes of JSON, which is the limit.`
    const hint = 'Ask for a smaller pageSize, or set a filter where the list has no pages.'
    return problemAnswer(problem('list-too-large', { detail, hint }))
  }
  if (error instanceof TooManyLists) {
    const detail = 'More lists that take long are asked for than the service reads at once.'
    const hint = 'Try again after the time in Retry-After, or filter by indexed properties only.'
    return problemAnswer(problem('overloaded', { detail, hint }), retryAfter)
  }
  if (error instanceof OutcomeUnknown) {
    const detail = 'The connection to the database broke while it wrote. The write may have been done, or not.'
    const hint = 'Read the record before you repeat the request, or create records with an Idempotency-Key.'
    return problemAnswer(problem('unavailable', { detail, hint }), retryAfter)
  }
  if (error instanceof TransactionTimeout) {
    const detail = `This takes longer than the ${error.limit} ms that are allowed for it. Nothing of it was done.`
    return problemAnswer(problem('unavailable', { detail, hint: 'Try again in a moment.' }), retryAfter)
  }
  if (!isUnavailable(error)) return undefined
  const parts = { detail: 'The database cannot take the request now.', hint: 'Try again in a moment.' }
  return problemAnswer(problem('unavailable', parts), retryAfter)
}
