/** Groups equal changes at several locations, so that a report shows them once. */
import { type Change, isLoose } from '../change.ts'

export interface ChangeGroup {
  readonly change: Change
  /** The affected operations, such as `PUT /user/{id}`. */
  readonly operations: readonly string[]
  /** The number of locations in the document. */
  readonly numberOfPlaces: number
}

/** How important a change is in a report. */
export type Level = 'breaking' | 'in-order' | 'harmless'

function levelOf(change: Change): Level {
  if (!change.isBreaking) return 'harmless'
  return isLoose(change) ? 'breaking' : 'in-order'
}

/** The changes of a level in order, grouped by code and message. */
export function groupsOf(changes: readonly Change[], level: Level): readonly ChangeGroup[] {
  const ofLevel = changes.filter((change) => levelOf(change) === level)
  const groups = Map.groupBy(ofLevel, ({ code, message, under }) => `${code} ${message} ${under ?? ''}`)
  return [...groups.values()].map((members) => ({
    change: members[0] as Change,
    operations: [...new Set(members.flatMap(({ operations }) => operations))],
    numberOfPlaces: new Set(members.map(({ pointer }) => pointer)).size,
  }))
}

/** Why a breaking change is allowed; empty for other changes. */
export function excuseOf({ under, announced, isAccepted }: Change): string {
  if (isAccepted) return ' (accepted)'
  if (under) return ` (under ${under})`
  return announced ? ` (announced for ${announced})` : ''
}

/** How many items a list shows. */
const maxItems = 10

/** The first items of a list, and the number of others: `and 490 more operations`. */
export function shortened(
  all: readonly string[],
  what: string,
  format: (item: string) => string = (item) => item,
): readonly string[] {
  if (all.length <= maxItems + 1) return all.map(format)
  return [...all.slice(0, maxItems).map(format), `and ${counted(all.length - maxItems, `more ${what}`)}`]
}

/** `1 change`, `2,000 changes`. */
export function counted(number: number, thing: string): string {
  return `${number.toLocaleString('en-US')} ${thing}${number === 1 ? '' : 's'}`
}
