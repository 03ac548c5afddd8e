/** The same change in many operations is one thing to a reader. */
import type { Change } from './change.ts'

export interface ChangeGroup {
  readonly change: Change
  /** Such as `PUT /user/{id}`; the same change may stand in several. */
  readonly operations: readonly string[]
}

/** How loudly a change is told. */
export type Loudness = 'breaking' | 'in-order' | 'harmless'

function loudnessOf({ isBreaking, under, isAccepted }: Change): Loudness {
  if (!isBreaking) return 'harmless'
  return under || isAccepted ? 'in-order' : 'breaking'
}

/** In their order, without what is told of another operation in the same words. */
export function groupsOf(changes: readonly Change[], loudness: Loudness): readonly ChangeGroup[] {
  const some = changes.filter((change) => loudnessOf(change) === loudness)
  const groups = Map.groupBy(some, ({ code, message, under }) => `${code} ${message} ${under ?? ''}`)
  return [...groups.values()].map((members) => ({
    change: members[0] as Change,
    operations: [...new Set(members.map(({ method, path }) => `${method} ${path}`.trim()))],
  }))
}

/** Why a breaking change is in order. */
export function excuseOf({ under, isAccepted }: Change): string {
  return isAccepted ? 'accepted' : `under ${under}`
}

/** `1 change`, `2 changes`. */
export function counted(number: number, one: string): string {
  return `${number} ${one}${number === 1 ? '' : 's'}`
}
