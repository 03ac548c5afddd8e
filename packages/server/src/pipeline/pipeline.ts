/**
 * The stages of a request, from parsing to the response. They are composed once for each operation, at start (for callers
 * who may not see some fields, at their first request). A stage that an operation does not need is not part of its pipeline.
 *
 *   read     RawRequest -> ParsedRequest    checks path, query, headers and body against the declaration.
 *   plan     ParsedRequest -> Plan          describes the read or write, limited by filters, visibility and scopes.
 *   run      ParsedRequest -> Outcome       calls the plan stage, runs its plan on the store, and queues the hooks of a change.
 *   respond  Outcome -> TextResponse        adds computed fields, status, ETag and body.
 *   finish   TextResponse -> TextResponse   adds deprecation headers; starts, retries or ends the deliveries of changed webhooks;
 *                                           invalidates cached callers after a change.
 */
import type { Operation } from '@nomen/core'
import type { Assignment } from '../define/assign.ts'
import { type TenantOptions, tenantVisibility } from '../define/caller/tenant.ts'
import type { Computation } from '../define/compute.ts'
import type { Service } from '../define/definition.ts'
import type { FilterDefinition } from '../define/filter.ts'
import type { Rule } from '../define/rule.ts'
import type { Visibility } from '../define/visibility.ts'
import { andThen } from '../foundation/maybe-promise.ts'
import { linkLogic, type ServiceLogic, type WriteLogicOf, writeLogic } from '../logic/write-logic.ts'
import type { Model } from '../store/model.ts'
import type { RecordStore } from '../store/store.ts'
import { applyComputed } from './computed/computed-field.ts'
import { computedReads } from './computed/computed-value.ts'
import { customFilterStep } from './custom-filter.ts'
import { shapeHashOf } from './entity-tag.ts'
import { gonePipeline, type Serve, withCallerInvalidation, withDeprecationHeaders } from './finish.ts'
import { lastDeletedReader } from './follow/deleted-entries.ts'
import { withEventStreams } from './follow/event-stream.ts'
import type { Followers } from './follow/followers.ts'
import { withLongPolls } from './follow/long-poll.ts'
import {
  changedFieldStep,
  type EntryFields,
  entryFieldFilter,
  entryFieldsOf,
  newestFirstStep,
  nounOfChangesStep,
  originStep,
} from './history/entries.ts'
import { withErasure } from './history/erase.ts'
import { withMoveKinds } from './history/move-kind.ts'
import { withPastReads } from './history/past-record.ts'
import { withRestore } from './history/restore.ts'
import type { ChangeNotifier, Hooks } from './hook/hooks.ts'
import { composePlan, type PlanFor, planner } from './plan.ts'
import { requestReader } from './read/request.ts'
import { readerStep, withReadPosition } from './read-after.ts'
import { responseWriter } from './respond/write-response.ts'
import { requestRunner } from './run.ts'
import { pipelineByVisibleFields, withoutHiddenFields } from './visible/field-view.ts'
import { entryVisibility, labelScopeStep, type ReadScopes, readScopesOf } from './visible/read-scope.ts'
import { rowFilterFor } from './visible/row-filter.ts'
import { tenantStep } from './visible/tenant.ts'
import { visibilityStep } from './visible/visibility.ts'

/** Handles requests of one operation. A problem is returned as a response, or thrown as a ProblemError (a promise rejects with it). */
export type Pipeline = Serve

export type Pipelines = ReadonlyMap<Operation, Pipeline>

/** The pipelines that handlers may call. */
export interface CallablePipelines {
  readonly public: Pipelines
  readonly internal: Pipelines
}

