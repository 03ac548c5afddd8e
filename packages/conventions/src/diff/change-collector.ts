/** Collects all changes between two documents, each once with the affected operations. */
import type { Change } from './change.ts'
import { type Code, verdictOf } from './code.ts'
import type { Location } from './location.ts'
import { type Operation, operationText, versionText } from './operation.ts'
import type { Naming, Remark } from './report/remark.ts'

/** Adds a change at the first location that exists. */
export type AddChange = (code: Code, message: string, ...locations: readonly (Location | undefined)[]) => void

/** Collects the changes of one operation. */
export interface OperationChanges {
  readonly addChange: AddChange
  /** Collects the differences within one value, such as `response 200`. */
  readonly differencesOf: (valueName: string) => AddDifference
}

/** Adds a difference, `distance` steps below the value. If several paths lead to it, the message shows the shortest. */
export type AddDifference = (remark: Remark, distance: number, name: () => Naming) => void

/** Why the breaking changes of an operation are allowed. */
export interface Allowance {
  /** The new version that has the changes. */
  readonly newVersion?: number | undefined
  /** The announced date of removal. */
  readonly sunset?: string | undefined
}

/** A change, and the affected operations. */
export interface CollectedChange {
  readonly change: Change
  readonly operations: readonly Operation[]
}

export interface ChangeCollector {
  readonly changesOf: (operation: Operation, allowance?: Allowance) => OperationChanges
  readonly changes: () => readonly CollectedChange[]
}

interface Entry {
  readonly code: Code
  readonly location: Location
  readonly allowance: Allowance
  readonly operations: Operation[]
  /** The operation with the shortest path to the change, and its message. */
  nearest: Operation
  distance: number
  message: () => string
}

export function collectChanges(): ChangeCollector {
  const entries: Entry[] = []
  const entriesByDocument = new Map<object, Map<string, Entry>>()
  const entriesByValue = new Map<string, Map<Remark, Entry>>()
  const addEntry = (entry: Omit<Entry, 'operations'>): Entry => {
    const newEntry = { ...entry, operations: [entry.nearest] }
    entries.push(newEntry)
    return newEntry
  }
  const changesOf = (nearest: Operation, allowance: Allowance = {}): OperationChanges => {
    const allowanceKey = `${allowance.newVersion} ${allowance.sunset}`
    return {
      addChange: (code, message, ...locations) => {
        const location = locations.find((candidate) => candidate !== undefined) ?? nearest.location
        const entriesByKey = mapIn(entriesByDocument, location.reading)
        const key = `${code} ${location.side}#${location.pointer} ${message} ${allowanceKey}`
        const entry = entriesByKey.get(key)
        if (entry) entry.operations.push(nearest)
        else
          entriesByKey.set(key, addEntry({ code, location, allowance, nearest, distance: 0, message: () => message }))
      },
      differencesOf: (valueName) => {
        const entriesByRemark = mapIn(entriesByValue, `${valueName} ${allowanceKey}`)
        // Hot path: called for each remark in each affected operation.
        return (remark, distance, name) => {
          const { code, location = nearest.location, message: messageOf } = remark
          const message = () => messageOf(name())
          const entry = entriesByRemark.get(remark)
          if (!entry) entriesByRemark.set(remark, addEntry({ code, location, allowance, nearest, distance, message }))
          else {
            if (entry.operations.at(-1) !== nearest) entry.operations.push(nearest)
            if (distance < entry.distance) Object.assign(entry, { nearest, distance, message })
          }
        }
      },
    }
  }
  return { changesOf, changes: () => entries.map(collectedChange) }
}

function mapIn<Key, Inner>(maps: Map<Key, Map<Inner, Entry>>, key: Key): Map<Inner, Entry> {
  const map = maps.get(key) ?? new Map<Inner, Entry>()
  maps.set(key, map)
  return map
}

function collectedChange({ code, location, allowance, operations, nearest, message }: Entry): CollectedChange {
  const verdict = verdictOf(code)
  const { newVersion, sunset } = verdict.isBreaking ? allowance : {}
  const affected = [nearest, ...operations.filter((operation) => operation !== nearest)]
  return {
    operations: affected,
    change: {
      code,
      ...verdict,
      method: nearest.method.toUpperCase(),
      path: nearest.path,
      operations: affected.map(operationText),
      pointer: location.pointer,
      document: location.side,
      message: message(),
      ...(newVersion !== undefined && { newVersion: versionText(newVersion) }),
      ...(sunset !== undefined && { sunset }),
    },
  }
}
