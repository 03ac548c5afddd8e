/** The second stage of the pipeline: plans what to read or write, without SQL and HTTP. */
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

/** Changes a plan before it is run; undefined at start if the operation does not need the stage. */
export type PlanStage = (plan: Plan, request: ParsedRequest, context: PlanContext) => Plan

/** A planner followed by stages, in their order. */
export function composePlan(planFor: PlanFor, ...stages: readonly (PlanStage | undefined)[]): PlanFor {
  return stages.reduce<PlanFor>((previousStage, stage) => {
    return stage ? (request, context) => stage(previousStage(request, context), request, context) : previousStage
  }, planFor)
}

/** Specializes the planner of one operation at start. `hash` identifies the shape of its response, for ETags. */
export function planner(operation: Operation, logicOf: WriteLogicOf, hash: string): PlanFor {
  switch (operation.kind) {
    case 'list':
      return listPlanner(operation)
    case 'read':
    case 'lookup':
    case 'restore':
    case 'erase':
      return ({ ancestors, key }) => ({ kind: 'read', operation, ancestors, key })
    case 'create':
      return createPlanner(operation, logicOf)
    case 'replace':
    case 'update':
      return changePlanner(operation, logicOf, hash)
    case 'delete':
      return deletePlanner(operation, hash)
    case 'link':
    case 'unlink':
      return linkPlanner(operation, operation.kind, logicOf, hash)
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

function changePlanner(operation: Operation, logicOf: WriteLogicOf, hash: string): PlanFor {
  const changedRecord = setManagedFields(operation.shape.noun)
  const matchOf = matchReader(operation, hash)
  return (request, context) => ({
    kind: 'change',
    operation,
    ancestors: request.ancestors,
    key: request.key,
    now: context.now,
    values: changedRecord(request.values ?? {}, context),
    match: matchOf(request),
    ...logicOf(request.values ?? {}, context),
  })
}

function deletePlanner(operation: Operation, hash: string): PlanFor {
  const matchOf = matchReader(operation, hash)
  return (request, { now }) => ({
    kind: 'delete',
    operation,
    ancestors: request.ancestors,
    key: request.key,
    now,
    match: matchOf(request),
  })
}

function linkPlanner(operation: Operation, kind: 'link' | 'unlink', logicOf: WriteLogicOf, hash: string): PlanFor {
  const matchOf = matchReader(operation, hash)
  return (request, context) => ({
    kind,
    operation,
    ancestors: request.ancestors,
    key: request.key,
    now: context.now,
    match: matchOf(request),
    mustBeLinked: request.ifMatch !== undefined,
    ...logicOf({}, context),
  })
}

/** Specializes the check of If-Match and If-None-Match; it returns undefined if a request has no condition. */
function matchReader(
  { requiresIfMatch }: Operation,
  hash: string,
): (request: ParsedRequest) => MeetsPreconditions | undefined {
  return ({ ifMatch, ifNoneMatch }) => {
    if (!ifMatch && requiresIfMatch) return () => false
    if (!ifMatch && !ifNoneMatch) return undefined
    const requiredTags = ifMatch && withoutVariant(ifMatch)
    const excludedTags = ifNoneMatch && withoutVariant(ifNoneMatch)
    return (identity, version) => {
      const tag = entityTag(identity, version, hash)
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
  const { managed, guid, default: value, defaultFrom, databaseDefault } = specOf(noun, field)
  if (managed === 'identity') return guid ? randomUUID() : undefined
  if (managed === 'created-at' || managed === 'updated-at') return context.now
  if (managed === 'created-by' || managed === 'updated-by') return context.caller.record
  if (values[field] !== undefined) return values[field]
  if (databaseDefault) return undefined
  if (value !== undefined) return value
  return defaultFrom === undefined ? null : newValue(noun, defaultFrom, values, context)
}

/** Adds the managed fields of a change: its time and its author. A change without values stays empty. */
function setManagedFields(noun: AnyNoun): (values: Values, context: PlanContext) => Values {
  const managedFields = (kind: string) =>
    Object.keys(noun.fields).filter((field) => specOf(noun, field).managed === kind)
  const [times, authors] = [managedFields('updated-at'), managedFields('updated-by')]
  return (values, { now, caller }) => {
    const record: Record<string, Value> = { ...values }
    if (Object.keys(values).length === 0) return record
    for (const field of times) record[field] = now
    for (const field of authors) record[field] = caller.record
    return record
  }
}
