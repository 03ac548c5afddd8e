/** Matches the operations of two documents: kept, moved to a new version, removed and added. */
import type { Operation } from './operation.ts'

export interface Matching {
  /** In both documents, with the same version. */
  readonly matched: readonly (readonly [Operation, Operation])[]
  /** Only with a higher version in the new document, paired with the lowest of these. */
  readonly raised: readonly (readonly [Operation, Operation])[]
  readonly removed: readonly Operation[]
  readonly added: readonly Operation[]
}

export function match(old: readonly Operation[], next: readonly Operation[]): Matching {
  const matched: (readonly [Operation, Operation])[] = []
  const raised: (readonly [Operation, Operation])[] = []
  const removed: Operation[] = []
  const unmatchedNext = new Set(next)
  const unmatchedOld = new Set(old)
  const pair = (nameOf: (operation: Operation) => string) => {
    const byName = Map.groupBy(unmatchedNext, nameOf)
    for (const operation of unmatchedOld) {
      const counterpart = byName.get(nameOf(operation))?.shift()
      if (!counterpart) continue
      matched.push([operation, counterpart])
      unmatchedOld.delete(operation)
      unmatchedNext.delete(counterpart)
    }
  }
  pair(({ method, path, version }) => `${method} ${path} ${version}`)
  // Path parameters may be renamed, and the version may move between the path and the server URL.
  pair(({ key, version }) => `${key} ${version}`)
  for (const operation of unmatchedOld) {
    const higher = next.filter(({ key, version }) => key === operation.key && version > operation.version)
    const [lowest] = higher.sort((a, b) => a.version - b.version)
    if (lowest) raised.push([operation, lowest])
    else removed.push(operation)
  }
  const targets = new Set(raised.map(([, target]) => target))
  return { matched, raised, removed, added: [...unmatchedNext].filter((operation) => !targets.has(operation)) }
}
