/** The response for a problem that the pipeline throws. */
import { type Problem, ProblemError, problems } from '@nomen/core'
import { problemResponse, type TextResponse } from '../../message/text-response.ts'
import { MediaTypeError } from '../read/media-type.ts'

/**
 * Undefined if the error is not a valid problem: not a ProblemError, an unknown code, a status that differs from that of its
 * code, or a problem that is not valid JSON. Functions of a service may throw such errors; they are bugs.
 */
export function thrownProblem(error: unknown): TextResponse | undefined {
  if (!(error instanceof ProblemError)) return undefined
  const { code, status } = error.problem as Problem
  if (!Object.hasOwn(problems, `${code}`) || problems[code][0] !== status) return undefined
  try {
    return problemResponse(error.problem, error instanceof MediaTypeError ? error.headers : undefined)
  } catch {
    return undefined
  }
}