/** The shared dependencies of all pipelines of a service. */
export interface PipelineDependencies {
  readonly model: Model
  readonly store: RecordStore
  /** Undefined if clients cannot follow changes. */
  readonly followers?: Followers | undefined
  readonly hooks?: Hooks | undefined
  /** Starts, retries or ends the deliveries of a webhook after a request has created, changed or deleted it. */
  readonly withWebhooks?: ((operation: Operation, pipeline: Pipeline) => Pipeline) | undefined
  /** Invalidates the cached records of callers, after one of them may have changed. */
  readonly invalidateCallers?: (() => void) | undefined
  /** Creates the pipeline of a custom operation, which may call the others; undefined if the service has no handlers. */
  readonly customPipeline?:
    | ((operation: Operation, all: CallablePipelines, dependencies: PipelineDependencies) => Pipeline)
    | undefined
}

/** The pipelines of all public operations. Only handlers can call internal operations. */
export function pipelinesOf(service: Service, dependencies: PipelineDependencies): Pipelines {
  const { operations, rules = [], assignments = [], filters = [], computed = [], tenant, callers } = service
  const { model, store, followers, hooks, withWebhooks, invalidateCallers, customPipeline } = dependencies
  const visibility = visibilityOf(service, model)
  const readScopes = readScopesOf(operations)
  const entryFields = entryFieldsOf(operations)
  const pipelines = { public: new Map<Operation, Pipeline>(), internal: new Map<Operation, Pipeline>() }
  const pipelineOf = (operation: Operation): Pipeline => {
    if (operation.deprecation?.gone) return gonePipeline(operation)
    if (operation.custom && customPipeline) return customPipeline(operation, pipelines, dependencies)
    const stageDependencies = {
      rules,
      assignments,
      model,
      filters,
      computed,
      visibility,
      tenant,
      store,
      readScopes,
      entryFields,
      followers,
      notifierFor: (operation: Operation) => hooks?.notifierFor(operation),
    }
    return pipelineByVisibleFields(operation, (visibleOperation) =>
      standardPipeline(visibleOperation, stageDependencies),
    )
  }
  const finishedPipelineOf = (operation: Operation) => {
    const pipeline = withDeprecationHeaders(operation, pipelineOf(operation))
    const pipelineWithWebhooks = withWebhooks?.(operation, pipeline) ?? pipeline
    const changesCallers = operation.method !== 'GET' && operation.shape.noun === callers?.noun
    return invalidateCallers && changesCallers
      ? withCallerInvalidation(pipelineWithWebhooks, invalidateCallers)
      : pipelineWithWebhooks
  }
  for (const operation of operations) pipelines.public.set(operation, finishedPipelineOf(operation))
  if (customPipeline)
    for (const operation of service.internalOperations) pipelines.internal.set(operation, finishedPipelineOf(operation))
  return pipelines.public
}

/** The visibility of a service: that of tenants, of history entries, and of `visible` functions. */
function visibilityOf({ operations, tenant, visibility = [] }: Service, model: Model): readonly Visibility[] {
  return [...tenantVisibility(tenant, model), ...entryVisibility(operations, model), ...visibility]
}

/** The dependencies of the stages of one operation. */
interface StageDependencies {
  readonly rules: readonly Rule[]
  readonly assignments: readonly Assignment[]
  readonly model: Model
  readonly filters: readonly FilterDefinition[]
  readonly computed: readonly Computation[]
  readonly visibility: readonly Visibility[]
  readonly tenant: TenantOptions | undefined
  readonly store: RecordStore
  readonly readScopes: ReadScopes
  /** The fields that history entries may show. */
  readonly entryFields: EntryFields
  readonly followers?: Followers | undefined
  /** Returns undefined if the operation has no hooks. */
  readonly notifierFor: (operation: Operation) => ChangeNotifier | undefined
}

