/** The second stage of the pipeline: what to fetch or to change. No SQL, no HTTP. */
import { randomUUID } from 'node:crypto'
import { type AnyNoun, type Operation, specOf, type Value } from '@nomen/core'
import { hashed, userKey } from '../auth/user-key.ts'
import type { Caller } from '../define/caller.ts'
import type { CheckOf } from '../define/rule.ts'
import type { CreatePlan, Match, Plan, Values } from '../store/plan.ts'
import { entityTag, matchesStrongly, matchesWeakly } from './entity-tag.ts'
import type { Ask, ListAsk } from './read/ask.ts'

/** What a plan depends on beside the request. */
export interface PlanContext {
  /** The moment of a write; empty for a read, which has no use for it. */
  readonly now: string
  /** On whose behalf the request is made. */
  readonly caller: Caller
}

export type PlanFor = (ask: Ask, context: PlanContext) => Plan

/** Changes a plan before it is run; undefined at start if the operation does not need the stage. */
export type PlanStage = (plan: Plan, ask: Ask, context: PlanContext) => Plan

/** A planner followed by stages, in their order. */
export function composePlan(planFor: PlanFor, ...stages: readonly (PlanStage | undefined)[]): PlanFor {
  return stages.reduce<PlanFor>((before, stage) => {
    return stage ? (ask, context) => stage(before(ask, context), ask, context) : before
  }, planFor)
}

/** Specialises the planning of one operation at start. `hash` identifies the shape of its response, for entity tags. */
export function planner(operation: Operation, checkOf: CheckOf, hash: string): PlanFor {
  const { noun } = operation.shape
  const matchOf = ({ ifMatch, ifNoneMatch }: Ask): Match | undefined => {
    if (!ifMatch && operation.isConditional) return () => false
    if (!ifMatch && !ifNoneMatch) return undefined
    return (identity, version) => {
      const tag = entityTag(identity, version, hash)
      return (!ifMatch || matchesStrongly(ifMatch, tag)) && !(ifNoneMatch && matchesWeakly(ifNoneMatch, tag))
    }
  }
  switch (operation.kind) {
    case 'list':
      return ({ ancestors, list: { conditions, include, order, page } = everything }) => ({
        kind: 'list',
        operation,
        ancestors,
        conditions,
        include,
        order,
        ...(page && { page }),
      })
    case 'read':
    case 'lookup':
      return ({ ancestors, key }) => ({ kind: 'read', operation, ancestors, key })
    case 'create':
      return ({ ancestors, values = {}, idempotency }, context) => ({
        kind: 'create',
        operation,
        ancestors,
        now: context.now,
        values: newRecord(noun, values, context),
        check: checkOf(noun.fields, context.caller),
        ...(idempotency && { idempotency: ownKey(idempotency, context.caller) }),
      })
    case 'replace':
    case 'update': {
      const changedRecord = setManagedFields(noun)
      return (ask, context) => ({
        kind: 'change',
        operation,
        ancestors: ask.ancestors,
        key: ask.key,
        now: context.now,
        values: changedRecord(ask.values ?? {}, context),
        match: matchOf(ask),
        check: checkOf(ask.values ?? {}, context.caller),
      })
    }
    case 'delete':
      return (ask, { now }) => ({
        kind: 'delete',
        operation,
        ancestors: ask.ancestors,
        key: ask.key,
        now,
        match: matchOf(ask),
      })
    case 'link':
    case 'unlink': {
      const { kind } = operation
      return (ask, { now }) => ({
        kind,
        operation,
        ancestors: ask.ancestors,
        key: ask.key,
        now,
        match: matchOf(ask),
        mustBeLinked: ask.ifMatch !== undefined,
      })
    }
    case 'custom':
      throw new Error(`${operation.id} is the service's own: there is nothing to plan.`)
  }
}

const everything: ListAsk = { conditions: [], include: [], order: [] }

type Idempotency = NonNullable<CreatePlan['idempotency']>

/** What is kept under a key is for the user who sent it: another one may use the same key for something else. */
function ownKey({ key, fingerprint }: Idempotency, caller: Caller): Idempotency {
  return { key: hashed(`${userKey(caller) ?? ''} ${key}`), fingerprint }
}

/** Every field of a new record but an identity that the database counts up. */
function newRecord(noun: AnyNoun, given: Values, { now, caller }: PlanContext): Values {
  const record: Record<string, Value> = {}
  for (const field of Object.keys(noun.fields)) {
    const spec = specOf(noun, field)
    if (spec.managed === 'identity') {
      if (spec.guid) record[field] = randomUUID()
    } else if (spec.managed === 'created-at' || spec.managed === 'updated-at') record[field] = now
    else if (spec.managed === 'created-by' || spec.managed === 'updated-by') record[field] = caller.record
    else record[field] = given[field] !== undefined ? given[field] : defaultOf(noun, field, given)
  }
  return record
}

function defaultOf(noun: AnyNoun, field: string, given: Values): Value {
  const { default: value, defaultFrom } = specOf(noun, field)
  if (value !== undefined) return value
  if (defaultFrom === undefined) return null
  return given[defaultFrom] !== undefined ? given[defaultFrom] : defaultOf(noun, defaultFrom, given)
}

/** Adds the managed fields of a change: its time and its author. A change without values stays empty. */
function setManagedFields(noun: AnyNoun): (given: Values, context: PlanContext) => Values {
  const managed = (kind: string) => Object.keys(noun.fields).filter((field) => specOf(noun, field).managed === kind)
  const [moments, authors] = [managed('updated-at'), managed('updated-by')]
  return (given, { now, caller }) => {
    const record: Record<string, Value> = { ...given }
    if (Object.keys(given).length === 0) return record
    for (const field of moments) record[field] = now
    for (const field of authors) record[field] = caller.record
    return record
  }
}
