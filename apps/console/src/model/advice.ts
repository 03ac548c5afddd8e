/** The next step after a problem, for a person: hints of the service are often for programs. */
import { text } from '../language/language.ts'
import { type Problem, problemOf } from './service/problem.ts'

export function adviceOn({ status, code, hint, retryAfter, requestId }: Problem): string | undefined {
  const advice = text().problem
  switch (status) {
    case 401:
      return advice.signIn
    case 409:
      return hint ?? (code === 'value-taken' ? advice.valueTaken : advice.conflict)
    case 412:
      return advice.staleRecord
    case 422:
      return hint ?? advice.ruleBroken
    case 428:
      return advice.reload
    case 429:
      return advice.tooManyRequests(retryAfter)
    case 503:
      // A list that takes too long takes too long the next time as well.
      return code === 'too-expensive' ? (hint ?? advice.tooExpensive) : advice.unavailable(retryAfter)
    case 500:
      return requestId === undefined ? hint : advice.serverError
    default:
      return hint
  }
}

/** The problem and the next step in one line. */
export function problemText(error: unknown): string {
  const problem = problemOf(error)
  return [problem.detail, adviceOn(problem)].filter(Boolean).join(' ')
}
