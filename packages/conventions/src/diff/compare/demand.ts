/** What must get a new version before breaking changes may go out. */
import { isLoose } from '../change.ts'
import type { Found } from '../ledger.ts'
import type { Operation } from '../operation.ts'
import { nextVersion, type Sides, type VersioningKind, versionPlace } from '../versioning.ts'

export interface Demand {
  /** The noun; empty for an api that is versioned as a whole. */
  readonly noun: string
  /** Where the breaking changes were made: `/v1`, or `/user`. */
  readonly from: string
  /** Where they belong: `/v2`, or `/v2/user`. */
  readonly to: string
  readonly numberOfChanges: number
  readonly message: string
}

/** One demand for everything that raises its version together. */
export function demandsOf(found: readonly Found[], sides: Sides, kind: VersioningKind): readonly Demand[] {
  const loose = found.filter(({ change }) => isLoose(change))
  return [...unitsOf(loose, kind)].map(([from, { operation, numberOfChanges }]) => {
    const noun = kind === 'whole' ? '' : operation.noun
    const to = versionPlace(operation, nextVersion(operation, sides, kind), kind)
    const count = `${numberOfChanges} breaking ${numberOfChanges === 1 ? 'change' : 'changes'}`
    const scope = kind === 'whole' ? 'The api is versioned as a whole: serve all of it' : `Serve ${noun}`
    const message = `${count} in ${from}. ${scope} under ${to}, and ${from} as it was or not at all.`
    return { noun, from, to, numberOfChanges, message }
  })
}

interface Unit {
  readonly operation: Operation
  readonly numberOfChanges: number
}

/** What raises its version together, by where it stands; a change counts once in each, however many operations show it. */
function unitsOf(found: readonly Found[], kind: VersioningKind): ReadonlyMap<string, Unit> {
  const units = new Map<string, Unit>()
  for (const { operations } of found) {
    const touched = new Map(operations.map((one) => [versionPlace(one, one.version, kind), one]))
    for (const [from, one] of touched) {
      const { operation = one, numberOfChanges = 0 } = units.get(from) ?? {}
      units.set(from, { operation, numberOfChanges: numberOfChanges + 1 })
    }
  }
  return units
}
