/** Problem documents as errors, in services and in clients. */
import type { FieldError, Problem, ProblemCode } from './problem.ts'

/** A problem document of any service. Only the status is certain. */
export interface AnyProblem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail?: string
  readonly code?: ProblemCode | (string & {})
  readonly hint?: string
  readonly errors?: readonly FieldError[]
}

/** A code of Nomen for a `Problem`, any other code otherwise. */
type CodeOf<ProblemType> = ProblemType extends Problem ? ProblemCode : AnyProblem['code']

/**
 * An error with a problem document (RFC 9457). The client throws it for every error response. In a service, throw it to
 * return that response.
 *
 * @example
 * ```ts
 * throw new ProblemError({ type: 'about:blank', title: 'Conflict', status: 409, detail: 'The month is closed.' })
 * ```
 */
export class ProblemError<ProblemType extends AnyProblem = Problem> extends Error {
  override readonly name = 'ProblemError'
  readonly problem: ProblemType
  /** The `X-Request-Id` header of the response, to find the request in the log; undefined in a service. */
  readonly requestId: string | undefined

  constructor(problem: ProblemType, requestId?: string) {
    super(problem.detail ?? problem.title)
    this.problem = problem
    this.requestId = requestId
  }

  /** The HTTP status. */
  get status(): number {
    return this.problem.status
  }

  /** The stable code of the problem: `value-taken`. */
  get code(): CodeOf<ProblemType> {
    return this.problem.code as CodeOf<ProblemType>
  }

  /** Advice on how to fix it. */
  get hint(): string | undefined {
    return this.problem.hint
  }

  /** The error of each invalid property or parameter. */
  get errors(): readonly FieldError[] {
    const { errors } = this.problem
    return Array.isArray(errors) ? errors : []
  }
}
