/** Groups equal changes at several locations, so that a report shows them once. */
import { type Change, needsVersion } from '../change.ts'

export interface ChangeGroup {
  readonly change: Change
  /** The affected operations, such as `PUT /user/{id}`. */
  readonly operations: readonly string[]
  /** The number of locations in the document. */
  readonly numberOfLocations: number
}

/** The importance of a change in a report. */
export type Level = 'breaking' | 'allowed' | 'compatible'

function levelOf(change: Change): Level {
  if (!change.isBreaking) return 'compatible'
  return needsVersion(change) ? 'breaking' : 'allowed'
}

/** The changes of a level in order, grouped by code and message. */
export function groupsOf(changes: readonly Change[], level: Level): readonly ChangeGroup[] {
  const ofLevel = changes.filter((change) => levelOf(change) === level)
  const groups = Map.groupBy(ofLevel, ({ code, message, newVersion }) => `${code} ${message} ${newVersion ?? ''}`)
  return [...groups.values()].map((members) => ({
    change: members[0] as Change,
    operations: [...new Set(members.flatMap(({ operations }) => operations))],
    numberOfLocations: new Set(members.map(({ pointer }) => pointer)).size,
  }))
}

/** Why a breaking change is allowed; empty for other changes. */
export function allowanceText({ newVersion, sunset, isAccepted }: Change): string {
  if (isAccepted) return ' (accepted)'
  if (newVersion) return ` (in ${newVersion})`
  return sunset ? ` (after the announced sunset date ${sunset})` : ''
}

/** The maximum number of items that a list shows. */
const maxItems = 10

/** The first items of a list, and the number of others: `and 490 more operations`. */
export function shorten(
  items: readonly string[],
  itemName: string,
  format: (item: string) => string = (item) => item,
): readonly string[] {
  if (items.length <= maxItems + 1) return items.map(format)
  return [...items.slice(0, maxItems).map(format), `and ${countText(items.length - maxItems, `more ${itemName}`)}`]
}

/** `1 change`, `2,000 changes`. */
export function countText(number: number, unit: string): string {
  return `${number.toLocaleString('en-US')} ${unit}${number === 1 ? '' : 's'}`
}
