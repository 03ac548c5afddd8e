/** A problem that was thrown on the way of a request, as its answer. */
import { type Problem, ProblemError, problems } from '@nomen/core'
import { type Answer, problemAnswer } from '../../message/answer.ts'

/**
 * Undefined for what is no problem of this service: another code, a status that its code does not have, or what cannot be
 * written as JSON. Code of a service's own may throw that, and it is a fault then like any other.
 */
export function thrownProblem(error: unknown): Answer | undefined {
  if (!(error instanceof ProblemError)) return undefined
  const { code, status } = error.problem as Problem
  if (!Object.hasOwn(problems, `${code}`) || problems[code][0] !== status) return undefined
  try {
    return problemAnswer(error.problem)
  } catch {
    return undefined
  }
}
