/** The order of refusals: what a lookup finds comes before what the values themselves are refused for. */
import { andThen, type MaybePromise } from '../../foundation/maybe-promise.ts'
import type { Outcome, Refusal } from '../outcome.ts'
import { refused } from './refusal.ts'

/** `isEnforced`: the database refuses by itself what the lookup would find, so it is made only if the values are refused. */
export function lookupFirst(
  isEnforced: boolean,
  lookup: () => MaybePromise<Outcome | undefined>,
  refusalOfValues: () => Refusal | undefined,
): MaybePromise<Outcome | undefined> {
  const refusal = isEnforced ? refusalOfValues() : undefined
  if (isEnforced && !refusal) return undefined
  return andThen(lookup(), (outcome) => outcome ?? refusedFor(refusal ?? refusalOfValues()))
}

export function refusedFor(refusal: Refusal | undefined): Outcome | undefined {
  return refusal && refused(refusal)
}
