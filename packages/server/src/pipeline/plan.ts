/** The second stage of the pipeline: creates the plan of a request, without SQL and HTTP. */
import { randomUUID } from 'node:crypto'
import { type AnyNoun, type Operation, specOf, type Value } from '@nomen/core'
import { userKey } from '../auth/user-key.ts'
import type { Caller } from '../define/caller/caller.ts'
import { sha256 } from '../foundation/sha256.ts'
import type { WriteLogicOf } from '../logic/write-logic.ts'
import type { CreatePlan, MeetsPreconditions, Plan, Values } from '../store/plan.ts'
import { entityTag, matchesStrongly, matchesWeakly, withoutVariant } from './entity-tag.ts'
import type { ListQuery, ParsedRequest } from './read/parsed-request.ts'

/** The context of a plan besides the request. */
export interface PlanContext {
  /** The time of a write; empty for a read. */
  readonly now: string
  readonly caller: Caller
}

export type PlanFor = (request: ParsedRequest, context: PlanContext) => Plan

/** Changes a plan before it is run. A function that creates a step returns undefined if the operation does not need it. */
export type PlanStep = (plan: Plan, request: ParsedRequest, context: PlanContext) => Plan

/** A planner followed by plan steps, in their order. */
export function composePlan(planFor: PlanFor, ...steps: readonly (PlanStep | undefined)[]): PlanFor {
  return steps.reduce<PlanFor>((planBefore, step) => {
    return step ? (request, context) => step(planBefore(request, context), request, context) : planBefore
  }, planFor)
}

/** Creates the planner of one operation at start. `shapeHash` identifies the shape of its response, for ETags. */
export function planner(operation: Operation, logicOf: WriteLogicOf, shapeHash: string): PlanFor {
  switch (operation.kind) {
    case 'list':
      return listPlanner(operation)
    case 'read':
    case 'lookup':
    // Restore and erase read the record first; withRestore and withErasure plan their writes.
    case 'restore':
    case 'erase':
      return ({ ancestors, key }) => ({ kind: 'read', operation, ancestors, key })
    case 'create':
      return createPlanner(operation, logicOf)
    case 'replace':
    case 'update':
      return changePlanner(operation, logicOf, shapeHash)
    case 'delete':
      return deletePlanner(operation, shapeHash)
    case 'link':
    case 'unlink':
      return linkPlanner(operation, operation.kind, logicOf, shapeHash)
    case 'custom':
      throw new Error(`${operation.id} is a custom operation, which has no plan.`)
  }
}

function listPlanner(operation: Operation): PlanFor {
  return ({ ancestors, list: { conditions, include, order, page } = allRecords }) => ({
    kind: 'list',
    operation,
    ancestors,
    conditions,
    include,
    order,
    ...(page && { page }),
  })
}

function createPlanner(operation: Operation, logicOf: WriteLogicOf): PlanFor {
  const { noun } = operation.shape
  return ({ ancestors, values = {}, idempotency }, context) => {
    const record = newRecord(noun, values, context)
    // A rule may be declared for writes of certain fields. A create writes all fields, so all rules apply.
    const { assign, ...logic } = logicOf(noun.fields, context)
    return {
      kind: 'create',
      operation,
      ancestors,
      now: context.now,
      values: assign ? { ...record, ...assign(record, undefined) } : record,
      ...logic,
      ...(idempotency && { idempotency: userScopedKey(idempotency, context.caller) }),
    }
  }
}

function changePlanner(operation: Operation, logicOf: WriteLogicOf, shapeHash: string): PlanFor {
  const withManagedFields = managedFieldSetter(operation.shape.noun)
  const preconditionsOf = preconditionsReader(operation, shapeHash)
  return (request, context) => ({
    kind: 'change',
    operation,
    ancestors: request.ancestors,
    key: request.key,
    now: context.now,
    values: withManagedFields(request.values ?? {}, context),
    meetsPreconditions: preconditionsOf(request),
    ...logicOf(request.values ?? {}, context),
  })
}

