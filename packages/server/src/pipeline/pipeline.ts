/**
 * The stages of a request, from its text to its response. They are composed once for each operation, at start; a stage that
 * an operation does not need is not part of its pipeline.
 *
 *   read     RawRequest -> Ask      path, query, headers and body, checked against the declaration
 *   plan     Ask -> Plan            what to fetch or change, then narrowed by filters, visibility and scopes
 *   run      Plan -> Outcome        the store, and hooks after a change
 *   answer   Outcome -> Answer      computed fields, status, entity tag, body
 *   finish   Answer -> Answer       deprecation headers; cached caller records are dropped after a change
 */
import { type Operation, scopeOf } from '@nomen/core'
import type { Caller } from '../define/caller.ts'
import type { Computation } from '../define/compute.ts'
import type { Service } from '../define/definition.ts'
import type { FilterDefinition } from '../define/filter.ts'
import { checkOf, type Rule } from '../define/rule.ts'
import { andThen, type MaybePromise } from '../foundation/maybe-promise.ts'
import type { Answer } from '../message/answer.ts'
import type { Model } from '../store/model.ts'
import type { RecordStore } from '../store/store.ts'
import { answerWriter } from './answer/write-answer.ts'
import { applyComputed } from './computed-field.ts'
import { applyCustomFilters } from './custom-filter.ts'
import { shapeHash } from './entity-tag.ts'
import { deprecationHeadersOf, forgetCallersAfter, goneResponse } from './finish.ts'
import type { ChangeNotifier, Hooks } from './hook/hooks.ts'
import { applyLabelScopes } from './label-scope.ts'
import { composePlan, planner } from './plan.ts'
import type { RawRequest } from './read/ask.ts'
import { requestReader } from './read/request.ts'
import { readPosition, withPosition } from './read-after.ts'
import { type RowFilterOf, rowFilterFor } from './row-filter.ts'
import { runStages } from './run.ts'
import { applyVisibility } from './visibility.ts'

/** Takes one request of one operation to its response. A refusal is a ProblemError, thrown or as a rejection. */
export type Pipeline = (raw: RawRequest, caller: Caller) => MaybePromise<Answer>

export type Pipelines = ReadonlyMap<Operation, Pipeline>

/** What the pipelines of a service share. */
export interface PipelineParts {
  readonly model: Model
  readonly store: RecordStore
  readonly hooks?: Hooks | undefined
  /** Drops cached records of callers, after one of them may have changed. */
  readonly forgetCallers?: (() => void) | undefined
  /** Makes the pipeline of a custom operation, which may call the others; absent if the service has no handlers. */
  readonly customPipeline?: ((operation: Operation, all: Pipelines, parts: PipelineParts) => Pipeline) | undefined
}

/** The pipelines of all operations of a service. */
export function pipelinesOf(service: Service, parts: PipelineParts): Pipelines {
  const { operations, rules = [], filters = [], computed = [], visibility = [], callers } = service
  const { model, store, hooks, forgetCallers, customPipeline } = parts
  const scopes = new Set(operations.flatMap((operation) => scopeOf(operation).split(' ')))
  const pipelines = new Map<Operation, Pipeline>()
  const pipelineOf = (operation: Operation): Pipeline => {
    if (operation.deprecation?.gone) return goneResponse(operation)
    if (operation.custom && customPipeline) return customPipeline(operation, pipelines, parts)
    const rowFilterOf = rowFilterFor(operation, visibility, model)
    const notify = hooks?.notifierFor(operation)
    return standardPipeline(operation, { rules, filters, computed, store, rowFilterOf, scopes, notify })
  }
  for (const operation of operations) {
    const stages = deprecationHeadersOf(operation, pipelineOf(operation))
    const changesCallers = operation.method !== 'GET' && operation.shape.noun === callers?.noun
    pipelines.set(operation, forgetCallers && changesCallers ? forgetCallersAfter(stages, forgetCallers) : stages)
  }
  return pipelines
}

/** What the stages of one operation need beside its declaration. */
interface StageParts {
  readonly rules: readonly Rule[]
  readonly filters: readonly FilterDefinition[]
  readonly computed: readonly Computation[]
  readonly store: RecordStore
  /** Absent if every caller sees every record. */
  readonly rowFilterOf: RowFilterOf | undefined
  /** The scopes of all operations of the service. */
  readonly scopes: ReadonlySet<string>
  /** Absent if the operation has no hooks. */
  readonly notify: ChangeNotifier | undefined
}

/** The pipeline of an operation that the conventions define. */
export function standardPipeline(
  operation: Operation,
  { rules, filters, computed, store, rowFilterOf, scopes, notify }: StageParts,
): Pipeline {
  const hash = shapeHash(operation.shape, computed)
  const { fetched, complete } = applyComputed(operation, computed)

  const read = requestReader(operation)
  const plan = composePlan(
    planner(fetched, checkOf(operation.shape.noun, rules), hash),
    applyCustomFilters(operation, filters),
    applyVisibility(rowFilterOf),
    applyLabelScopes(operation, scopes),
    readPosition(store),
  )
  const run = runStages(operation, plan, store, notify)
  const write = answerWriter(operation, hash)
  const answer = withPosition(complete ? (ask, outcome) => write(ask, complete(outcome)) : write)

  return (raw, caller) => {
    const ask = read(raw)
    return andThen(run(ask, caller), (outcome) => answer(ask, outcome))
  }
}