/** The pipeline of an operation that the conventions define. */
function standardPipeline(operation: Operation, dependencies: StageDependencies): Pipeline {
  const { assignments, model, computed, store, notifierFor, entryFields, followers } = dependencies
  const notify = notifierFor(operation)
  const shapeHash = shapeHashOf(operation.shape, computed)
  // The store reads the source fields in place of the computed ones.
  const { storeOperation, addComputed } = applyComputed(operation, computed)

  const assignedFields = assignments
    .filter((assignment) => assignment.noun === operation.shape.noun)
    .flatMap(({ fields }) => fields)
  const read = requestReader(operation, assignedFields)
  const planFor = planForOperation(operation, storeOperation, shapeHash, dependencies)
  const lastDeleted = lastDeletedReader(model)
  const runPlanned = requestRunner(operation, planFor, store, notify)
  const runWithLongPolls = withLongPolls(operation, { planFor, store, followers, lastDeleted }, runPlanned)
  const runWithPastReads = withPastReads(operation, { planFor, store }, runWithLongPolls)
  const runWithErasure = withErasure(operation, { planFor, store }, runWithPastReads)
  const run = withRestore(operation, { planFor, model, store, notifierFor, entryFields }, runWithErasure)
  const writeResponse = responseWriter(operation, shapeHash)
  const hideEntryFields = entryFieldFilter(operation, entryFields)
  const readsFor = computedReads(operation, model, store)
  const respond = withReadPosition((request, outcome, caller) => {
    // A change by which a record begins or ceases to match the filters gets the kind ENTERED or LEFT.
    const outcomeWithMoves = operation.changesOf ? withMoveKinds(request.list?.conditions, outcome) : outcome
    const outcomeWithVisibleEntries = hideEntryFields ? hideEntryFields(outcomeWithMoves, caller) : outcomeWithMoves
    const visibleOutcome = operation.hidden
      ? withoutHiddenFields(operation, outcomeWithVisibleEntries)
      : outcomeWithVisibleEntries
    if (!addComputed) return writeResponse(request, visibleOutcome)
    return andThen(addComputed(visibleOutcome, readsFor(request.raw, caller)), (completed) =>
      writeResponse(request, completed),
    )
  })

  const streamDependencies = { read, planFor, store, followers, lastDeleted, entryFields, hideEntryFields }
  return withEventStreams(operation, streamDependencies, (raw, caller) => {
    const request = read(raw)
    return andThen(run(request, caller), (outcome) => respond(request, outcome, caller))
  })
}

function planForOperation(
  operation: Operation,
  storeOperation: Operation,
  shapeHash: string,
  dependencies: StageDependencies,
): PlanFor {
  const { rules, assignments, model, filters, visibility, tenant, store, readScopes, entryFields } = dependencies
  return composePlan(
    planner(storeOperation, logicFor(operation, { rules, assignments, model }), shapeHash),
    tenantStep(operation, tenant),
    customFilterStep(operation, { filters, visibility, model }),
    visibilityStep(rowFilterFor(operation, visibility, model)),
    labelScopeStep(operation, readScopes),
    newestFirstStep(operation),
    nounOfChangesStep(operation),
    changedFieldStep(operation, entryFields),
    originStep(operation, model),
    readerStep(store),
  )
}

/**
 * The pipeline of a read that no api declares. The service itself makes such reads, for handlers and webhooks. Visibility applies
 * as in a request; computed fields are left out.
 */
export function undeclaredRead(
  service: Service,
  operation: Operation,
  dependencies: Pick<StageDependencies, 'store'> & Partial<Pick<StageDependencies, 'entryFields' | 'followers'>>,
): Pipeline {
  const { model, tenant } = service
  return standardPipeline(operation, {
    rules: [],
    assignments: [],
    model,
    filters: [],
    computed: [],
    visibility: visibilityOf(service, model),
    tenant,
    // Single records and history entries show no labels.
    readScopes: new Map(),
    entryFields: new Map(),
    notifierFor: () => undefined,
    ...dependencies,
  })
}

function logicFor({ kind, link, shape }: Operation, logic: ServiceLogic): WriteLogicOf {
  return link && (kind === 'link' || kind === 'unlink') ? linkLogic(link, kind, logic) : writeLogic(shape.noun, logic)
}
