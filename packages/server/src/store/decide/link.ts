/** Validates a link or its removal, in this order: the records exist, If-Match, rules, the value that both records must share. */
import type { AnyLink, AnyNoun, Level, Operation, Value } from '@nomen/core'
import type { Outcome } from '../outcome.ts'
import type { LinkPlan, Values } from '../plan.ts'
import { preconditionRejection, rejectionOutcome, ruleRejection } from './rejection.ts'

/** The link of an operation, and its two nouns: the first one is the parent in the path. */
export function linkOfOperation({ link, levels }: Operation): { link: AnyLink; first: AnyNoun; second: AnyNoun } {
  const [linkedLevel, parentLevel] = [levels.at(-1) as Level, levels.at(-2) as Level]
  return { link: link as AnyLink, first: parentLevel.resource.noun, second: linkedLevel.resource.noun }
}

/** Whether a decision is needed before the write: without conditions and rules, one statement is enough. */
export function needsDecision({ meetsPreconditions, check }: LinkPlan): boolean {
  return meetsPreconditions !== undefined || check !== undefined
}

/** The outcome if no link is added. `current` is the record, or `missing` if it is not linked. */
export function decideLink(plan: LinkPlan, current: Outcome): Outcome | undefined {
  const { meetsPreconditions, mustBeLinked, check } = plan
  if (current.kind === 'record') return rejectionOutcome(preconditionRejection(meetsPreconditions, current)) ?? current
  return mustBeLinked
    ? rejectionOutcome({ reason: 'not-linked' })
    : rejectionOutcome(ruleRejection(check, pairOf(plan), undefined))
}

/** The outcome if the link stays; undefined if it can be removed. */
export function decideUnlink(plan: LinkPlan, current: Outcome): Outcome | undefined {
  if (current.kind !== 'record') return current
  return rejectionOutcome(
    preconditionRejection(plan.meetsPreconditions, current) ?? ruleRejection(plan.check, pairOf(plan), undefined),
  )
}

function pairOf({ operation, ancestors, key }: LinkPlan): Values {
  const { first, second } = linkOfOperation(operation)
  return { [first.name]: ancestors.at(-1) as Value, [second.name]: key }
}

/** The outcome of a link between records that do not share the required value. */
export function unsharedLinkOutcome(operation: Operation): Outcome {
  const { link, first } = linkOfOperation(operation)
  return rejectionOutcome({ reason: 'shared-value', field: link.sharing as string, noun: first.name, count: 1 })
}
