/** What must get a new version before breaking changes may go out. */
import { type Change, isLoose } from './change.ts'
import type { Operation } from './operation.ts'
import { nextVersion, type Sides, type VersioningKind, versionPlace } from './versioning.ts'

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

/** A change, and the operation whose version it concerns. */
export interface Found {
  readonly change: Change
  readonly operation: Operation
}

/** One demand for everything that raises its version together. */
export function demandsOf(found: readonly Found[], sides: Sides, kind: VersioningKind): readonly Demand[] {
  const loose = found.filter(({ change }) => isLoose(change))
  const units = Map.groupBy(loose, ({ operation }) => versionPlace(operation, operation.version, kind))
  return [...units].map(([from, members]) => {
    const [{ operation }] = members as [Found, ...Found[]]
    const noun = kind === 'whole' ? '' : operation.noun
    const to = versionPlace(operation, nextVersion(operation, sides, kind), kind)
    const count = `${members.length} breaking ${members.length === 1 ? 'change' : 'changes'}`
    const scope = kind === 'whole' ? 'The api is versioned as a whole: serve all of it' : `Serve ${noun}`
    return {
      noun,
      from,
      to,
      numberOfChanges: members.length,
      message: `${count} in ${from}. ${scope} under ${to}, and ${from} as it was or not at all.`,
    }
  })
}
