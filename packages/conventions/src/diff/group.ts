/** The same change in many operations is one thing to a reader. */
import { type Change, isLoose } from './change.ts'

export interface ChangeGroup {
  readonly change: Change
  /** Such as `PUT /user/{id}`; the same change may stand in several. */
  readonly operations: readonly string[]
}

/** How loudly a change is told. */
export type Loudness = 'breaking' | 'in-order' | 'harmless'

function loudnessOf(change: Change): Loudness {
  if (!change.isBreaking) return 'harmless'
  return isLoose(change) ? 'breaking' : 'in-order'
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

/** Why a breaking change is in order; empty where it is not, or need not be. */
export function excuseOf({ under, announced, isAccepted }: Change): string {
  if (isAccepted) return ' (accepted)'
  if (under) return ` (under ${under})`
  return announced ? ` (announced for ${announced})` : ''
}

/** `1 change`, `2 changes`. */
export function counted(number: number, one: string): string {
  return `${number} ${one}${number === 1 ? '' : 's'}`
}
