/** Turns errors of the store that are not bugs into problems. */
import { problem } from '@nomen/core'
import { problemResponse, type TextResponse } from '../../message/text-response.ts'
import { OutcomeUnknown, QueryTimeout, TooLarge, TooManyLists, TransactionTimeout } from '../../store/fault/error.ts'
import { isUnavailable } from '../../store/fault/fault.ts'

const retryAfter = { 'retry-after': '1' }

/** The response to an error of the store; undefined for a bug. */
export function storeErrorResponse(error: unknown): TextResponse | undefined {
  if (error instanceof QueryTimeout) {
    const hint = 'Filter by fewer properties or by indexed ones, or request a smaller page number.'
    return problemResponse(problem('too-expensive', { detail: 'The list takes longer than the service allows.', hint }))
  }
  if (error instanceof TooLarge) {
    const detail = `The records of this list exceed the limit of ${error.maxBytes} bytes of JSON.`
    const hint = 'Request a smaller pageSize, or set a filter if the list has no pages.'
    return problemResponse(problem('list-too-large', { detail, hint }))
  }
  if (error instanceof TooManyLists) {
    const detail = 'Too many slow lists are running.'
    const hint = 'Try again after the time in Retry-After, or filter by indexed properties only.'
    return problemResponse(problem('overloaded', { detail, hint }), retryAfter)
  }
  if (error instanceof OutcomeUnknown) {
    const detail = 'The database connection was lost during the write, so the outcome is unknown.'
    const hint = 'Read the record before you repeat the request, or create records with an Idempotency-Key.'
    return problemResponse(problem('unavailable', { detail, hint }), retryAfter)
  }
  if (error instanceof TransactionTimeout) {
    const detail = `The transaction exceeded its time limit of ${error.limitMs} ms. No changes were made.`
    return problemResponse(problem('unavailable', { detail, hint: 'Try again in a moment.' }), retryAfter)
  }
  if (!isUnavailable(error)) return undefined
  const texts = { detail: 'The database is not available now.', hint: 'Try again in a moment.' }
  return problemResponse(problem('unavailable', texts), retryAfter)
}