function deletePlanner(operation: Operation, shapeHash: string): PlanFor {
  const preconditionsOf = preconditionsReader(operation, shapeHash)
  return (request, { now }) => ({
    kind: 'delete',
    operation,
    ancestors: request.ancestors,
    key: request.key,
    now,
    meetsPreconditions: preconditionsOf(request),
  })
}

function linkPlanner(operation: Operation, kind: 'link' | 'unlink', logicOf: WriteLogicOf, shapeHash: string): PlanFor {
  const preconditionsOf = preconditionsReader(operation, shapeHash)
  return (request, context) => ({
    kind,
    operation,
    ancestors: request.ancestors,
    key: request.key,
    now: context.now,
    meetsPreconditions: preconditionsOf(request),
    mustBeLinked: request.ifMatch !== undefined,
    ...logicOf({}, context),
  })
}

/**
 * Creates the check of If-Match and If-None-Match. The returned function yields undefined if a request has no condition. If
 * If-Match is required and missing, it yields a check that always fails.
 */
function preconditionsReader(
  { requiresIfMatch }: Operation,
  shapeHash: string,
): (request: ParsedRequest) => MeetsPreconditions | undefined {
  return ({ ifMatch, ifNoneMatch }) => {
    if (!ifMatch && requiresIfMatch) return () => false
    if (!ifMatch && !ifNoneMatch) return undefined
    const requiredTags = ifMatch && withoutVariant(ifMatch)
    const excludedTags = ifNoneMatch && withoutVariant(ifNoneMatch)
    return (identity, version) => {
      const tag = entityTag(identity, version, shapeHash)
      return (
        (!requiredTags || matchesStrongly(requiredTags, tag)) && !(excludedTags && matchesWeakly(excludedTags, tag))
      )
    }
  }
}

const allRecords: ListQuery = { conditions: [], include: [], order: [] }

type Idempotency = NonNullable<CreatePlan['idempotency']>

/** An Idempotency-Key belongs to its user, because other users may send the same key. */
function userScopedKey({ key, fingerprint }: Idempotency, caller: Caller): Idempotency {
  return { key: sha256(`${userKey(caller) ?? ''} ${key}`), fingerprint }
}

/** All fields of a new record except those that the database sets: generated identities and column defaults. */
function newRecord(noun: AnyNoun, values: Values, context: PlanContext): Values {
  const record: Record<string, Value> = {}
  for (const field of Object.keys(noun.fields)) {
    const value = newValue(noun, field, values, context)
    if (value !== undefined) record[field] = value
  }
  return record
}

/** The value of a field in a new record; undefined if the database sets it. */
function newValue(noun: AnyNoun, field: string, values: Values, context: PlanContext): Value | undefined {
  const { managed, guid, default: defaultValue, defaultFrom, databaseDefault } = specOf(noun, field)
  if (managed === 'identity') return guid ? randomUUID() : undefined
  if (managed === 'created-at' || managed === 'updated-at') return context.now
  if (managed === 'created-by' || managed === 'updated-by') return context.caller.record
  if (values[field] !== undefined) return values[field]
  if (databaseDefault) return undefined
  if (defaultValue !== undefined) return defaultValue
  return defaultFrom === undefined ? null : newValue(noun, defaultFrom, values, context)
}

/** Returns a function that adds the managed fields of a change: its time and its author. A change without values stays empty. */
function managedFieldSetter(noun: AnyNoun): (values: Values, context: PlanContext) => Values {
  const fieldsManagedAs = (managed: string) =>
    Object.keys(noun.fields).filter((field) => specOf(noun, field).managed === managed)
  const [timeFields, authorFields] = [fieldsManagedAs('updated-at'), fieldsManagedAs('updated-by')]
  return (values, { now, caller }) => {
    const result: Record<string, Value> = { ...values }
    if (Object.keys(values).length === 0) return result
    for (const field of timeFields) result[field] = now
    for (const field of authorFields) result[field] = caller.record
    return result
  }
}
