/** A problem as an error: on its way up in a service, or back from one in its client. */
import type { FieldError, Problem, ProblemCode } from './problem.ts'

/** What a service says of a failure. Only the status is sure where the service is not one of ours. */
export interface AnyProblem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail?: string
  readonly code?: ProblemCode | (string & {})
  readonly hint?: string
  readonly errors?: readonly FieldError[]
}

/** After `instanceof`, which knows of neither, a code of ours or any other. */
type CodeOf<Given> = Given extends Problem ? ProblemCode : AnyProblem['code']

/**
 * A problem as an error: thrown by the client for an answer that is one, and in the service for what is to be answered.
 *
 * ```ts
 * throw new ProblemError(problem('rule-broken', { detail: 'The month is closed.' }))
 * ```
 */
export class ProblemError<Given extends AnyProblem = Problem> extends Error {
  override readonly name = 'ProblemError'
  readonly problem: Given
  /** Under which the service's log has the request; known to a client only. */
  readonly requestId: string | undefined

  constructor(problem: Given, requestId?: string) {
    super(problem.detail ?? problem.title)
    this.problem = problem
    this.requestId = requestId
  }

  get status(): number {
    return this.problem.status
  }

  get code(): CodeOf<Given> {
    return this.problem.code as CodeOf<Given>
  }

  get hint(): string | undefined {
    return this.problem.hint
  }

  /** What is wrong at each place of the body or the query. */
  get errors(): readonly FieldError[] {
    const { errors } = this.problem
    return Array.isArray(errors) ? errors : []
  }
}
