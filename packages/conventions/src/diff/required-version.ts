/** The new versions that breaking changes need. */
import { needsVersion } from './change.ts'
import type { CollectedChange } from './change-collector.ts'
import type { Operation } from './operation.ts'
import { nextVersion, type Sides, type VersioningKind, versionPrefix } from './versioning.ts'

/** A new version that breaking changes need. */
export interface RequiredVersion {
  /** The noun; empty if the whole api has one version, and for a webhook. */
  readonly noun: string
  /** The prefix of the breaking changes: `/v1`, or `/user`; for a webhook its name: `the webhook user.created`. */
  readonly from: string
  /** The prefix of the new version: `/v2`, or `/v2/user`; for a webhook `a new webhook`. */
  readonly to: string
  readonly numberOfChanges: number
  readonly message: string
}

/** One entry per unit of versioning: the api, or a noun. */
export function requiredVersionsOf(
  changes: readonly CollectedChange[],
  sides: Sides,
  kind: VersioningKind,
): readonly RequiredVersion[] {
  const disallowed = changes.filter(({ change }) => needsVersion(change))
  return [...unitsOf(disallowed, kind)].map(([from, { operation, numberOfChanges }]) => {
    const count = `${numberOfChanges} breaking ${numberOfChanges === 1 ? 'change' : 'changes'}`
    if (operation.purpose === 'webhook') {
      const message = `${count} in ${from}. Send the changed request as a new webhook, and keep ${operation.path} unchanged.`
      return { noun: '', from, to: 'a new webhook', numberOfChanges, message }
    }
    const noun = kind === 'whole' ? '' : operation.noun
    const to = versionPrefix(operation, nextVersion(operation, sides, kind), kind)
    const scope = kind === 'whole' ? 'Publish the whole API' : `Publish ${noun}`
    const message = `${count} in ${from}. ${scope} as ${to}, and keep ${from} unchanged until its callers have moved.`
    return { noun, from, to, numberOfChanges, message }
  })
}

interface Unit {
  readonly operation: Operation
  readonly numberOfChanges: number
}

/** The units of versioning by prefix. A change counts once per unit, even if it affects several operations. */
function unitsOf(changes: readonly CollectedChange[], kind: VersioningKind): ReadonlyMap<string, Unit> {
  const units = new Map<string, Unit>()
  for (const { operations } of changes) {
    const affectedUnits = new Map(operations.map((changed) => [versionPrefix(changed, changed.version, kind), changed]))
    for (const [from, changed] of affectedUnits) {
      const { operation = changed, numberOfChanges = 0 } = units.get(from) ?? {}
      units.set(from, { operation, numberOfChanges: numberOfChanges + 1 })
    }
  }
  return units
}
