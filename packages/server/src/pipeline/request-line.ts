/** The line that every request walks, specialised for each operation at start. */
import { deprecationHeaders, type Operation, problem, scopeOf } from '@nomen/core'
import type { Caller } from '../define/caller.ts'
import { isAuthor } from '../define/caller-noun.ts'
import type { Computation } from '../define/compute.ts'
import type { Service } from '../define/definition.ts'
import type { FilterDefinition } from '../define/filter.ts'
import { checkOf, type Rule } from '../define/rule.ts'
import { timestamp } from '../foundation/timestamp.ts'
import { type Answer, problemAnswer } from '../message/answer.ts'
import type { Model } from '../store/model.ts'
import type { Outcome, Plan, Store } from '../store/plan.ts'
import { thrownProblem } from './answer/thrown-problem.ts'
import { answerWriter } from './answer/write-answer.ts'
import { computing } from './computed-field.ts'
import { finding } from './custom-filter.ts'
import { shapeMark } from './entity-tag.ts'
import type { Hooks, Teller } from './hook/hooks.ts'
import { scopedLabels } from './label-scope.ts'
import { narrowing } from './narrow-plan.ts'
import { planner } from './plan-for.ts'
import { requestReader } from './read/request.ts'
import type { Ask, RawRequest } from './read/target-list.ts'
import { marked, readerOf } from './read-after.ts'
import { rowFilterFor, type SightOf } from './row-filter.ts'

/** Walks one request of one operation from its text to its answer. Throws a ProblemError where there is a problem. */
export type Pipeline = (raw: RawRequest, caller: Caller) => Answer | Promise<Answer>

/** What the lines of a service have in common. */
export interface LinesParts {
  readonly model: Model
  readonly store: Store
  /** Absent where nobody is told of changes. */
  readonly hooks?: Hooks | undefined
  /** Told when records of callers may have changed. */
  readonly forget?: (() => void) | undefined
  /** Makes the line of an operation of the service's own, which may call those of others; absent where there are none. */
  readonly customLine?: ((operation: Operation, lines: Lines, parts: LinesParts) => Pipeline) | undefined
}

export type Lines = ReadonlyMap<Operation, Pipeline>

/** The lines of all operations of a service. */
export function requestLines(service: Service, parts: LinesParts): Lines {
  const { operations, rules = [], filters = [], computed = [], visibility = [], callers } = service
  const { model, store, hooks, forget, customLine } = parts
  const scopes = new Set(operations.flatMap((one) => scopeOf(one).split(' ')))
  const lines = new Map<Operation, Pipeline>()
  for (const one of operations) {
    const line = requestLine(one, () => {
      if (one.custom && customLine) return customLine(one, lines, parts)
      const sightOf = rowFilterFor(one, visibility, model)
      return plainLine(one, { rules, filters, computed, store, sightOf, scopes, tell: hooks?.tellerOf(one) })
    })
    const isOfCallers = forget && one.method !== 'GET' && one.shape.noun === callers?.noun
    lines.set(one, isOfCallers ? changingCallers(line, forget) : line)
  }
  return lines
}

/** What is specialised for an operation beside its declaration. */
interface LineParts {
  readonly rules: readonly Rule[]
  readonly filters: readonly FilterDefinition[]
  readonly computed: readonly Computation[]
  readonly store: Store
  /** Absent where every caller sees everything. */
  readonly sightOf: SightOf | undefined
  /** All scopes that operations of the service take. */
  readonly scopes: ReadonlySet<string>
  /** Absent where nobody is told of what it changes. */
  readonly tell: Teller | undefined
}

function requestLine(operation: Operation, make: () => Pipeline): Pipeline {
  const line = operation.deprecation?.gone ? goneLine(operation) : make()
  return operation.deprecation ? deprecatedLine(line, deprecationHeaders(operation.deprecation)) : line
}

/** Answers that there was something once. */
function goneLine({ method, path, deprecation }: Operation): Pipeline {
  const { sunset, successor } = deprecation ?? {}
  // It may be gone before the day that was announced.
  const since = sunset !== undefined && Date.parse(sunset) <= Date.now() ? `, since ${sunset}` : ''
  const gone = problem('gone', {
    detail: `${method} ${path} is served no more${since}.`,
    ...(successor !== undefined && { hint: `Use ${successor}.` }),
  })
  return () => problemAnswer(gone)
}

/** Tells callers with every answer, problems included. */
function deprecatedLine(line: Pipeline, told: NonNullable<Answer['headers']>): Pipeline {
  const telling = (answer: Answer): Answer => ({ ...answer, headers: { ...answer.headers, ...told } })
  const refused = (error: unknown): Answer => {
    const told = thrownProblem(error)
    if (told) return telling(told)
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

/** The line of what the conventions have: read, plan, run, answer. */
export function plainLine(
  operation: Operation,
  { rules, filters, computed, store, sightOf, scopes, tell }: LineParts,
): Pipeline {
  const readRequest = requestReader(operation)
  const mark = shapeMark(operation.shape, computed)
  const { fetched, complete } = computing(operation, computed)
  const planned = finding(planner(fetched, checkOf(operation.shape.noun, rules), mark), operation, filters)
  const planFor = scopedLabels(narrowing(planned, sightOf), operation, scopes)
  const write = answerWriter(operation, mark)
  const writeAnswer = complete ? (ask: Ask, outcome: Outcome) => write(ask, complete(outcome)) : write
  const isRead = operation.method === 'GET'
  const send = ({ raw: { watch, transaction } }: Ask, plan: Plan) => {
    const where = transaction ?? store
    return watch ? watch.store(plan, () => where.run(plan)) : where.run(plan)
  }
  const run = (ask: Ask, caller: Caller) => {
    const plan = planFor(ask, { now: isRead ? '' : timestamp(), caller })
    const read = store.hasCopies ? { ...plan, reader: readerOf(ask.raw, caller) } : plan
    if (!tell) return send(ask, read)
    const { requestId, transaction } = ask.raw
    return tell(read, { caller, requestId, transaction }, (told) => send(ask, told))
  }
  return (raw, caller) => {
    const ask = readRequest(raw)
    const outcome = run(ask, caller)
    // A store that has its answer at once costs no turn of the event loop.
    if (!(outcome instanceof Promise)) return writeAnswer(ask, outcome)
    const settled = caller.record === null || isRead ? outcome : withoutGoneAuthor(outcome, operation, ask, caller, run)
    return settled.then((done) => marked(done, () => writeAnswer(ask, done)))
  }
}

/** The caller's record may have been deleted a moment ago: what that caller writes then is nobody's. */
async function withoutGoneAuthor(
  first: Promise<Outcome>,
  { shape: { noun } }: Operation,
  ask: Ask,
  caller: Caller,
  run: (ask: Ask, caller: Caller) => Outcome | Promise<Outcome>,
): Promise<Outcome> {
  const outcome = await first
  if (outcome.kind !== 'refused' || outcome.refusal.reason !== 'no-target') return outcome
  const isAuthorGone = outcome.refusal.missing.some(({ field }) => isAuthor(noun, field))
  return isAuthorGone ? run(ask, { ...caller, record: null }) : outcome
}

/** A line that may change the records of callers: afterwards nothing that is remembered of them counts. */
function changingCallers(line: Pipeline, forget: () => void): Pipeline {
  return async (raw, caller) => {
    try {
      return await line(raw, caller)
    } finally {
      forget()
      // Until then others are shown, and remember, what was before.
      raw.transaction?.atEnd(forget)
    }
  }
}
