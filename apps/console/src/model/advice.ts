/** What a person does next about a problem: in the words of a page, where those of the service are meant for programs. */
import { type Problem, problemOf } from './service/problem.ts'

export function adviceOn({ status, code, hint, retryAfter, requestId }: Problem): string | undefined {
  switch (status) {
    case 401:
      return 'Sign in, and try again.'
    case 409:
      if (hint !== undefined) return hint
      return code === 'value-taken'
        ? 'Choose another value, or look for the record that has it.'
        : 'It contradicts what is stored: look at what is there now, change yours, and send it again.'
    case 412:
      return 'Someone else has changed it meanwhile: look at what is there now, and decide again.'
    case 422:
      return hint ?? 'A rule of the service does not allow it so: change what is named, and send it again.'
    case 428:
      return 'Open the record anew, and do it there.'
    case 429:
      return `These were many requests in a short time. What you typed is still here: try again ${when(retryAfter)}.`
    case 503:
      // A list that takes too long does so the next time as well.
      if (code === 'too-expensive') return hint ?? 'Ask for less: set a filter, or leave out the search.'
      return `The service cannot answer now. What you typed is still here: try again ${when(retryAfter)}.`
    case 500:
      return requestId === undefined
        ? hint
        : 'It is no fault of yours: tell whoever runs the service its request number.'
    default:
      return hint
  }
}

/** All of it in a line: what happened, and what to do. */
export function problemText(error: unknown): string {
  const problem = problemOf(error)
  return [problem.detail, adviceOn(problem)].filter(Boolean).join(' ')
}

function when(seconds: number | undefined): string {
  if (seconds === undefined || seconds < 1) return 'in a moment'
  const rounded = Math.ceil(seconds)
  return `in ${rounded} ${rounded === 1 ? 'second' : 'seconds'}`
}
