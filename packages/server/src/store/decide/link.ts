/** When a link or its removal is valid: the records exist, If-Match, and they share the value that the link demands. */
import type { AnyLink, AnyNoun, Level, Operation } from '@nomen/core'
import type { Outcome } from '../outcome.ts'
import type { LinkPlan } from '../plan.ts'
import { refusedFor } from './order.ts'
import { notMatching, refused } from './refusal.ts'

/** The link of an operation, and its two nouns: `near` is the parent in the path. */
export function linkOf({ link, levels }: Operation): { link: AnyLink; near: AnyNoun; far: AnyNoun } {
  const [far, near] = [levels.at(-1) as Level, levels.at(-2) as Level]
  return { link: link as AnyLink, near: near.resource.noun, far: far.resource.noun }
}

/** With a condition, the outcome if no link is to be added. `shown` is the record, or is missing if it is not linked. */
export function decideLink({ match, mustBeLinked }: LinkPlan, shown: Outcome): Outcome | undefined {
  if (!match) return undefined
  if (shown.kind === 'record') return refusedFor(notMatching(match, shown)) ?? shown
  return mustBeLinked ? refused({ reason: 'not-linked' }) : undefined
}

/** The outcome if the link is to stay; undefined if it can be removed. */
export function decideUnlink({ match }: LinkPlan, shown: Outcome): Outcome | undefined {
  return shown.kind === 'record' ? refusedFor(notMatching(match, shown)) : shown
}

/** The refusal of a link between records that do not share the value which the link demands. */
export function notLinkable(operation: Operation): Outcome {
  const { link, near } = linkOf(operation)
  return refused({ reason: 'not-shared', field: link.sharing as string, noun: near.name, count: 1 })
}
