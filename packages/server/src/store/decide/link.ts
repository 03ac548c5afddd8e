/** Validates a link or its removal: the records exist, If-Match, rules, and they share the value that the link requires. */
import type { AnyLink, AnyNoun, Level, Operation, Value } from '@nomen/core'
import type { Outcome } from '../outcome.ts'
import type { LinkPlan, Values } from '../plan.ts'
import { brokenRule, rejectionOutcome, versionMismatch } from './rejection.ts'
import { rejectedFor } from './rejection-order.ts'

/** The link of an operation, and its two nouns: the first one is the parent in the path. */
export function linkOfOperation({ link, levels }: Operation): { link: AnyLink; first: AnyNoun; second: AnyNoun } {
  const [linkedLevel, parentLevel] = [levels.at(-1) as Level, levels.at(-2) as Level]
  return { link: link as AnyLink, first: parentLevel.resource.noun, second: linkedLevel.resource.noun }
}

/** Whether a decision is needed before the write: without conditions and rules, one statement is enough. */
export function needsDecision({ match, check }: LinkPlan): boolean {
  return match !== undefined || check !== undefined
}

/** The outcome if no link is added. `current` is the record, or `missing` if it is not linked. */
export function decideLink(plan: LinkPlan, current: Outcome): Outcome | undefined {
  const { match, mustBeLinked, check } = plan
  if (current.kind === 'record') return rejectedFor(versionMismatch(match, current)) ?? current
  return mustBeLinked
    ? rejectionOutcome({ reason: 'not-linked' })
    : rejectedFor(brokenRule(check, pairOf(plan), undefined))
}

/** The outcome if the link stays; undefined if it can be removed. */
export function decideUnlink(plan: LinkPlan, current: Outcome): Outcome | undefined {
  if (current.kind !== 'record') return current
  return rejectedFor(versionMismatch(plan.match, current) ?? brokenRule(plan.check, pairOf(plan), undefined))
}

function pairOf({ operation, ancestors, key }: LinkPlan): Values {
  const { first, second } = linkOfOperation(operation)
  return { [first.name]: ancestors.at(-1) as Value, [second.name]: key }
}

/** The rejection of a link between records that do not share the required value. */
export function notLinkable(operation: Operation): Outcome {
  const { link, first } = linkOfOperation(operation)
  return rejectionOutcome({ reason: 'not-shared', field: link.sharing as string, noun: first.name, count: 1 })
}
