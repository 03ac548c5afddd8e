/** Explains a list: how the database reads it, how long that takes, and which index would help. */
import { nearest, type Operation, ProblemError, problem } from '@nomen/core'
import { unrestrictedCaller } from '../define/caller/caller.ts'
import type { Service } from '../define/definition.ts'
import { quoted } from '../foundation/quoted.ts'
import { Router } from '../message/router.ts'
import { customFilterStep } from '../pipeline/custom-filter.ts'
import { newestFirstStep, nounOfChangesStep } from '../pipeline/history/entries.ts'
import { composePlan, planner } from '../pipeline/plan.ts'
import { requestReader } from '../pipeline/read/request.ts'
import type { StoredNoun } from '../store/model.ts'
import { explainPlan } from '../store/open/explain.ts'
import type { ListPlan } from '../store/plan.ts'
import { indexAdvice } from './index-advice.ts'

/** Options of `explainList`. */
export interface ExplainOptions {
  /** The database URL: `sqlite:path/to/file.db` or `postgres://…`. */
  readonly database: string
  /** The path and query of the list: `/user?status=ACTIVE&sort=lastName`. */
  readonly target: string
}

/** How a list is read. */
export interface ListExplanation {
  /** The number of matching records; undefined if the database stopped the statement after ten seconds. */
  readonly numberOfRecords: number | undefined
  /** How long the statement took, in milliseconds. */
  readonly durationMs: number
  /** The SQL statement. */
  readonly statement: string
  /** The query plan of the database, line by line. */
  readonly steps: readonly string[]
  /** Advice for a faster list, as sentences. */
  readonly advice: readonly string[]
}

/**
 * Explains a list: runs its statement once, and returns its query plan and the indexes that would help. Nothing is changed.
 * Visibility filters are not applied, as for a caller who sees all records.
 *
 * @example
 * ```ts
 * import service from './service.ts'
 *
 * const options = { database: 'sqlite:data/directory.db', target: '/user?sort=firstName' }
 * const { advice } = await explainList(service, options)
 * console.log(advice) // ['Declare "firstName" of "user" with indexed(): …']
 * ```
 *
 * @throws ProblemError if the target is not a list of the service, or a parameter is invalid
 */
export async function explainList(service: Service, { database, target }: ExplainOptions): Promise<ListExplanation> {
  const plan = planOf(service, target)
  const stored = service.model.nouns.get(plan.operation.shape.noun.name) as StoredNoun
  const explanation = await explainPlan(database, service.model, plan)
  return { ...explanation, advice: indexAdvice(stored, plan, explanation.numberOfRecords) }
}

function planOf(service: Service, target: string): ListPlan {
  const { operations, model, filters = [] } = service
  const [path = '', query = ''] = splitOnce(target, '?')
  const router = new Router<Operation>()
  for (const operation of operations) router.add(operation.method, operation.path, operation)
  const match = router.find(path)
  const operation = match?.routes.get('GET')
  if (!match || operation?.kind !== 'list')
    throw new ProblemError(
      problem('path-not-found', {
        detail: `GET ${quoted(path)} is not a list of the service.`,
        hint: pathHint(path, operations),
      }),
    )
  const request = requestReader(operation)({
    address: '',
    requestId: '',
    path,
    parameters: match.parameters,
    query,
    headers: {},
    body: undefined,
  })
  const planFor = composePlan(
    planner(operation, () => ({ check: undefined }), ''),
    customFilterStep(operation, { filters, visibility: [], model }),
    newestFirstStep(operation),
    nounOfChangesStep(operation),
  )
  return planFor(request, { now: '', caller: unrestrictedCaller }) as ListPlan
}

function splitOnce(text: string, separator: string): readonly string[] {
  const index = text.indexOf(separator)
  return index === -1 ? [text] : [text.slice(0, index), text.slice(index + 1)]
}

function pathHint(path: string, operations: readonly Operation[]): string {
  const paths = operations.filter(({ kind }) => kind === 'list').map((operation) => operation.path)
  const suggestion = nearest(path, paths)
  return suggestion === undefined ? `Use the path of a list, such as ${paths[0]}.` : `Did you mean ${suggestion}?`
}
