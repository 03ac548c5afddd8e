/** The same change at many places is one thing to a reader. */
import { type Change, isLoose } from '../change.ts'

export interface ChangeGroup {
  readonly change: Change
  /** Such as `PUT /user/{id}`; the same change may show in several. */
  readonly operations: readonly string[]
  /** In how many places of the document it stands. */
  readonly numberOfPlaces: number
}

/** How loudly a change is told. */
export type Loudness = 'breaking' | 'in-order' | 'harmless'

function loudnessOf(change: Change): Loudness {
  if (!change.isBreaking) return 'harmless'
  return isLoose(change) ? 'breaking' : 'in-order'
}

/** In their order, without what is told of another place in the same words. */
export function groupsOf(changes: readonly Change[], loudness: Loudness): readonly ChangeGroup[] {
  const some = changes.filter((change) => loudnessOf(change) === loudness)
  const groups = Map.groupBy(some, ({ code, message, under }) => `${code} ${message} ${under ?? ''}`)
  return [...groups.values()].map((members) => ({
    change: members[0] as Change,
    operations: [...new Set(members.flatMap(({ operations }) => operations))],
    numberOfPlaces: new Set(members.map(({ pointer }) => pointer)).size,
  }))
}

/** Why a breaking change is in order; empty where it is not, or need not be. */
export function excuseOf({ under, announced, isAccepted }: Change): string {
  if (isAccepted) return ' (accepted)'
  if (under) return ` (under ${under})`
  return announced ? ` (announced for ${announced})` : ''
}

/** So many are named one by one. */
const mostNamed = 10

/** The first of many, each as it is shown, and how many more there are: `and 490 more operations`. */
export function shortened(
  all: readonly string[],
  what: string,
  shown: (one: string) => string = (one) => one,
): readonly string[] {
  if (all.length <= mostNamed + 1) return all.map(shown)
  return [...all.slice(0, mostNamed).map(shown), `and ${counted(all.length - mostNamed, `more ${what}`)}`]
}

/** `1 change`, `2,000 changes`. */
export function counted(number: number, one: string): string {
  return `${number.toLocaleString('en-US')} ${one}${number === 1 ? '' : 's'}`
}
