/** The line that every request walks, specialised for each operation at start. */
import { deprecationHeaders, type Operation, ProblemError, problem } from '@nomen/core'
import { type Answer, answerWriter, problemAnswer } from './answer/write-answer.ts'
import type { Caller } from './caller.ts'
import type { Service } from './definition.ts'
import { narrowing } from './narrow-plan.ts'
import { planner } from './plan-for.ts'
import type { RawRequest } from './read/ask.ts'
import { requestReader } from './read/read-request.ts'
import { marked, readerOf } from './read-after.ts'
import { checkOf, type Rule } from './rule.ts'
import { type SightOf, sightFor } from './sight.ts'
import type { Model } from './store/model.ts'
import type { Store } from './store/plan.ts'

/** Walks one request of one operation from its text to its answer. Throws a ProblemError where there is a problem. */
export type RequestLine = (raw: RawRequest, caller: Caller) => Answer | Promise<Answer>

/** The lines of all operations of a service. */
export function requestLines(
  { operations, rules = [], visibility = [] }: Service,
  model: Model,
  store: Store,
): ReadonlyMap<Operation, RequestLine> {
  return new Map(
    operations.map((one) => [one, requestLine(one, { rules, store, sightOf: sightFor(one, visibility, model) })]),
  )
}

/** What is specialised for an operation beside its declaration. */
interface LineParts {
  readonly rules: readonly Rule[]
  readonly store: Store
  /** Absent where every caller sees everything. */
  readonly sightOf: SightOf | undefined
}

function requestLine(operation: Operation, parts: LineParts): RequestLine {
  const line = operation.deprecation?.gone ? goneLine(operation) : plainLine(operation, parts)
  return operation.deprecation ? deprecatedLine(line, deprecationHeaders(operation.deprecation)) : line
}

/** Answers that there was something once. */
function goneLine({ method, path, deprecation }: Operation): RequestLine {
  const { sunset, successor } = deprecation ?? {}
  const gone = problem('gone', {
    detail: `${method} ${path} is served no more${sunset === undefined ? '' : `, since ${sunset}`}.`,
    ...(successor !== undefined && { hint: `Use ${successor}.` }),
  })
  return () => problemAnswer(gone)
}

/** Tells callers with every answer, problems included. */
function deprecatedLine(line: RequestLine, told: NonNullable<Answer['headers']>): RequestLine {
  const telling = (answer: Answer): Answer => ({ ...answer, headers: { ...answer.headers, ...told } })
  const refused = (error: unknown): Answer => {
    if (error instanceof ProblemError) return telling(problemAnswer(error.problem))
    throw error
  }
  return (raw, caller) => {
    try {
      const answer = line(raw, caller)
      return answer instanceof Promise ? answer.then(telling, refused) : telling(answer)
    } catch (error) {
      return refused(error)
    }
  }
}

function plainLine(operation: Operation, { rules, store, sightOf }: LineParts): RequestLine {
  const readRequest = requestReader(operation)
  const planFor = narrowing(planner(operation, checkOf(operation.shape.noun, rules)), sightOf)
  const writeAnswer = answerWriter(operation)
  const isRead = operation.method === 'GET'
  return (raw, caller) => {
    const ask = readRequest(raw)
    const plan = planFor(ask, { now: isRead ? '' : new Date().toISOString(), caller })
    const outcome = store.run(store.hasCopies ? { ...plan, reader: readerOf(raw, caller) } : plan)
    // A store that has its answer at once costs no turn of the event loop.
    return outcome instanceof Promise
      ? outcome.then((done) => marked(done, () => writeAnswer(ask, done)))
      : writeAnswer(ask, outcome)
  }
}
